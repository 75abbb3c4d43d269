// Resolves a query in ClickHouse's SQL into the plan that all languages share (lib/rewrite/plan.h).
//
//     auto plan = ResolveSandboxed(*caller, sql, {.query = &*definition, .text = text}, options);
//
// The meaning is ClickHouse's: aliases win over columns, absent keys are '', aggregates of nothing are 0 or ''. It is
// expressed by the plan's own nodes where they suffice, and otherwise by functions whose ids begin with `$ch.`. Nothing
// after the resolver knows which language a plan came from.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_RESOLVER_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_RESOLVER_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/clickhouse_sql/ast.h"
#include "lib/clickhouse_sql/resolve/type.h"
#include "lib/rewrite/plan.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/catalog.h"

namespace logquery::clickhouse_sql {

struct ResolveOptions {
  const Catalog* catalog = nullptr;  // borrowed; the plan keeps pointers into it
  std::vector<Field> parameters;     // that the definition may use
  // Is told the type of each expression, which may be more than once; nullptr: nobody is.
  std::function<void(const Expr& expr, const ChType& type)> on_type = nullptr;
};

struct Definition {
  const Query* query = nullptr;
  std::string_view text;
  std::vector<std::string> private_names;  // WITH entries that callers can't read
};

// Resolves the query of a definition, over the table `logs` of all logs of the catalog. InvalidArgument, with the place.
absl::StatusOr<rewrite::QueryPlan> Resolve(const Query& query, std::string_view text, const ResolveOptions& options);

// Resolves a caller's query, which reads nothing but the entries of the definition's WITH. `use`, if given, receives the
// names that it uses.
absl::StatusOr<rewrite::QueryPlan> ResolveSandboxed(const Query& query, std::string_view text,
                                                    const Definition& definition, const ResolveOptions& options,
                                                    rewrite::SandboxUse* use = nullptr);

// The spelling of a function's name that the resolver's list has: `LOWER` is lower. A name that it lacks is returned as it is.
std::string_view SpellingOf(std::string_view function);

// The names of the WITH entries that callers may read.
std::vector<std::string> EntriesOf(const Query& definition);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_RESOLVER_H_
