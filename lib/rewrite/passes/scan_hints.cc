// Follows each scan upwards through nodes that keep rows separate, and collects the conditions that are comparisons.
#include "lib/rewrite/passes/scan_hints.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

using Comparison = TableHints::Comparison;
using Conditions = std::vector<const Scalar*>;

struct NamedComparison {
  const char* name;
  Comparison comparison;
  Comparison mirrored;  // with the value on the left
};

constexpr NamedComparison kComparisons[] = {
    {"$equal", Comparison::kEqual, Comparison::kEqual},
    {"$less", Comparison::kLess, Comparison::kGreater},
    {"$less_or_equal", Comparison::kLessOrEqual, Comparison::kGreaterOrEqual},
    {"$greater", Comparison::kGreater, Comparison::kLess},
    {"$greater_or_equal", Comparison::kGreaterOrEqual, Comparison::kLessOrEqual},
};

// Values that everybody orders alike. Floating point is not of them, nor what has parts.
bool IsPlain(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
    case TypeKind::kInt64:
    case TypeKind::kNumeric:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

// Returns the path from the scan's table to the value that the scalar reads; empty: it reads something else. Only the
// last field of a path may be other than a record.
std::vector<std::string> PathOf(const Scalar& scalar, const TableScan& scan) {
  if (const auto* column = If<ColumnRef>(&scalar)) {
    for (size_t i = 0; i < scan.columns.size(); ++i) {
      if (scan.columns[i].id == column->id) return {scan.storage[i]};
    }
    return {};
  }
  if (IsCallOf(scalar, "$element")) return PathOf(*As<FunctionCall>(scalar).arguments[0], scan);
  const auto* field = If<FieldRef>(&scalar);
  if (field == nullptr) return {};
  std::vector<std::string> path = PathOf(*field->base, scan);
  if (!path.empty()) path.push_back(field->base->type.fields()[static_cast<size_t>(field->index)].name);
  return path;
}

class TableReader {
 public:
  explicit TableReader(const TableScan& scan) : scan_(scan) {}

  // Adds what the condition says; false: nothing can be said of it.
  bool Add(const Scalar& condition) {
    const auto* call = If<FunctionCall>(&condition);
    if (call == nullptr || call->safe) return false;
    if (IsCallOf(condition, "$and")) {
      bool all = true;
      for (const ScalarPtr& part : call->arguments) all = Add(*part) && all;
      return all;
    }
    if (IsCallOf(condition, "$between") && call->arguments.size() == 3) {
      const bool low = AddComparison(*call->arguments[0], Comparison::kGreaterOrEqual, *call->arguments[1]);
      return AddComparison(*call->arguments[0], Comparison::kLessOrEqual, *call->arguments[2]) && low;
    }
    for (const NamedComparison& named : kComparisons) {
      if (!IsCallOf(condition, named.name) || call->arguments.size() != 2) continue;
      return AddComparison(*call->arguments[0], named.comparison, *call->arguments[1]) ||
             AddComparison(*call->arguments[1], named.mirrored, *call->arguments[0]);
    }
    return false;
  }

  std::vector<HintedCondition> Take() { return std::move(found_); }

 private:
  bool AddComparison(const Scalar& column, Comparison comparison, const Scalar& value) {
    if (!IsPlain(column.type) || column.type != value.type) return false;
    HintedCondition condition;
    condition.path = PathOf(column, scan_);
    condition.comparison = comparison;
    if (condition.path.empty()) return false;
    if (const auto* parameter = If<ParameterRef>(&value)) {
      condition.parameter = parameter->name;
      condition.at = parameter;
    } else if (const auto* constant = If<Constant>(&value); constant != nullptr && !constant->value.is_null()) {
      condition.value = constant->value;
    } else {
      return false;
    }
    found_.push_back(std::move(condition));
    return true;
  }

  const TableScan& scan_;
  std::vector<HintedCondition> found_;
};

bool Same(const HintedCondition& a, const HintedCondition& b) {
  return a.path == b.path && a.comparison == b.comparison && a.parameter == b.parameter && a.value == b.value;
}

class HintFinder {
 public:
  explicit HintFinder(const Plan& root) {
    VisitPlans(root, [&](const Plan& node) { ForEachInput(node, [&](const Plan& input) { above_[&input] = &node; }); });
    VisitPlans(root, [&](const Plan& node) {
      if (const auto* scan = If<TableScan>(&node)) scans_.push_back(scan);
    });
  }

  std::vector<ScanConditions> TakeScans() const {
    std::vector<ScanConditions> scans;
    for (const TableScan* scan : scans_) scans.push_back({scan, ConditionsOn(*scan)});
    return scans;
  }

  std::vector<ScanHints> Take() {
    for (const TableScan* scan : scans_) Keep(*scan);
    return std::move(tables_);
  }

 private:
  // Returns the conditions that hold for all rows of the scan that are used: those above it, as long as each row above
  // comes from one row of the scan.
  std::vector<HintedCondition> ConditionsOn(const TableScan& scan) const {
    TableReader reader(scan);
    for (auto node = above_.find(&scan); node != above_.end(); node = above_.find(node->second)) {
      const Plan& plan = *node->second;
      if (const auto* filter = If<Filter>(&plan)) {
        reader.Add(*filter->condition);
      } else if (plan.kind != PlanKind::kProject && plan.kind != PlanKind::kSort && plan.kind != PlanKind::kUnnest) {
        break;
      }
    }
    return reader.Take();
  }

  void Keep(const TableScan& scan) {
    std::vector<HintedCondition> found = ConditionsOn(scan);
    const auto known = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const ScanHints& hints) { return hints.table == scan.table->name; });
    if (known == tables_.end()) {
      tables_.push_back({scan.table->name, std::move(found), false});
      return;
    }
    const auto is_new = [&](const HintedCondition& condition) {
      return std::none_of(found.begin(), found.end(),
                          [&](const HintedCondition& other) { return Same(condition, other); });
    };
    std::vector<HintedCondition>& common = known->conditions;
    common.erase(std::remove_if(common.begin(), common.end(), is_new), common.end());
  }

  absl::flat_hash_map<const Plan*, const Plan*> above_;
  std::vector<const TableScan*> scans_;
  std::vector<ScanHints> tables_;
};

