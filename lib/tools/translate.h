// Translates a query to an engine's dialect: for `logquery translate`, and for finding the cause of a wrong answer.
#ifndef LOGQUERY_LIB_TOOLS_TRANSLATE_H_
#define LOGQUERY_LIB_TOOLS_TRANSLATE_H_

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
  std::string sql;  // empty: the endpoint's own query
  // `sql` is a caller's query over this endpoint; nullptr: `sql` reads the tables directly.
  const Endpoint* endpoint = nullptr;
  Catalog catalog = Catalog::DeclaredLogs();
  Dialect dialect = Dialect::kDuckDb;
  const FragmentDialect* fragments = nullptr;  // Capabilities::fragments
  std::vector<std::string> without;            // passes to leave out
  bool explain = false;                        // record the query after each pass
};

struct TranslateResult {
  std::string dialect_text;
  std::string googlesql;  // of the plan that dialect_text was written from
  std::vector<Slot> slots;
  Schema schema;
  QueryExplanation explanation;  // has passes only if requested, and never an engine's plan
};

// InvalidArgument, Unimplemented: see QueryService::Run. Parameters have no values here, so conditions on them are not
// folded.
absl::StatusOr<TranslateResult> Translate(const TranslateOptions& options);

// Returns the names of the passes, in order.
std::vector<std::string> PassNames();

// Returns the functions that queries may call, as emit::FunctionTableMarkdown formats them.
std::string FunctionTable();

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_TRANSLATE_H_
