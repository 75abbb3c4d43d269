// From SQL to prepared queries: resolved once a text, planned once for each way that its parameters steer it.
//
//     LOGQUERY_ASSIGN_OR_RETURN(auto resolved, ResolveEndpoint(definition, catalog));
//     LOGQUERY_ASSIGN_OR_RETURN(PlannedCall call, planner.Plan(*resolved, values));
//     backend.Execute(*call.query, call.bindings, …);
//
// A text's variants are keyed by the outcomes of its steering predicates, not by values; beyond kMaxVariants of them it
// runs unfolded. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_QUERY_PLANNER_H_
#define LOGQUERY_LIB_ENDPOINT_QUERY_PLANNER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/split_text.h"
#include "lib/sql/ast.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/prepared_query.h"

namespace logquery::endpoint {

inline constexpr size_t kMaxVariants = 64;

// The name under which a token's project scope is bound.
inline constexpr char kScopeParameter[] = "@project_scope";

// One plan and what has to be worked out for each call.
struct PlanVariant {
  std::string name;  // how its parameters steer it; no value of theirs
  std::shared_ptr<const PreparedQuery> query;
  std::vector<rewrite::DerivedParameter> derived;
  std::optional<rewrite::NewestRows::Page> page;
};

// A resolved query and the variants planned of it so far. Borrows the catalog.
struct ResolvedQuery {
  std::string endpoint_id;
  int64_t max_rows = 0;
  std::string text;       // that places in `plan` are of; the endpoint's part of a caller's plan has none
  std::string redaction;  // the definition's kinds, as lib/base/redaction_kinds.h writes them
  rewrite::QueryPlan plan;
  std::vector<const rewrite::Scalar*> steering;  // of `plan`

  absl::Mutex mutex;
  absl::flat_hash_map<std::string, std::shared_ptr<const PlanVariant>> variants ABSL_GUARDED_BY(mutex);
};

struct PlannedCall {
  std::shared_ptr<const PreparedQuery> query;
  std::string variant;  // PlanVariant::name
  Bindings bindings;
  std::optional<rewrite::NewestRows::Page> page;  // where its rows hold what a cursor is made of
};

// The definition's query, parsed. InvalidArgument with its place and the endpoint's name.
absl::StatusOr<sql::QueryPtr> ParseDefinition(const Endpoint& definition);

// The definition's own query against the catalog, and against the endpoints that it may read.
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveEndpoint(const Endpoint& definition, const sql::Query& query,
                                                               const Catalog& catalog,
                                                               rewrite::FindView reads = nullptr);

// A caller's query over the definition's WITH entries, which alone may read other endpoints. `use`, where given, learns what it
// names.
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveCallerSql(std::string_view sql, const Endpoint& definition,
                                                                const sql::Query& query, const Catalog& catalog,
                                                                rewrite::SandboxUse* use = nullptr,
                                                                rewrite::FindView reads = nullptr);

class QueryPlanner {
 public:
  // `googlesql`: whether the queries have their GoogleSQL text too (Capabilities::reads_googlesql). `fragments`: the dialect of
  // parts that run elsewhere (Capabilities::fragments); nullptr: there are none.
  QueryPlanner(Dialect dialect, rewrite::BucketGenerator buckets, bool googlesql = true,
               const emit::SqlDialect* fragments = nullptr)
      : dialect_(dialect), buckets_(std::move(buckets)), googlesql_(googlesql), fragments_(fragments) {}

  // `values` has every parameter of the definition, kNowParameter, kScopeParameter where a token is scoped, and
  // rewrite::kCursorTimeParameter and kCursorIdParameter where the call goes on after a page. With `redacting` a caller's SQL
  // sees redacted text only.
  // InvalidArgument: a value the query can't work with. Unimplemented: the dialect can't do it faithfully.
  absl::StatusOr<PlannedCall> Plan(ResolvedQuery& resolved, rewrite::ParameterValues values,
                                   bool redacting = false) const;

  // The query after each pass on the way to what Plan gives: the pass's name, and GoogleSQL. Plan's statuses.
  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> PassTexts(const ResolvedQuery& resolved,
                                                                             const rewrite::ParameterValues& values,
                                                                             bool redacting) const;

 private:
  // What is done to a query beside what its text says.
  struct Additions {
    bool scope = false;
    bool after_cursor = false;
    bool redaction = false;
    bool underived = false;  // values derived from parameters are left to the engine
  };
  static rewrite::PassContext ContextOf(const ResolvedQuery& resolved, const rewrite::ParameterValues* values,
                                        Additions additions);
  static Additions AdditionsOf(const rewrite::ParameterValues& values, bool redacting);
  const std::vector<rewrite::Pass>& Passes() const;
  absl::StatusOr<std::shared_ptr<const PlanVariant>> Variant(ResolvedQuery& resolved,
                                                             const rewrite::ParameterValues& values,
                                                             Additions additions) const;
  absl::Status Derive(const PlanVariant& variant, rewrite::ParameterValues& values) const;
  absl::StatusOr<std::shared_ptr<PlanVariant>> MakeVariant(const ResolvedQuery& resolved,
                                                           const rewrite::ParameterValues* values,
                                                           Additions additions) const;

  Dialect dialect_;
  rewrite::BucketGenerator buckets_;
  bool googlesql_;
  const emit::SqlDialect* fragments_;
};

// The plan in the engine's words, as emit::Emit gives it; its errors say where in `text` what they are about stands.
absl::StatusOr<emit::EmittedQuery> EmitPlaced(const rewrite::QueryPlan& plan, Dialect dialect, std::string_view text);
// The same in two dialects: the fragments', and that of the rest, in which `plan` is as its passes leave it.
absl::StatusOr<split::SplitText> EmitSplitPlaced(const rewrite::QueryPlan& plan, const emit::SqlDialect& fragments,
                                                 Dialect dialect, std::string_view text);

// A copy that passes may work on.
rewrite::QueryPlan CopyPlan(const rewrite::QueryPlan& plan);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_QUERY_PLANNER_H_
