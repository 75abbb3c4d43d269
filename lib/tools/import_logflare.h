// Creates definitions from Logflare's endpoints: from a .sql file, or from the JSON of its endpoints API.
//
//     ImportedDefinition one = ImportSql("usage.api-counts", sql);
//     for (const ImportedDefinition& each : ImportApi(json, problems)) …
//
// The query is not changed except for table names. Logflare binds every parameter as a string, so each @name in the
// query becomes a STRING.
#ifndef LOGQUERY_LIB_TOOLS_IMPORT_LOGFLARE_H_
#define LOGQUERY_LIB_TOOLS_IMPORT_LOGFLARE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logquery/endpoint.h"

namespace logquery::endpoint {

// Pairs of a table name in Logflare and its name in logquery.
using TableNames = std::vector<std::pair<std::string, std::string>>;

struct ImportedDefinition {
  std::string name;
  std::string json;                   // the settings, in the form of NAME.json
  std::string sql;                    // the query, with renamed tables
  std::vector<std::string> notes;     // Logflare settings that a definition can't express
  std::vector<std::string> problems;  // why no definition was created; empty: it was created
};

// `built_in`: a definition with one of their names gets that definition's id.
ImportedDefinition ImportSql(std::string_view name, std::string_view sql, const TableNames& tables,
                             const std::vector<Endpoint>& built_in);

// Reads one endpoint, a list of endpoints, or an object whose member "endpoints" or "data" is such a list. Anything
// else is reported in `problems`, with line and column.
std::vector<ImportedDefinition> ImportApi(std::string_view json, const TableNames& tables,
                                          const std::vector<Endpoint>& built_in, std::vector<std::string>& problems);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_IMPORT_LOGFLARE_H_
