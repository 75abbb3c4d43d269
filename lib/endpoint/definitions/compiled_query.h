// The compiled form of an endpoint in a registry: its parsed and its resolved query, and the endpoints that it reads.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_COMPILED_QUERY_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_COMPILED_QUERY_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/redactor.h"

namespace logquery::endpoint {

// An endpoint that a definition's query reads, as a view.
struct ReadEndpoint {
  std::shared_ptr<const RegisteredEndpoint> endpoint;
  rewrite::View view;  // borrows from `endpoint`
};

}  // namespace logquery::endpoint

namespace logquery {

// The resolved query borrows the registry's catalog.
struct RegisteredEndpoint::Compiled {
  Endpoint declared;  // the definition as its author wrote it, without what `reads` adds
  std::map<std::string, endpoint::ReadEndpoint, std::less<>> reads;  // the endpoints that its own text names, by name
  size_t chain = 1;  // length of the longest chain of endpoints that starts here, each reading the next
  endpoint::ParsedDefinition query;
  std::shared_ptr<endpoint::ResolvedQuery> resolved;  // thread-safe; variants are planned when calls need them
  Redactor redactor;  // for the kinds that the definition redacts; used if redaction is on

  // For ResolveCallerSql; borrows this object.
  rewrite::FindView FindReads() const {
    if (reads.empty()) return nullptr;
    return [this](std::string_view name) -> absl::StatusOr<const rewrite::View*> {
      const auto found = reads.find(name);
      return found == reads.end() ? nullptr : &found->second.view;
    };
  }
};

}  // namespace logquery

namespace logquery::endpoint {

using CompiledQuery = RegisteredEndpoint::Compiled;

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_COMPILED_QUERY_H_
