// What a registry keeps of an endpoint beside its definition: its query as parsed and as resolved.
#ifndef LOGQUERY_LIB_ENDPOINT_COMPILED_QUERY_H_
#define LOGQUERY_LIB_ENDPOINT_COMPILED_QUERY_H_

#include <memory>

#include "lib/endpoint/query_planner.h"
#include "lib/sql/ast.h"
#include "logquery/redactor.h"

namespace logquery::endpoint {

// The resolved query borrows the registry's catalog.
struct CompiledQuery {
  sql::QueryPtr query;
  std::shared_ptr<ResolvedQuery> resolved;  // thread-safe; its variants are planned as calls need them
  Redactor redactor;                        // of what the definition has redacted; used where redaction is on
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_COMPILED_QUERY_H_
