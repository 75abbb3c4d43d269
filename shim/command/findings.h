// Prints problems in files.
#ifndef LOGQUERY_SHIM_COMMAND_FINDINGS_H_
#define LOGQUERY_SHIM_COMMAND_FINDINGS_H_

#include <ostream>

#include "lib/endpoint/definition_check.h"

namespace logquery::shim {

// Prints "FILE:LINE:COLUMN: MESSAGE", then the line and a caret, like compilers do, for people and editors. Quoted text
// from the files can't control the terminal.
void PrintFinding(const endpoint::Finding& finding, std::ostream& err);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_FINDINGS_H_
