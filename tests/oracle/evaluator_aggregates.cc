// Evaluates GROUP BY and aggregate functions.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lib/base/strings.h"
#include "tests/oracle/evaluator_impl.h"

namespace logquery::oracle {
namespace {

// One row that an aggregate takes: its arguments and the keys of its own ORDER BY.
struct Item {
  std::vector<Value> arguments;
  std::vector<Value> keys;
};

Value Sum(const Type& type, const std::vector<Value>& values) {
  if (values.empty()) return Value::Null(type);
  if (type.is(TypeKind::kInt64)) {
    int64_t sum = 0;
    for (const Value& value : values) sum += value.int64_value();
    return Value::Int64(sum);
  }
  double sum = 0;
  for (const Value& value : values) sum += value.float64_value();
  return Value::Float64(sum);
}

Value Average(const std::vector<Value>& values) {
  if (values.empty()) return Value::Null(Type::Float64());
  const auto count = static_cast<double>(values.size());
  const Value sum = Sum(values[0].type(), values);
  if (sum.type().is(TypeKind::kInt64)) return Value::Float64(static_cast<double>(sum.int64_value()) / count);
  return Value::Float64(sum.float64_value() / count);
}

// NaN is the result of both where there is one.
Value Extreme(const Type& type, const std::vector<Value>& values, bool greatest) {
  if (values.empty()) return Value::Null(type);
  for (const Value& value : values) {
    if (std::isnan(value.type().is(TypeKind::kFloat64) ? value.float64_value() : 0)) return value;
  }
  const auto less = [](const Value& a, const Value& b) { return Order(a, b) < 0; };
  return greatest ? *std::max_element(values.begin(), values.end(), less)
                  : *std::min_element(values.begin(), values.end(), less);
}

Value Logical(const std::vector<Value>& values, bool decides) {
  if (values.empty()) return Value::Null(Type::Bool());
  const bool decided =
      std::any_of(values.begin(), values.end(), [&](const Value& v) { return v.bool_value() == decides; });
  return Value::Bool(decided ? decides : !decides);
}

Value Joined(const std::vector<Item>& items) {
  std::string text;
  bool any = false;
  for (const Item& item : items) {
    if (item.arguments[0].is_null()) continue;
    if (any) text += item.arguments.size() > 1 ? item.arguments[1].string_value() : ",";
    text += item.arguments[0].string_value();
    any = true;
  }
  return any ? Value::String(std::move(text)) : Value::Null(Type::String());
}

// Element i of n + 1 is the value at place ceil(i * count / n) of the sorted ones, counted from 1.
Value Quantiles(const Type& type, std::vector<Value> values, int64_t n) {
  if (values.empty()) return Value::Null(type);
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return Order(a, b) < 0; });
  const auto count = static_cast<int64_t>(values.size());
  std::vector<Value> elements;
  for (int64_t i = 0; i <= n; ++i) {
    elements.push_back(values[static_cast<size_t>(std::max<int64_t>(1, (i * count + n - 1) / n) - 1)]);
  }
  return Value::Array(type.element(), std::move(elements));
}

std::vector<Item> DistinctItems(const std::vector<Item>& items) {
  std::vector<Item> distinct;
  std::set<Row, RowLess> seen;
  for (const Item& item : items) {
    if (seen.insert({item.arguments[0]}).second) distinct.push_back(item);
  }
  return distinct;
}

}  // namespace

Value Evaluator::AggregateOf(const rewrite::AggregateCall& call, const Type& type, const Columns& columns,
                             const RowRefs& rows) {
  const std::string_view name = call.overload->row->name;
  if (call.having != nullptr || call.filter != nullptr) return Fail(absl::UnimplementedError("HAVING in an aggregate"));
  std::vector<Item> items;
  for (const Row* row : rows) {
    Bind(columns, *row);
    items.push_back({Scalars(call.arguments), Keys(call.order_by)});
  }
  if (name == "COUNT" && call.arguments.empty()) return Value::Int64(static_cast<int64_t>(items.size()));
  if (name == "ARRAY_AGG" && !call.ignore_nulls) {
    // All other aggregates leave NULLs out.
  } else {
    std::erase_if(items, [](const Item& item) { return item.arguments[0].is_null(); });
  }
  if (call.distinct) items = DistinctItems(items);
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item& a, const Item& b) { return OrderOf(call.order_by, a.keys, b.keys) < 0; });
  if (call.limit != nullptr) items.resize(std::min(items.size(), static_cast<size_t>(Count(*call.limit))));
  std::vector<Value> values;
  for (const Item& item : items) values.push_back(item.arguments[0]);
  if (name == "COUNT") return Value::Int64(static_cast<int64_t>(values.size()));
  if (name == "COUNTIF") {
    return Value::Int64(std::count_if(values.begin(), values.end(), [](const Value& v) { return v.bool_value(); }));
  }
  if (name == "SUM") return Sum(type, values);
  if (name == "AVG") return Average(values);
  if (name == "MIN" || name == "MAX") return Extreme(type, values, name == "MAX");
  if (name == "LOGICAL_AND" || name == "LOGICAL_OR") return Logical(values, name == "LOGICAL_OR");
  if (name == "STRING_AGG") return Joined(items);
  if (name == "ARRAY_AGG") {
    return values.empty() ? Value::Null(type) : Value::Array(type.element(), std::move(values));
  }
  if (name == "APPROX_QUANTILES") {
    return Quantiles(type, std::move(values), rewrite::As<rewrite::Constant>(*call.arguments[1]).value.int64_value());
  }
  return Fail(absl::UnimplementedError(base::StrCat("the evaluator has no aggregate ", name)));
}

Rows Evaluator::Aggregate(const rewrite::Aggregate& aggregate) {
  const Rows input = RowsOf(*aggregate.input);
  std::vector<Row> keys;  // of each input row
  for (const Row& row : input) {
    Bind(aggregate.input->columns, row);
    keys.emplace_back();
    for (const rewrite::Computed& key : aggregate.keys) keys.back().push_back(Scalar(*key.value));
  }
  std::vector<std::vector<int>> sets = aggregate.grouping_sets;
  if (sets.empty()) {
    sets.emplace_back();
    for (size_t i = 0; i < aggregate.keys.size(); ++i) sets[0].push_back(static_cast<int>(i));
  }
  Rows rows;
  for (const std::vector<int>& set : sets) {
    std::map<Row, RowRefs, RowLess> groups;
    Row none;
    for (const rewrite::Computed& key : aggregate.keys) none.push_back(Value::Null(key.column.type));
    if (set.empty()) groups[none];  // one group, even of no rows
    const auto is_kept = [&](size_t key) {
      return std::find(set.begin(), set.end(), static_cast<int>(key)) != set.end();
    };
    for (size_t i = 0; i < input.size(); ++i) {
      Row key = none;
      for (size_t k = 0; k < key.size(); ++k) {
        if (is_kept(k)) key[k] = keys[i][k];
      }
      groups[key].push_back(&input[i]);
    }
    for (const auto& [key, members] : groups) {
      Row row = key;
      for (const rewrite::Aggregate::Call& call : aggregate.calls) {
        row.push_back(AggregateOf(call.call, call.column.type, aggregate.input->columns, members));
      }
      for (const rewrite::Aggregate::Grouping& grouping : aggregate.groupings) {
        row.push_back(Value::Int64(is_kept(static_cast<size_t>(grouping.key)) ? 0 : 1));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace logquery::oracle
