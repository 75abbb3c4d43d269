// What becomes of a query on its way to the engine: for `logquery translate`, and for finding a wrong answer's cause.
#ifndef LOGQUERY_LIB_ENDPOINT_TRANSLATE_H_
#define LOGQUERY_LIB_ENDPOINT_TRANSLATE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/prepared_query.h"
#include "logquery/query_backend.h"
#include "logquery/query_explanation.h"

namespace logquery::endpoint {

struct TranslateOptions {
  std::string sql;                     // empty: the endpoint's own query
  const Endpoint* endpoint = nullptr;  // `sql` is a caller's over its logs; nullptr: `sql` reads the tables themselves
  Catalog catalog = Catalog::DeclaredLogs();
  Dialect dialect = Dialect::kDuckDb;
  const emit::SqlDialect* fragments = nullptr;  // Capabilities::fragments
  std::vector<std::string> without;             // passes to leave out
  bool explain = false;                         // keep the query as it is after each pass
};

struct TranslateResult {
  std::string dialect_text;
  std::string googlesql;  // of the plan that dialect_text was made from
  std::vector<Slot> slots;
  Schema schema;
  QueryExplanation explanation;  // its passes only where they are asked for; without an engine's plan
};

// InvalidArgument, Unimplemented: as QueryService::Run. Steering parameters have no values here, so nothing is folded.
absl::StatusOr<TranslateResult> Translate(const TranslateOptions& options);

// Names of the passes, in their order.
std::vector<std::string> PassNames();

// The functions that queries may call, as emit::FunctionTableMarkdown has them.
std::string FunctionTable();

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_TRANSLATE_H_
