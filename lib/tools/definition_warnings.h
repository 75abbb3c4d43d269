// Warns about settings that are valid but probably not intended: a parameter that nothing reads, a sandbox without
// logs, a cache that is warmed too rarely, a name that differs from its file's.
#ifndef LOGQUERY_LIB_TOOLS_DEFINITION_WARNINGS_H_
#define LOGQUERY_LIB_TOOLS_DEFINITION_WARNINGS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "lib/endpoint/definitions/definition_files.h"
#include "lib/sql/ast.h"
#include "lib/sql/token.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

struct DefinitionWarning {
  size_t offset = 0;  // in the settings
  std::string message;
};

// `definition` was read from `text` without a problem. `tokens` and `query` are those of its SQL. `passed_on` has the
// names of the parameters of endpoints that it reads.
std::vector<DefinitionWarning> WarningsOf(const Endpoint& definition, const DefinitionText& text,
                                          const sql::TokenList& tokens, const sql::Query& query,
                                          const std::vector<std::string>& passed_on);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_DEFINITION_WARNINGS_H_
