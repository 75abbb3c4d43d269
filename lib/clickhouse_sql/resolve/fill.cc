// ORDER BY … WITH FILL: rows for the values of a key that no row has.
//
// The rows become a WITH entry. The values from FROM to TO are generated, those that the entry has are left out, and the
// rest, with defaults in all other columns, is united with the entry. So a row off the steps stays where it is, and the
// steps are counted from FROM or from the first row.
#include <optional>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/aggregate_maker.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

namespace {

constexpr int64_t kSecondMicros = 1'000'000;

// The key counts as INT64: itself, days, or microseconds.
ScalarPtr ToCount(ScalarPtr value, const ChType& type) {
  if (type.Is(ChKind::kInt)) return value;
  if (type.Is(ChKind::kDate)) return Call("UNIX_DATE", Type::Int64(), std::move(value));
  return Call("UNIX_MICROS", Type::Int64(), std::move(value));
}

ScalarPtr FromCount(ScalarPtr count, const ChType& type) {
  if (type.Is(ChKind::kInt)) return count;
  if (type.Is(ChKind::kDate)) return Call("DATE_FROM_UNIX_DATE", Type::Date(), std::move(count));
  return Call("TIMESTAMP_MICROS", Type::Timestamp(), std::move(count));
}

// An interval as a count of the key; nullopt: it has no fixed length, or is finer than the key.
std::optional<int64_t> CountOf(int64_t number, std::string_view unit, const ChType& type) {
  const std::pair<std::string_view, int64_t> seconds[] = {
      {"Second", 1}, {"Minute", 60}, {"Hour", 3600}, {"Day", 86'400}, {"Week", 604'800}};
  int64_t micros = 0;
  for (const auto& [name, size] : seconds) {
    if (name == unit) micros = size * kSecondMicros;
  }
  if (type.Is(ChKind::kDateTime64) && unit == "Millisecond") micros = 1'000;
  if (type.Is(ChKind::kDateTime64) && unit == "Microsecond") micros = 1;
  const int64_t size = type.Is(ChKind::kDate) ? micros / (86'400 * kSecondMicros) : micros;
  int64_t count = 0;
  if (size == 0 || __builtin_mul_overflow(number, size, &count)) return std::nullopt;
  return count;
}

}  // namespace

absl::StatusOr<int64_t> Resolver::FillStep(const OrderItem& item, const ChType& type, SelectScope& scope) {
  const int64_t unit = type.Is(ChKind::kInt) || type.Is(ChKind::kDate) ? 1 : kSecondMicros;
  if (item.fill_step == nullptr) return item.descending ? -unit : unit;
  const Span span = item.fill_step->span;
  LOGQUERY_ASSIGN_OR_RETURN(const Ex step, ResolveExpr(*item.fill_step, scope));
  const Value* number = ConstantOf(step);
  const bool is_interval = step.type.Is(ChKind::kInterval);
  if (number == nullptr || (!is_interval && !step.type.Is(ChKind::kInt)))
    return Error(span, "the STEP of WITH FILL must be a whole number or an interval");
  std::optional<int64_t> count;
  if (!is_interval) {
    int64_t product = 0;
    if (!__builtin_mul_overflow(number->int64_value(), unit, &product)) count = product;
  } else if (!type.Is(ChKind::kInt)) {
    count = CountOf(number->int64_value(), step.type.zone, type);
  }
  if (!count) return Error(span, StrCat("this STEP of WITH FILL is not supported for ", type.ToString()));
  if (*count == 0 || (*count < 0) != item.descending)
    return Error(span, StrCat("the STEP of WITH FILL must be ", item.descending ? "negative" : "positive", " here"));
  return *count;
}

// FROM or TO as a count; nullptr: it is not written.
absl::StatusOr<ScalarPtr> Resolver::FillBound(const Expr* bound, const ChType& type, SelectScope& scope) {
  if (bound == nullptr) return ScalarPtr();
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*bound, scope));
  if (value.type.nullable || value.type.IsTime() != type.IsTime() || LiteralText(value))
    return Error(bound->span, StrCat("the bound of WITH FILL has the type ", value.type.ToString(), ", and the key ",
                                     type.ToString()));
  bool constant = IsFixed(value);
  rewrite::VisitScalars(*value.scalar, [&](const rewrite::Scalar& part) {
    constant = constant && part.kind != rewrite::ScalarKind::kSubquery;
  });
  if (!constant) return Error(bound->span, "the bound of WITH FILL must be a constant");
  LOGQUERY_ASSIGN_OR_RETURN(Ex converted, Convert(std::move(value), type, bound->span));
  return ToCount(std::move(converted.scalar), type);
}

