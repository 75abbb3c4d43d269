// `logquery import endpoints`: creates definitions from Logflare's endpoints. `logquery import rows`: stores the rows that Logflare
// has in PostgreSQL.
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_IMPORT_COMMAND_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_IMPORT_COMMAND_H_

#include <string>
#include <vector>

#include "shim/cli/options/commands.h"

namespace logquery::shim {

struct ImportArguments {
  std::string path;                  // a .sql file, a folder of such files, or the endpoints API's JSON
  std::string folder = "endpoints";  // where to write the definitions
  std::vector<std::string> tables;   // FROM=TO
  std::string schema;                // as in LoadArguments
  Reporting reporting;
};
// Returns kExitSomeRejected if some endpoints could not be imported.
int RunImport(const ImportArguments& arguments, const Terminal& terminal);

struct ImportRowsArguments {
  std::string dsn;                   // PostgreSQL's connection string
  std::string password_file;         // empty: PGPASSWORD has the password, or none is needed
  std::string schema_on_server;      // empty: all
  std::vector<std::string> sources;  // SOURCE=LOG
  std::string data;
  std::string schema;  // as in LoadArguments
  bool dry_run = false;
  Reporting reporting;
};
// Returns kExitSomeRejected if rows were rejected, or a source was not imported.
int RunImportRows(const ImportRowsArguments& arguments, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_IMPORT_COMMAND_H_
