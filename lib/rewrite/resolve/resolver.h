// From syntax tree to plan: every name to its column, every expression to its type, every function to its signature.
//
//     absl::StatusOr<QueryPlan> plan = Resolve(*query, text, {.catalog = &catalog, .parameters = {{"project", Type::String()}}});
//
// Follows GoogleSQL: scoping, aliases in GROUP BY, HAVING and ORDER BY, coercions, output names. What does not resolve is
// an InvalidArgument with its place and the nearest names; nothing goes through unread.
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

// A query that others may read by its name, as they read a table. It is resolved at each place that reads it, where it sees nothing
// but its own names and parameters.
struct View;
// nullptr: there is no view of that name. An error is the query's that reads it.
using FindView = std::function<absl::StatusOr<const View*>(std::string_view name)>;
struct View {
  const sql::Query* query = nullptr;
  std::string_view text;                 // that `query` was parsed from
  std::vector<Field> parameters;         // that it uses; whoever reads it has to have them too
  std::optional<std::string> redaction;  // its rows are read redacted by these kinds (lib/base/redaction_kinds.h)
  FindView reads = nullptr;              // the views that it reads itself; nullptr: none
};

// How many views a query may read, counting those that they read.
inline constexpr int kMaxViewsRead = 100;

struct ResolveOptions {
  const Catalog* catalog = nullptr;  // borrowed; the plan keeps pointers into it
  std::vector<Field> parameters;     // the parameters that the query may use
  std::string time_zone = "UTC";     // where the query names none
  bool check_output = true;          // two columns of one name are an error
  FindView find_view = nullptr;      // of names that are no table's; nullptr: there are none
};

// The name of the parameter that holds the call's now, for CURRENT_TIMESTAMP() and its like: no query can write it.
inline constexpr char kNowParameter[] = "@now";

// `text` is what `query` was parsed from.
absl::StatusOr<QueryPlan> Resolve(const sql::Query& query, std::string_view text, const ResolveOptions& options);

// A caller's query over the CTEs of an endpoint's: the plan is the endpoint's WITH around the caller's query.
struct Sandbox {
  const sql::Query* endpoint = nullptr;  // its definition's query
  std::string_view endpoint_text;
  std::vector<std::string> private_ctes;  // not to be read by the caller
};

// What a caller's text names, each in the order in which it first does: WITH entries of the endpoint, functions, parameters.
struct SandboxUse {
  std::vector<std::string> tables;
  std::vector<std::string> functions;
  std::vector<std::string> parameters;
};

// The caller's query reads only the sandbox's CTEs (no table), takes none of their names for its own, and calls only
// functions that a sandbox allows. InvalidArgument otherwise, as for Resolve. `use`, where given, learns what it names.
absl::StatusOr<QueryPlan> ResolveSandboxed(const sql::Query& query, std::string_view text, const Sandbox& sandbox,
                                           const ResolveOptions& options, SandboxUse* use = nullptr);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_RESOLVER_H_
