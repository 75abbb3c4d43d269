// Prints problems in files.
#ifndef LOGQUERY_SHIM_COMMAND_FINDINGS_H_
#define LOGQUERY_SHIM_COMMAND_FINDINGS_H_

#include <ostream>
#include <string>

#include "lib/endpoint/definition_check.h"

namespace logquery::shim {

// Prints "FILE:LINE:COLUMN: MESSAGE", then the line and a caret, like compilers do, for people and editors. Quoted text
// from the files can't control the terminal.
void PrintFinding(const endpoint::Finding& finding, std::ostream& err);

// Prints each finding and, where there are errors, how many. The number of warnings.
int PrintFindings(const endpoint::DefinitionCheck& check, std::ostream& err);

// ", 2 warnings"; empty: there are none.
std::string AlsoWarnings(int warnings);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_FINDINGS_H_
