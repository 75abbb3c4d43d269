// Adds what the store reports of one load to a command's totals.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_COMPOSE_LOAD_TOTALS_H_
#define LOGQUERY_SHIM_CLI_FOLDER_COMPOSE_LOAD_TOTALS_H_

#include "shim/cli/folder/loading.h"

namespace logquery {
struct LoadReport;
}

namespace logquery::shim {

void AddToTotals(const LoadReport& report, LoadTotals& totals);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_COMPOSE_LOAD_TOTALS_H_
