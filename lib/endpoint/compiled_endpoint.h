// What a registry keeps of an endpoint beside its definition: its query as parsed and as resolved.
#ifndef LOGQUERY_LIB_ENDPOINT_COMPILED_ENDPOINT_H_
#define LOGQUERY_LIB_ENDPOINT_COMPILED_ENDPOINT_H_

#include <memory>
#include <utility>

#include "lib/endpoint/query_planner.h"
#include "lib/sql/ast.h"
#include "logquery/endpoint_registry.h"
#include "logquery/redactor.h"

namespace logquery::endpoint {

class CompiledEndpoint : public RegisteredEndpoint {
 public:
  CompiledEndpoint(Endpoint definition, sql::QueryPtr query, std::shared_ptr<ResolvedQuery> resolved, Redactor redactor)
      : query_(std::move(query)), resolved_(std::move(resolved)), redactor_(std::move(redactor)) {
    definition_ = std::move(definition);
    schema_ = resolved_->plan.schema;
  }

  const sql::Query& query() const { return *query_; }
  ResolvedQuery& resolved() const { return *resolved_; }
  // Of what the definition has redacted; used where redaction is on.
  const Redactor& redactor() const { return redactor_; }

 private:
  sql::QueryPtr query_;
  std::shared_ptr<ResolvedQuery> resolved_;
  const Redactor redactor_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_COMPILED_ENDPOINT_H_
