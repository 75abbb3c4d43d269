// Prints problems in files.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_FINDINGS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_FINDINGS_H_

#include <ostream>
#include <string>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/tools/definition_check.h"

namespace logquery::shim {

// Prints FindingText.
void PrintFinding(const endpoint::Finding& finding, std::ostream& err);

// Prints each finding and, where there are errors, how many. The number of warnings.
int PrintFindings(const endpoint::DefinitionCheck& check, std::ostream& err);

// The findings as a list of objects: file, line, column, kind, message, and snippet if there is one.
base::Json FindingsJson(const std::vector<endpoint::Finding>& findings);

// ", 2 warnings"; empty: there are none.
std::string AlsoWarnings(int warnings);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_FINDINGS_H_
