// Prints what people should know of a load beside its numbers: skipped files, new columns, fields without one, rejected rows.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_LOAD_NOTES_H_
#define LOGQUERY_SHIM_CLI_FOLDER_LOAD_NOTES_H_

#include "lib/base/json/value.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Prints a line each on Terminal::err.
void PrintLoadNotes(const LoadTotals& totals, const Terminal& terminal);

// Returns [{"reason":"timestamp is missing","rows":1204}].
base::Json ReasonsJson(const ReasonCounts& counts);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_LOAD_NOTES_H_
