// Definitions made of what Logflare has: the query of a .sql file, or the JSON of its endpoints API.
//
//     ImportedDefinition one = ImportSql("usage.api-counts", sql);
//     for (const ImportedDefinition& each : ImportApi(json, problems)) …
//
// The query stays as it is. Logflare binds every parameter as a string, so each @name of the query becomes a STRING.
#ifndef LOGQUERY_LIB_ENDPOINT_IMPORT_LOGFLARE_H_
#define LOGQUERY_LIB_ENDPOINT_IMPORT_LOGFLARE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logquery/endpoint.h"

namespace logquery::endpoint {

// Names of tables, and those that they are known by here.
using TableNames = std::vector<std::pair<std::string, std::string>>;

struct ImportedDefinition {
  std::string name;
  std::string json;                   // the settings, as NAME.json has them
  std::string sql;                    // the query, with the tables renamed
  std::vector<std::string> notes;     // what Logflare says, and a definition can't
  std::vector<std::string> problems;  // why there is no definition; empty: there is one
};

// `built_in`: a definition of one of their names takes its id.
ImportedDefinition ImportSql(std::string_view name, std::string_view sql, const TableNames& tables,
                             const std::vector<Endpoint>& built_in);

// Of one endpoint, of a list of them, or of an object whose member "endpoints" or "data" is that list. What is none of these is in
// `problems`, with line and column.
std::vector<ImportedDefinition> ImportApi(std::string_view json, const TableNames& tables,
                                          const std::vector<Endpoint>& built_in, std::vector<std::string>& problems);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_IMPORT_LOGFLARE_H_
