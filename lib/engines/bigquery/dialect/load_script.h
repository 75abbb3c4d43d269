// The statements that load an export into BigQuery.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_LOAD_SCRIPT_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_LOAD_SCRIPT_H_

#include <string>

#include "lib/emit/load_script.h"

namespace logquery::emit {

std::string BigQueryLoad(const LoadScriptOptions& options);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_DIALECT_LOAD_SCRIPT_H_
