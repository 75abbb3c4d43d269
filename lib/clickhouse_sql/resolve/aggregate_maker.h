// One aggregate of a query: the plan's calls that compute it.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_AGGREGATE_MAKER_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_AGGREGATE_MAKER_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/clickhouse_sql/resolve/aggregate_name.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"

namespace logquery::clickhouse_sql {

// The overload of the plan's aggregate for the arguments.
const rewrite::Overload* AggregateOverload(std::string_view name, const std::vector<ScalarPtr>& arguments);

// Adds a call of the plan, of that type, and returns its column.
using AddAggregate = std::function<ScalarPtr(rewrite::AggregateCall, const Type&)>;

struct AggregateParts {
  std::vector<Ex> args;
  std::vector<Ex> params;
  ScalarPtr filter;  // of -If; nullptr: none
};

// Makes the aggregate of calls that `add` adds. The value has the type's default where there are no rows.
absl::StatusOr<Ex> MakeAggregate(Resolver& resolver, const Expr& call, AggregateName name, AggregateParts parts,
                                 const AddAggregate& add);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_AGGREGATE_MAKER_H_
