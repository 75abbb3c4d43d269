// What a definition may say but hardly means: a parameter that nothing reads, a sandbox without logs, a cache that is warmed too
// seldom, a name unlike its file's.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITION_WARNINGS_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITION_WARNINGS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "lib/endpoint/definition_files.h"
#include "lib/sql/ast.h"
#include "lib/sql/token.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

struct DefinitionWarning {
  size_t offset = 0;  // in the settings
  std::string message;
};

// Of a definition that was read from `text` without a problem. `tokens` and `query` are those of its SQL;
// `passed_on` are the names of parameters of endpoints that it reads.
std::vector<DefinitionWarning> WarningsOf(const Endpoint& definition, const DefinitionText& text,
                                          const sql::TokenList& tokens, const sql::Query& query,
                                          const std::vector<std::string>& passed_on);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITION_WARNINGS_H_
