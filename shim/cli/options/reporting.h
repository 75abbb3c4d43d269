// How a command tells what it did: as a sentence for people, as JSON for programs, or not at all.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_REPORTING_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_REPORTING_H_

#include <string_view>

#include "lib/base/json/value.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Prints the report to Terminal::out in the form that `reporting` asks for. `text` is one or more lines.
void PrintReport(const Reporting& reporting, std::string_view text, const base::Json& json, const Terminal& terminal);

// Whether progress and notes are printed to Terminal::err.
inline bool PrintsNotes(const Reporting& reporting) { return !reporting.quiet && !reporting.json; }

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_REPORTING_H_
