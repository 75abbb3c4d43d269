// Collects what each scan reads from the comparisons above it, and looks for what makes a plan's answer depend on more
// than rows and parameters.
#include "lib/rewrite/passes/kept_shape.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "lib/base/strings.h"
#include "lib/rewrite/passes/scan_hints.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"

namespace logquery::rewrite {
namespace {

using Comparison = TableHints::Comparison;
using Path = std::vector<std::string>;

bool SamePath(const Path& a, const Path& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), base::EqualsIgnoreCase);
}

// The path in the table's columns of what a condition is about, which may be stored in a column of its own.
const Path& DeclaredPath(const Table& table, const Path& path) {
  if (path.size() != 1) return path;
  for (const std::vector<HotColumn>* columns : {&table.hot_columns, &table.learned_columns}) {
    for (const HotColumn& hot : *columns) {
      if (hot.holds == HotColumn::Holds::kValue && hot.column == path[0]) return hot.path;
    }
  }
  return path;
}

bool IsProject(const Table& table, const HintedCondition& condition) {
  return condition.comparison == Comparison::kEqual && !table.project_path.empty() &&
         SamePath(DeclaredPath(table, condition.path), table.project_path);
}

bool IsTimeBound(const Table& table, const HintedCondition& condition) {
  return condition.at != nullptr && condition.comparison != Comparison::kEqual && !table.time_column.empty() &&
         condition.path.size() == 1 && base::EqualsIgnoreCase(condition.path[0], table.time_column) &&
         condition.at->type.is(TypeKind::kTimestamp);
}

// The rows that a scan reads. If conditions name two projects, the first one counts: the rows have both.
KeptShape::Rows RowsOf(const ScanConditions& scan) {
  KeptShape::Rows rows;
  rows.table = scan.scan->table->name;
  for (const HintedCondition& condition : scan.conditions) {
    if (!IsProject(*scan.scan->table, condition)) continue;
    if (condition.parameter.has_value()) {
      rows.project_parameter = condition.parameter;
    } else if (condition.value.type().is(TypeKind::kString)) {
      rows.project = condition.value.string_value();
    } else {
      continue;
    }
    break;
  }
  return rows;
}

size_t PlaceOf(KeptShape::Rows rows, std::vector<KeptShape::Rows>& all) {
  const auto found = std::find(all.begin(), all.end(), rows);
  const auto place = static_cast<size_t>(found - all.begin());
  if (found == all.end()) all.push_back(std::move(rows));
  ++all[place].scans;
  return place;
}

bool IsVolatile(const Overload* overload) {
  return overload != nullptr && overload->function != nullptr && overload->function->Has(kVolatile);
}

// The name of a function that gives another value for each call; empty: there is none.
std::string FindVolatile(const Plan& root) {
  std::string found;
  const auto look = [&](const Overload* overload) {
    if (found.empty() && IsVolatile(overload)) found = overload->function->name;
  };
  VisitScalars(root, [&](const Scalar& scalar) {
    if (const auto* call = If<FunctionCall>(&scalar)) look(call->overload);
  });
  VisitPlans(root, [&](const Plan& plan) {
    if (const auto* aggregate = If<Aggregate>(&plan)) {
      for (const Aggregate::Call& call : aggregate->calls) look(call.call.overload);
    } else if (const auto* window = If<Window>(&plan)) {
      for (const Window::Call& call : window->calls) look(call.call.overload);
    }
  });
  return found;
}

// The parameters that are used otherwise than in those places.
base::StringSet UsedElsewhere(const Plan& root, const absl::flat_hash_set<const Scalar*>& places) {
  base::StringSet names;
  VisitScalars(root, [&](const Scalar& scalar) {
    const auto* parameter = If<ParameterRef>(&scalar);
    if (parameter != nullptr && !places.contains(&scalar)) names.insert(parameter->name);
  });
  return names;
}

}  // namespace

namespace {

// The name of a parameter as people read it; internal ones begin with the sign.
std::string Shown(const std::string& parameter) {
  return parameter[0] == '@' ? parameter : base::StrCat("@", parameter);
}

}  // namespace

KeptShape FindKeptShape(const QueryPlan& plan) {
  KeptShape shape;
  if (const std::string name = FindVolatile(*plan.root); !name.empty()) {
    shape.refused = base::StrCat(name, " gives another value for each call");
    return shape;
  }
  absl::flat_hash_set<const Scalar*> places;
  for (const ScanConditions& scan : FindScanConditions(plan)) {
    const size_t rows = PlaceOf(RowsOf(scan), shape.rows);
    for (const HintedCondition& condition : scan.conditions) {
      if (!IsTimeBound(*scan.scan->table, condition)) continue;
      const Comparison how = condition.comparison;
      places.insert(condition.at);
      shape.bounds.push_back({*condition.parameter, rows,
                              how == Comparison::kGreater || how == Comparison::kGreaterOrEqual,
                              how == Comparison::kGreaterOrEqual || how == Comparison::kLessOrEqual});
    }
  }
  const base::StringSet elsewhere = UsedElsewhere(*plan.root, places);
  if (elsewhere.contains(kNowParameter)) {
    shape.refused = "the time of the call is used for more than bounds on the time of rows";
  } else if (shape.rows.empty()) {
    shape.refused = "no log is read";
  }
  std::erase_if(shape.bounds, [&](const KeptShape::Bound& bound) { return elsewhere.contains(bound.parameter); });
  return shape;
}

std::string DescribeKeptShape(const KeptShape& shape) {
  if (!shape.refused.empty()) return base::StrCat("nothing: ", shape.refused);
  std::string text = "the answer, as long as no row comes to ";
  for (size_t i = 0; i < shape.rows.size(); ++i) {
    const KeptShape::Rows& rows = shape.rows[i];
    base::StrAppend(&text, i == 0 ? "" : ", ", rows.table);
    if (rows.project_parameter) base::StrAppend(&text, " of ", Shown(*rows.project_parameter));
    if (rows.project) base::StrAppend(&text, " of '", *rows.project, "'");
  }
  std::vector<std::string> names;
  for (const KeptShape::Bound& bound : shape.bounds) {
    if (bound.parameter == kFloorParameter) continue;
    std::string name = Shown(bound.parameter);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  if (!names.empty()) base::StrAppend(&text, "; bounds that may move: ", base::Join(names, ", "));
  return text;
}

}  // namespace logquery::rewrite
