// Evaluates the nodes of a plan.
#include "tests/oracle/evaluator.h"

#include <algorithm>
#include <map>

#include "lib/base/strings.h"
#include "tests/oracle/evaluator_impl.h"

namespace logquery::oracle {

using rewrite::As;
using rewrite::PlanKind;

absl::StatusOr<Rows> Evaluate(const rewrite::QueryPlan& plan, const Tables& tables,
                              const rewrite::ParameterValues& parameters) {
  return Evaluator(plan, tables, parameters).Run();
}

absl::StatusOr<Rows> Evaluator::Run() {
  Rows rows = RowsOf(*query_.root);
  if (!status_.ok()) return status_;
  return rows;
}

Value Evaluator::Fail(absl::Status status) {
  status_.Update(std::move(status));
  return Value();
}

void Evaluator::Bind(const Columns& columns, const Row& row) {
  for (size_t i = 0; i < columns.size(); ++i) at_[static_cast<size_t>(columns[i].id)] = &row[i];
}

Rows Evaluator::RowsOf(const rewrite::Plan& plan) {
  switch (plan.kind) {
    case PlanKind::kSingleRow:
      return {{}};
    case PlanKind::kTableScan:
      return Scan(As<rewrite::TableScan>(plan));
    case PlanKind::kCteScan: {
      const auto& scan = As<rewrite::CteScan>(plan);
      Rows rows;
      for (const Row& row : entries_[scan.cte]) {
        rows.emplace_back();
        for (const int ordinal : scan.ordinals) rows.back().push_back(row[static_cast<size_t>(ordinal)]);
      }
      return rows;
    }
    case PlanKind::kWith: {
      const auto& with = As<rewrite::With>(plan);
      for (const rewrite::WithEntry& entry : with.entries) {
        if (entry.recursive) Fail(absl::UnimplementedError("WITH RECURSIVE"));
        entries_[entry.id] = RowsOf(*entry.plan);
        if (depth_ == 0) fixed_entries_.insert(entry.id);
      }
      return RowsOf(*with.body);
    }
    case PlanKind::kProject:
      return Project(As<rewrite::Project>(plan));
    case PlanKind::kFilter:
      return Filter(As<rewrite::Filter>(plan));
    case PlanKind::kJoin:
      return Join(As<rewrite::Join>(plan));
    case PlanKind::kUnnest:
      return Unnest(As<rewrite::Unnest>(plan));
    case PlanKind::kAggregate:
      return Aggregate(As<rewrite::Aggregate>(plan));
    case PlanKind::kWindow:
      return Window(As<rewrite::Window>(plan));
    case PlanKind::kSetOperation:
      return SetOperation(As<rewrite::SetOperationPlan>(plan));
    case PlanKind::kSort:
      return Sort(As<rewrite::Sort>(plan));
    case PlanKind::kLimit:
      return Limit(As<rewrite::Limit>(plan));
  }
  return {};
}

Rows Evaluator::Scan(const rewrite::TableScan& scan) {
  const auto table = tables_.find(scan.table->name);
  if (table == tables_.end()) {
    Fail(absl::NotFoundError(base::StrCat("no rows of ", scan.table->name)));
    return {};
  }
  // A scan may have columns that the query does not read; the table has the others.
  const std::vector<std::string>& stored = table->second->columns;
  std::vector<size_t> places;
  for (const std::string& name : scan.storage) {
    places.push_back(static_cast<size_t>(std::find(stored.begin(), stored.end(), name) - stored.begin()));
  }
  Rows rows;
  for (const Row& row : table->second->rows) {
    rows.emplace_back();
    for (size_t i = 0; i < places.size(); ++i) {
      rows.back().push_back(places[i] < row.size() ? row[places[i]] : Value::Null(scan.columns[i].type));
    }
  }
  return rows;
}

Rows Evaluator::Project(const rewrite::Project& project) {
  const Rows input = RowsOf(*project.input);
  Rows rows;
  rows.reserve(input.size());
  for (const Row& row : input) {
    Bind(project.input->columns, row);
    Row computed;
    for (const rewrite::Computed& each : project.computed) computed.push_back(Scalar(*each.value));
    for (size_t i = 0; i < computed.size(); ++i) at_[static_cast<size_t>(project.computed[i].column.id)] = &computed[i];
    rows.emplace_back();
    for (const rewrite::PlanColumn& column : project.columns) {
      rows.back().push_back(*at_[static_cast<size_t>(column.id)]);
    }
  }
  return rows;
}

Rows Evaluator::Filter(const rewrite::Filter& filter) {
  Rows rows;
  for (Row& row : RowsOf(*filter.input)) {
    Bind(filter.columns, row);
    if (IsTrue(*filter.condition)) rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

Row Together(const Row& a, const Row& b) {
  Row row = a;
  row.insert(row.end(), b.begin(), b.end());
  return row;
}

Row Nulls(const std::vector<rewrite::PlanColumn>& columns) {
  Row row;
  for (const rewrite::PlanColumn& column : columns) row.push_back(Value::Null(column.type));
  return row;
}

}  // namespace

Rows Evaluator::Join(const rewrite::Join& join) {
  using Type = rewrite::Join::Type;
  const Rows left = RowsOf(*join.left), right = RowsOf(*join.right);
  const bool keeps_left = join.type == Type::kLeft || join.type == Type::kFull;
  const bool keeps_right = join.type == Type::kRight || join.type == Type::kFull;
  std::vector<bool> right_matched(right.size(), false);
  Rows rows;
  for (const Row& a : left) {
    bool matched = false;
    for (size_t i = 0; i < right.size(); ++i) {
      Bind(join.left->columns, a);
      Bind(join.right->columns, right[i]);
      if (join.condition != nullptr && !IsTrue(*join.condition)) continue;
      matched = right_matched[i] = true;
      rows.push_back(Together(a, right[i]));
    }
    if (!matched && keeps_left) rows.push_back(Together(a, Nulls(join.right->columns)));
  }
  for (size_t i = 0; keeps_right && i < right.size(); ++i) {
    if (!right_matched[i]) rows.push_back(Together(Nulls(join.left->columns), right[i]));
  }
  return rows;
}

Rows Evaluator::Unnest(const rewrite::Unnest& unnest) {
  const Rows input = RowsOf(*unnest.input);
  const Columns own(unnest.columns.begin() + static_cast<std::ptrdiff_t>(unnest.input->columns.size()),
                    unnest.columns.end());
  Rows rows;
  for (const Row& row : input) {
    Bind(unnest.input->columns, row);
    const std::vector<Value> arrays = Scalars(unnest.arrays);
    size_t length = 0;
    for (const Value& array : arrays) length = std::max(length, array.is_null() ? 0 : array.children().size());
    bool found = false;
    for (size_t i = 0; i < length; ++i) {
      Row element;
      for (size_t a = 0; a < arrays.size(); ++a) {
        const bool has = !arrays[a].is_null() && i < arrays[a].children().size();
        element.push_back(has ? arrays[a].children()[i] : Value::Null(unnest.elements[a].type));
      }
      if (unnest.offset.has_value()) element.push_back(Value::Int64(static_cast<int64_t>(i)));
      Bind(own, element);
      if (unnest.condition != nullptr && !IsTrue(*unnest.condition)) continue;
      found = true;
      rows.push_back(Together(row, element));
    }
    if (!found && unnest.outer) rows.push_back(Together(row, Nulls(own)));
  }
  return rows;
}

namespace {

// Takes the row out of the rest; false: it is not there.
bool Take(std::map<Row, int, RowLess>& rest, const Row& row) {
  const auto found = rest.find(row);
  if (found == rest.end() || found->second == 0) return false;
  --found->second;
  return true;
}

Rows Distinct(const Rows& rows) {
  std::map<Row, int, RowLess> seen;
  Rows distinct;
  for (const Row& row : rows) {
    if (++seen[row] == 1) distinct.push_back(row);
  }
  return distinct;
}

}  // namespace

Rows Evaluator::SetOperation(const rewrite::SetOperationPlan& operation) {
  using Operator = sql::SetOperator::Kind;
  Rows result = RowsOf(*operation.inputs[0]);
  if (operation.distinct) result = Distinct(result);
  for (size_t i = 1; i < operation.inputs.size(); ++i) {
    Rows next = RowsOf(*operation.inputs[i]);
    if (operation.op == Operator::kUnion) {
      result.insert(result.end(), next.begin(), next.end());
    } else {
      std::map<Row, int, RowLess> rest;
      for (const Row& row : next) ++rest[row];
      const bool kept = operation.op == Operator::kIntersect;
      Rows left;
      for (const Row& row : result) {
        if (Take(rest, row) == kept) left.push_back(row);
      }
      result = std::move(left);
    }
    if (operation.distinct) result = Distinct(result);
  }
  return result;
}

Rows Evaluator::Sort(const rewrite::Sort& sort) {
  struct Keyed {
    std::vector<Value> keys;
    Row row;
  };
  std::vector<Keyed> keyed;
  for (Row& row : RowsOf(*sort.input)) {
    Bind(sort.columns, row);
    keyed.push_back({Keys(sort.keys), {}});
    keyed.back().row = std::move(row);
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [&](const Keyed& a, const Keyed& b) { return OrderOf(sort.keys, a.keys, b.keys) < 0; });
  Rows rows;
  for (Keyed& each : keyed) rows.push_back(std::move(each.row));
  return rows;
}

Rows Evaluator::Limit(const rewrite::Limit& limit) {
  Rows rows = RowsOf(*limit.input);
  const size_t skipped = limit.offset == nullptr ? 0 : static_cast<size_t>(Count(*limit.offset));
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(skipped, rows.size())));
  if (limit.limit != nullptr) rows.resize(std::min(rows.size(), static_cast<size_t>(Count(*limit.limit))));
  return rows;
}

}  // namespace logquery::oracle
