// Turns SQL into prepared queries. Resolves each text once, and plans it once for each way in which parameters change
// the plan.
//
//     LOGQUERY_ASSIGN_OR_RETURN(auto resolved, ResolveEndpoint(definition, catalog));
//     LOGQUERY_ASSIGN_OR_RETURN(PlannedCall call, planner.Plan(*resolved, values));
//     backend.Execute(*call.query, call.bindings, …);
//
// The variants of a text are keyed by the results of its steering predicates (conditions on parameters only), not by
// values. If there are more than kMaxVariants, the query runs without folding these predicates. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_QUERY_PLANNER_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_QUERY_PLANNER_H_

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
#include "lib/clickhouse_sql/ast.h"
#include "lib/emit/emitter.h"
#include "lib/endpoint/call/row_finish.h"
#include "lib/endpoint/kept/kept_plan.h"
#include "lib/model/scope_slot.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/split_text.h"
#include "lib/sql/ast.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/prepared_query.h"
#include "logquery/redactor.h"

namespace logquery::endpoint {

class GroupPlan;

inline constexpr size_t kMaxVariants = 64;

// The name of the bound parameter that holds a token's project scope.
inline constexpr auto& kScopeParameter = model::kProjectScopeSlot;

// One plan, and the values that must be computed for each call.
struct PlanVariant {
  std::string name;  // the results of its steering predicates; contains no parameter values
  std::shared_ptr<const PreparedQuery> query;
  std::vector<rewrite::DerivedParameter> derived;
  std::optional<rewrite::NewestRows::Page> page;
  std::shared_ptr<const KeptPlan> kept;     // nullptr: parts of the query run in a remote engine
  std::shared_ptr<const GroupPlan> groups;  // nullptr: it has no groups that are kept
  std::shared_ptr<const RowFinish> finish;  // nullptr: the engine's rows are those of the result
};

// A resolved query and its planned variants so far. Borrows the catalog.
struct ResolvedQuery {
  std::string endpoint_id;
  int64_t max_rows = 0;
  std::string text;       // the source text of places in `plan`; the endpoint's part of a caller's plan has no places
  std::string redaction;  // the definition's kinds, in the form of lib/base/redaction_kinds.h
  rewrite::QueryPlan plan;
  std::optional<std::vector<const rewrite::Scalar*>>
      steering;  // predicates in `plan`; nullopt: it is planned without values

  absl::Mutex mutex;
  absl::flat_hash_map<std::string, std::shared_ptr<const PlanVariant>> variants ABSL_GUARDED_BY(mutex);
};

struct PlannedCall {
  std::shared_ptr<const PreparedQuery> query;
  std::string variant;  // PlanVariant::name
  Bindings bindings;
  std::optional<rewrite::NewestRows::Page> page;  // set if its rows have the columns that a cursor needs
  std::shared_ptr<const KeptPlan> kept;           // PlanVariant::kept
  std::shared_ptr<const GroupPlan> groups;        // PlanVariant::groups
  std::shared_ptr<const RowFinish> finish;        // PlanVariant::finish

  // The result's columns; those of `query` are the engine's.
  const Schema& schema() const { return finish != nullptr ? finish->schema() : query->schema(); }
};

// Parses the definition's query, which must be in the BigQuery dialect. InvalidArgument, with the place and the
// endpoint's name.
absl::StatusOr<sql::QueryPtr> ParseDefinition(const Endpoint& definition);

// A definition's parsed query, in the definition's language: exactly one is set.
struct ParsedDefinition {
  sql::QueryPtr bigquery;
  clickhouse_sql::QueryPtr clickhouse;

