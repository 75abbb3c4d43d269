// Computes percentiles that DuckDB's quantile functions can't, or only in FLOAT64, from numbered rows:
//
//     PERCENTILE_CONT(x, f) OVER (PARTITION BY p)
//     $percentile(below, above, n, f)   with   below := MAX(IF(row = $percentile_row(n, f, 0), x, NULL)) OVER (PARTITION BY p)
//                                              row := ROW_NUMBER() OVER (PARTITION BY p ORDER BY x)
//                                              n := COUNT(x) OVER (PARTITION BY p)
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::AggregateCall;
using rewrite::Clone;
using rewrite::Constant;
using rewrite::If;
using rewrite::MakeColumnRef;
using rewrite::MakeInt64;
using rewrite::MakeTypedCall;
using rewrite::OverloadWith;
using rewrite::PlanColumn;
using rewrite::PlanPtr;
using rewrite::Project;
using rewrite::QueryPlan;
using rewrite::ScalarPtr;
using rewrite::Window;

// The values of $percentile_row's last argument.
constexpr int64_t kBelow = 0, kAbove = 1, kDiscrete = 2;
// The digits of a fraction that DuckDB multiplies exactly (quantiles.cc).
constexpr size_t kShortFraction = 20;  // with "0."

std::string_view NameOf(const AggregateCall& call) { return call.overload->row->name; }

bool IsPercentile(const AggregateCall& call) {
  return NameOf(call) == "PERCENTILE_CONT" || NameOf(call) == "PERCENTILE_DISC";
}

bool NeedsRows(const AggregateCall& call) {
  if (!IsPercentile(call) || call.distinct) return false;
  if (call.respect_nulls) return true;
  if (NameOf(call) == "PERCENTILE_CONT" && !call.arguments[0]->type.is(TypeKind::kFloat64)) return true;
  const Value* const fraction = rewrite::ConstantArgument(call, 1);
  const bool is_float = fraction == nullptr || fraction->type().is(TypeKind::kFloat64);
  return !is_float && fraction->string_value().size() > kShortFraction;
}

// The columns that one percentile is computed from.
struct Parts {
  PlanColumn value;
  std::vector<PlanColumn> keys;
  ScalarPtr fraction;
  PlanColumn row;
  PlanColumn rows;
};

class Percentiles {
 public:
  explicit Percentiles(QueryPlan& query) : query_(query) {}

  absl::Status Apply() {
    const absl::Status status = rewrite::RewritePlans(query_.root, [&](PlanPtr& plan) {
      if (If<Window>(plan.get()) != nullptr) Replace(plan);
      return absl::OkStatus();
    });
    if (has_changed_) rewrite::RefreshColumns(*query_.root);
    return status;
  }

 private:
  void Replace(PlanPtr& plan) {
    auto& window = rewrite::As<Window>(*plan);
    auto values = std::make_unique<Project>(nullptr);
    auto numbered = std::make_unique<Window>(nullptr);
    auto result = std::make_unique<Project>(nullptr);
    std::vector<Window::Call> calls;
    for (Window::Call& call : window.calls) {
      if (!NeedsRows(call.call)) {
        calls.push_back(std::move(call));
        continue;
      }
      const Parts parts = Number(call, *values, *numbered);
      result->computed.push_back({call.column, ValueOf(call, parts, calls)});
    }
    if (result->computed.empty()) {
      window.calls = std::move(calls);
      return;
    }
    has_changed_ = true;
    result->columns = window.columns;
    values->columns.insert(values->columns.begin(), window.input->columns.begin(), window.input->columns.end());
    values->input = std::move(window.input);
    numbered->input = std::move(values);
    window.input = std::move(numbered);
    window.calls = std::move(calls);
    result->input = std::move(plan);
    plan = std::move(result);
  }

  PlanColumn Compute(std::string name, ScalarPtr scalar, Project& project) {
    const PlanColumn column = query_.NewColumn(std::move(name), scalar->type);
    project.columns.push_back(column);
    project.computed.push_back({column, std::move(scalar)});
    return column;
  }

  Parts Number(Window::Call& call, Project& values, Window& numbered) {
    Parts parts;
    parts.value = Compute("value", std::move(call.call.arguments[0]), values);
    for (ScalarPtr& key : call.partition_by) parts.keys.push_back(Compute("key", std::move(key), values));
    parts.fraction = std::make_unique<rewrite::Cast>(std::move(call.call.arguments[1]), Type::BigNumeric());
    Window::Call row = Over(parts, "ROW_NUMBER", Type::Int64(), nullptr);
    rewrite::OrderKey by{MakeColumnRef(parts.value)};
    by.nulls_first = call.call.respect_nulls;
    row.order_by.push_back(std::move(by));
    parts.row = row.column;
    Window::Call rows =
        Over(parts, "COUNT", Type::Int64(), call.call.respect_nulls ? ScalarPtr() : MakeColumnRef(parts.value));
    parts.rows = rows.column;
    numbered.calls.push_back(std::move(row));
    numbered.calls.push_back(std::move(rows));
    return parts;
  }

  Window::Call Over(const Parts& parts, std::string_view function, const Type& type, ScalarPtr argument) {
    Window::Call call;
    call.column = query_.NewColumn(base::ToLower(function), type);
    call.call.overload = OverloadWith(function, argument == nullptr ? 0 : 1);
    if (argument != nullptr) call.call.arguments.push_back(std::move(argument));
    for (const PlanColumn& key : parts.keys) call.partition_by.push_back(MakeColumnRef(key));
    return call;
  }

  // The value in the row at that place.
  ScalarPtr ValueAt(const Parts& parts, int64_t place, std::vector<Window::Call>& calls) {
    auto picked = std::make_unique<rewrite::Case>(parts.value.type);
    ScalarPtr row = MakeTypedCall("$percentile_row", Type::Int64(), MakeColumnRef(parts.rows), Clone(*parts.fraction),
                                  MakeInt64(place));
    picked->whens.push_back(
        {MakeTypedCall("$equal", Type::Bool(), MakeColumnRef(parts.row), std::move(row)), MakeColumnRef(parts.value)});
    picked->otherwise = std::make_unique<Constant>(Value::Null(parts.value.type));
    calls.push_back(Over(parts, "MAX", parts.value.type, std::move(picked)));
    return MakeColumnRef(calls.back().column);
  }

  ScalarPtr ValueOf(const Window::Call& call, const Parts& parts, std::vector<Window::Call>& calls) {
    if (NameOf(call.call) == "PERCENTILE_DISC") return ValueAt(parts, kDiscrete, calls);
    ScalarPtr below = ValueAt(parts, kBelow, calls), above = ValueAt(parts, kAbove, calls);
    return MakeTypedCall("$percentile", parts.value.type, std::move(below), std::move(above), MakeColumnRef(parts.rows),
                         Clone(*parts.fraction));
  }

  QueryPlan& query_;
  bool has_changed_ = false;
};

}  // namespace

absl::Status NumberPercentiles(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  return Percentiles(query).Apply();
}

}  // namespace logquery::emit
