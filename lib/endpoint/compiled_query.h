// What a registry keeps of an endpoint beside its definition: its query as parsed and as resolved, and what that reads.
#ifndef LOGQUERY_LIB_ENDPOINT_COMPILED_QUERY_H_
#define LOGQUERY_LIB_ENDPOINT_COMPILED_QUERY_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "lib/endpoint/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/ast.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/redactor.h"

namespace logquery::endpoint {

// An endpoint whose rows a definition's query reads, and how.
struct ReadEndpoint {
  std::shared_ptr<const RegisteredEndpoint> endpoint;
  rewrite::View view;  // borrows from it
};

// The resolved query borrows the registry's catalog.
struct CompiledQuery {
  Endpoint declared;  // the definition as its author wrote it, without what follows from `reads`
  std::map<std::string, ReadEndpoint, std::less<>> reads;  // by name, those that its own text names
  size_t chain = 1;  // how many endpoints read one another in a row, from this one
  sql::QueryPtr query;
  std::shared_ptr<ResolvedQuery> resolved;  // thread-safe; its variants are planned as calls need them
  Redactor redactor;                        // of what the definition has redacted; used where redaction is on

  // For ResolveCallerSql; borrows this.
  rewrite::FindView FindReads() const {
    if (reads.empty()) return nullptr;
    return [this](std::string_view name) -> absl::StatusOr<const rewrite::View*> {
      const auto found = reads.find(name);
      return found == reads.end() ? nullptr : &found->second.view;
    };
  }
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_COMPILED_QUERY_H_