  // The names of the WITH entries.
  std::vector<std::string> Entries() const;
};

// Parses the definition's query in its language. InvalidArgument, with the place and the endpoint's name.
absl::StatusOr<ParsedDefinition> ParseInItsLanguage(const Endpoint& definition);

// Resolves the definition's own query against the catalog and the endpoints that it may read.
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveEndpoint(const Endpoint& definition, const sql::Query& query,
                                                               const Catalog& catalog,
                                                               rewrite::FindView reads = nullptr);

// Resolves a caller's query over the definition's WITH entries; only these entries may read other endpoints. If `use`
// is given, it receives the names that the query uses.
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveCallerSql(std::string_view sql, const Endpoint& definition,
                                                                const sql::Query& query, const Catalog& catalog,
                                                                rewrite::SandboxUse* use = nullptr,
                                                                rewrite::FindView reads = nullptr);

// The same in the definition's language.
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveEndpoint(const Endpoint& definition,
                                                               const ParsedDefinition& query, const Catalog& catalog,
                                                               rewrite::FindView reads = nullptr);
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveCallerSql(std::string_view sql, const Endpoint& definition,
                                                                const ParsedDefinition& query, const Catalog& catalog,
                                                                rewrite::SandboxUse* use = nullptr,
                                                                rewrite::FindView reads = nullptr);

class QueryPlanner {
 public:
  // `googlesql`: whether queries also get their GoogleSQL text (Capabilities::reads_googlesql). `fragments`: the
  // dialect of parts that run remotely (Capabilities::fragments); nullptr: none do. `redacts`: whether the backend can
  // redact while a query runs (Capabilities::redacts). `finishes_rows`: whether the caller applies PlannedCall::finish.
  QueryPlanner(Dialect dialect, rewrite::BucketGenerator buckets, bool googlesql = true,
               const FragmentDialect* fragments = nullptr, bool redacts = true, bool finishes_rows = false)
      : dialect_(dialect),
        buckets_(std::move(buckets)),
        googlesql_(googlesql),
        fragments_(emit::SqlOf(fragments)),
        redacts_(redacts),
        finishes_rows_(finishes_rows) {}

  // `values` must have every parameter of the definition and kNowParameter; also kScopeParameter if the token is
  // scoped, and rewrite::kCursorTimeParameter and kCursorIdParameter if the call continues after a page. With
  // `redactor`, that of the query's kinds, the query reads only redacted text. InvalidArgument: the query can't use a
  // value. Unimplemented: the dialect can't express the query exactly. PermissionDenied: the query reads text that the
  // backend can't redact.
  // With a value of rewrite::kAbovePlace, the query reads only rows behind that place; the same query without it must
  // have KeptPlan::merges.
  // With `bare_scans`, a remote engine only scans its tables, because it failed to compute more of this query.
  // With `whole`, the engine's rows are those of the result.
  absl::StatusOr<PlannedCall> Plan(ResolvedQuery& resolved, rewrite::ParameterValues values,
                                   const Redactor* redactor = nullptr, bool bare_scans = false,
                                   bool whole = false) const;

  // Returns the query for the greatest place of the table's rows behind rewrite::kAbovePlace, its only slot.
  absl::StatusOr<std::shared_ptr<const PreparedQuery>> PlanLastPlace(const Table& table) const;

  // Returns the query after each pass of Plan: the pass's name, and GoogleSQL. Statuses: those of Plan.
  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> PassTexts(const ResolvedQuery& resolved,
                                                                             const rewrite::ParameterValues& values,
                                                                             const Redactor* redactor) const;

 private:
  // Conditions and limits added to a query beyond its text.
  struct Additions {
    bool scope = false;
    bool after_cursor = false;
    bool redaction = false;
    bool plain = false;      // PassContext::plain_parameters
    bool underived = false;  // the engine computes values derived from parameters
    bool bare_scans = false;
    bool new_rows = false;  // only those behind rewrite::kAbovePlace
    bool whole = false;     // the engine computes all of the result
  };
  rewrite::PassContext ContextOf(const ResolvedQuery& resolved, const rewrite::ParameterValues* values,
                                 Additions additions) const;
  static Additions AdditionsOf(const rewrite::ParameterValues& values, const Redactor* redactor);
  const std::vector<rewrite::Pass>& Passes() const;
  // Returns the results of the steering predicates, a character each; nullopt: they are not evaluated before the query runs.
  absl::StatusOr<std::optional<std::string>> SteeringOutcomes(const ResolvedQuery& resolved,
                                                              const rewrite::ParameterValues& values) const;
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
  bool redacts_;
  bool finishes_rows_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_QUERY_PLANNER_H_