// The least or greatest key of the entry as a count.
ScalarPtr Resolver::EntryExtreme(int id, const std::vector<RelColumn>& columns, size_t key, bool greatest) {
  Relation rows = ScanEntry(id, columns);
  const PlanColumn column = rows.columns[key].column;
  auto aggregate = std::make_unique<rewrite::Aggregate>(std::move(rows.plan));
  rewrite::AggregateCall call;
  call.arguments.push_back(std::make_unique<ColumnRef>(column));
  call.overload = AggregateOverload(greatest ? "MAX" : "MIN", call.arguments);
  const PlanColumn result = NewColumn("bound", column.type);
  aggregate->calls.push_back({result, std::move(call)});
  aggregate->columns.push_back(result);
  ScalarPtr value = std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, column.type,
                                                              std::move(aggregate));
  return ToCount(std::move(value), columns[key].type);
}

absl::StatusOr<PlanPtr> Resolver::FillRows(const OrderItem& item, PlanPtr plan, std::vector<RelColumn>& columns,
                                           SortKey& sorted, SelectScope& scope) {
  const auto* read = rewrite::If<ColumnRef>(sorted.value.scalar.get());
  size_t key = 0;
  while (key < columns.size() && (read == nullptr || columns[key].column.id != read->id)) ++key;
  if (key == columns.size()) return Error(sorted.span, "ORDER BY … WITH FILL wants a column of SELECT");
  const ChType type = columns[key].type;
  if (type.nullable || !(type.Is(ChKind::kInt) || type.IsTime()))
    return Error(sorted.span,
                 StrCat("WITH FILL of ", type.ToString(), " is not supported; only integers and times are"));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t step, FillStep(item, type, scope));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr from, FillBound(item.fill_from.get(), type, scope));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr to, FillBound(item.fill_to.get(), type, scope));

  rewrite::WithEntry entry;
  entry.id = query_->next_cte++;
  entry.name = "filled";
  entry.plan = std::move(plan);
  const int id = entry.id;
  entries_.push_back(std::move(entry));
  if (from == nullptr) from = EntryExtreme(id, columns, key, item.descending);
  // TO itself is not one of the values.
  ScalarPtr last = to == nullptr ? EntryExtreme(id, columns, key, !item.descending)
                                 : Call("$add", Type::Int64(), std::move(to), Number(item.descending ? 1 : -1));
  const PlanColumn count = NewColumn("count", Type::Int64());
  ScalarPtr counts = Call("GENERATE_ARRAY", Type::Array(Type::Int64()), std::move(from), std::move(last), Number(step));
  PlanPtr missing = ElementRows(std::move(counts), count);

  Relation present = ScanEntry(id, columns);
  auto keys = std::make_unique<rewrite::Project>(std::move(present.plan));
  keys->columns.push_back(present.columns[key].column);
  auto in =
      std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kIn, Type::Bool(), std::move(keys));
  in->value = FromCount(std::make_unique<ColumnRef>(count), type);
  missing = std::make_unique<rewrite::Filter>(std::move(missing), Not(IfNull(std::move(in), True(false))));

  auto defaults = std::make_unique<rewrite::Project>(std::move(missing));
  auto all = std::make_unique<rewrite::SetOperationPlan>(sql::SetOperator::Kind::kUnion, false);
  Relation rows = ScanEntry(id, columns);
  for (size_t i = 0; i < columns.size(); ++i) {
    RelColumn& column = columns[i];
    ScalarPtr value;
    if (i == key) {
      value = FromCount(std::make_unique<ColumnRef>(count), type);
    } else if (column.role == RelColumn::Role::kMap) {
      value = Call("PARSE_JSON", Type::Json(), Text("exact"), Text("{}"));
    } else {
      value = column.role == RelColumn::Role::kAttribute ? NullOf(column.column.type) : DefaultOf(column.type);
    }
    defaults->computed.push_back({NewColumn(column.column.name, column.column.type), std::move(value)});
    defaults->columns.push_back(defaults->computed.back().column);
    column.column = NewColumn(column.column.name, column.column.type);
    all->columns.push_back(column.column);
  }
  all->inputs.push_back(std::move(rows.plan));
  all->inputs.push_back(std::move(defaults));
  sorted.value.scalar = std::make_unique<ColumnRef>(columns[key].column);
  return PlanPtr(std::move(all));
}

}  // namespace logquery::clickhouse_sql
