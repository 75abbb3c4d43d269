// `logquery import endpoints`: definitions made of Logflare's.
#ifndef LOGQUERY_SHIM_COMMAND_IMPORT_COMMAND_H_
#define LOGQUERY_SHIM_COMMAND_IMPORT_COMMAND_H_

#include <string>
#include <vector>

#include "shim/command/commands.h"

namespace logquery::shim {

struct ImportArguments {
  std::string path;                  // a .sql file, a folder of them, or the endpoints API's JSON
  std::string folder = "endpoints";  // that the definitions are written to
  std::vector<std::string> tables;   // FROM=TO
  std::string schema;                // as LoadArguments has it
};
// kExitSomeRejected: some endpoints could not be imported.
int RunImport(const ImportArguments& arguments, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_IMPORT_COMMAND_H_
