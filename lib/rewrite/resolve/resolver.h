// Resolves a syntax tree to a plan: names to columns, expressions to types, functions to signatures.
//
//     auto plan = Resolve(*query, text, {.catalog = &catalog, .parameters = {{"project", Type::String()}}});
//
// Follows GoogleSQL: scoping, aliases in GROUP BY, HAVING and ORDER BY, coercions, output names. Whatever does not
// resolve is InvalidArgument with its place and the nearest names; no part of the query is ignored.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVER_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVER_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/plan.h"
#include "lib/sql/ast.h"
#include "logquery/catalog.h"

namespace logquery::rewrite {

// A query that other queries can read by name, like a table. It is resolved anew wherever it is read, and sees only its
// own names and parameters.
struct View;
class ResolveObserver;  // resolve_observer.h
// Returns nullptr if there is no view of this name. An error is returned as the error of the query that reads the view.
using FindView = std::function<absl::StatusOr<const View*>(std::string_view name)>;
struct View {
  const sql::Query* query = nullptr;
  std::string_view text;                 // the text of `query`
  std::vector<Field> parameters;         // that it uses; a query that reads the view must have them too
  std::optional<std::string> redaction;  // redacts the view's rows by these kinds (lib/base/redaction_kinds.h)
  FindView reads = nullptr;              // finds the views that it reads itself; nullptr: none
};

// The most views that a query may read, directly and through other views.
inline constexpr int kMaxViewsRead = 100;

struct ResolveOptions {
  const Catalog* catalog = nullptr;     // borrowed; the plan keeps pointers into it
  std::vector<Field> parameters;        // the parameters that the query may use
  std::string time_zone = "UTC";        // the default of queries that name none
  bool check_output = true;             // rejects duplicate output column names
  FindView find_view = nullptr;         // finds views for names that are not tables; nullptr: there are no views
  ResolveObserver* observer = nullptr;  // borrowed; nullptr: nothing is reported
};

// The parameter that holds the call's now, for CURRENT_TIMESTAMP() and similar functions. Queries can't use it.
inline constexpr char kNowParameter[] = "@now";

// `text` is the source of `query`.
absl::StatusOr<QueryPlan> Resolve(const sql::Query& query, std::string_view text, const ResolveOptions& options);

// For a caller's query over an endpoint's CTEs. The plan is the endpoint's WITH around the caller's query.
struct Sandbox {
  const sql::Query* endpoint = nullptr;  // the query of its definition
  std::string_view endpoint_text;
  std::vector<std::string> private_ctes;  // the caller can't read these
};

// The names that a caller's text uses, in the order of first appearance: WITH entries of the endpoint, functions,
// parameters.
struct SandboxUse {
  std::vector<std::string> tables;
  std::vector<std::string> functions;
  std::vector<std::string> parameters;
};

// The caller's query may read only the sandbox's CTEs (no tables), may not redefine their names, and may call only
// functions that a sandbox allows. Otherwise returns InvalidArgument, as Resolve does. `use`, if given, receives the
// names that it uses.
absl::StatusOr<QueryPlan> ResolveSandboxed(const sql::Query& query, std::string_view text, const Sandbox& sandbox,
                                           const ResolveOptions& options, SandboxUse* use = nullptr);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVER_H_