// Returns whether the query sorts and limits the rows of a single scan, all of whose conditions are comparisons with
// values.
bool IsOneScan(const Plan& root) {
  Conditions conditions;
  const Plan* node = &root;
  while (true) {
    switch (node->kind) {
      case PlanKind::kProject:
        node = As<Project>(*node).input.get();
        break;
      case PlanKind::kSort:
        node = As<Sort>(*node).input.get();
        break;
      case PlanKind::kLimit:
        // A condition above it is on the rows that it left.
        if (!conditions.empty()) return false;
        node = As<Limit>(*node).input.get();
        break;
      case PlanKind::kFilter:
        conditions.push_back(As<Filter>(*node).condition.get());
        node = As<Filter>(*node).input.get();
        break;
      case PlanKind::kTableScan: {
        TableReader reader(As<TableScan>(*node));
        return std::all_of(conditions.begin(), conditions.end(),
                           [&](const Scalar* condition) { return reader.Add(*condition); });
      }
      default:
        return false;
    }
  }
}

}  // namespace

std::vector<ScanHints> FindScanHints(const QueryPlan& query) {
  std::vector<ScanHints> tables = HintFinder(*query.root).Take();
  if (query.newest.has_value() && tables.size() == 1 && query.newest->table == tables[0].table) {
    tables[0].newest_suffice = IsOneScan(*query.root);
  }
  return tables;
}

std::vector<std::string> FindPlainColumns(const QueryPlan& query) {
  std::vector<ColumnId> ids;
  for (const PlanColumn& column : query.root->columns) ids.push_back(column.id);
  const Plan* node = query.root.get();
  while (node->kind != PlanKind::kTableScan) {
    if (const auto* project = If<Project>(node)) {
      for (ColumnId& id : ids) {
        for (const Computed& computed : project->computed) {
          if (computed.column.id != id) continue;
          const auto* column = If<ColumnRef>(computed.value.get());
          if (column == nullptr) return {};
          id = column->id;
          break;
        }
      }
      node = project->input.get();
    } else if (const auto* filter = If<Filter>(node)) {
      node = filter->input.get();
    } else if (const auto* sort = If<Sort>(node)) {
      node = sort->input.get();
    } else if (const auto* limit = If<Limit>(node)) {
      node = limit->input.get();
    } else {
      return {};
    }
  }
  const auto& scan = As<TableScan>(*node);
  std::vector<std::string> columns;
  for (const ColumnId id : ids) {
    for (size_t i = 0; i < scan.columns.size(); ++i) {
      if (scan.columns[i].id == id) columns.push_back(scan.storage[i]);
    }
  }
  return columns.size() == ids.size() ? columns : std::vector<std::string>();
}

std::vector<ScanConditions> FindScanConditions(const QueryPlan& query) { return HintFinder(*query.root).TakeScans(); }

}  // namespace logquery::rewrite
