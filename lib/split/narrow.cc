// A field that a fragment computes is offered to the rest as a hot column of the record's field, so that the pass
// read_hot_columns makes the rest read it.
#include "lib/split/narrow.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::split {
namespace {

using rewrite::As;
using rewrite::ColumnId;
using rewrite::ColumnRef;
using rewrite::FieldRef;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::Project;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;
using rewrite::TableScan;

struct Path {
  ColumnId column = 0;
  std::vector<std::string> names;  // below the column
};

std::optional<Path> PathOf(const Scalar& scalar) {
  if (const auto* const column = If<ColumnRef>(&scalar)) return Path{column->id, {}};
  if (rewrite::IsCallOf(scalar, "$element")) return PathOf(*As<FunctionCall>(scalar).arguments[0]);
  const auto* const field = If<FieldRef>(&scalar);
  if (field == nullptr) return std::nullopt;
  std::optional<Path> path = PathOf(*field->base);
  if (path) path->names.push_back(field->base->type.fields()[static_cast<size_t>(field->index)].name);
  return path;
}

// Tracks which parts of the fragments' records the rest of the query reads.
class Readings {
 public:
  Readings(const Reasons& reasons, const std::vector<TableScan*>& scans, const std::vector<Fragment>& fragments)
      : reasons_(reasons), fragments_(fragments), fields_(scans.size()) {
    for (size_t i = 0; i < scans.size(); ++i) {
      for (size_t column = 0; column < scans[i]->columns.size(); ++column) {
        if (!scans[i]->columns[column].type.is_record()) continue;
        places_[scans[i]->columns[column].id] = {i, scans[i]->storage[column]};
      }
    }
  }

  void Find(Plan& root) {
    for (const PlanColumn& column : root.columns) whole_.insert(column.id);
    rewrite::VisitPlans(root, [&](Plan& plan) {
      rewrite::ForEachOwnScalar(plan, [&](ScalarPtr& scalar) {
        if (scalar != nullptr) Visit(*scalar);
      });
    });
  }

  // A value that the fragment must compute. The columns' names are the tables' storage names for them.
  struct Field {
    HotColumn column;
    ScalarPtr value;
  };
  std::vector<Field> Take(size_t fragment) {
    std::vector<Field> wanted;
    for (auto& [record, field] : fields_[fragment]) {
      if (!whole_.contains(record)) wanted.push_back(std::move(field));
    }
    return wanted;
  }

 private:
  struct Place {
    size_t fragment = 0;
    std::string storage;
  };

  void Visit(Scalar& scalar) {
    if (Note(scalar)) return;
    if (const auto* const column = If<ColumnRef>(&scalar)) whole_.insert(column->id);
    rewrite::ForEachChild(scalar, [&](const rewrite::ChildSlot& child) {
      if (child.scalar != nullptr && *child.scalar != nullptr) Visit(**child.scalar);
    });
  }

  // Returns whether the scalar is a field, or a record's presence, that its fragment can compute.
  bool Note(const Scalar& scalar) {
    const bool presence = rewrite::IsCallOf(scalar, "$present");
    if (!presence && (scalar.kind != rewrite::ScalarKind::kField || scalar.type.is_record())) return false;
    const std::optional<Path> path = PathOf(presence ? *As<FunctionCall>(scalar).arguments[0] : scalar);
    if (!path) return false;
    const auto place = places_.find(path->column);
    if (place == places_.end()) return false;
    const size_t fragment = place->second.fragment;
    if (!reasons_.WhyNot(scalar, *fragments_[fragment].plan.root).empty()) return false;
    Field field;
    field.column.path = {place->second.storage};
    field.column.path.insert(field.column.path.end(), path->names.begin(), path->names.end());
    field.column.column = base::StrCat("f", fields_[fragment].size() + 1);
    field.column.holds = presence ? HotColumn::Holds::kPresence : HotColumn::Holds::kValue;
    for (const auto& [record, known] : fields_[fragment]) {
      if (known.column.path == field.column.path && known.column.holds == field.column.holds) return true;
    }
    field.value = rewrite::Clone(scalar);
    fields_[fragment].emplace_back(path->column, std::move(field));
    return true;
  }

  const Reasons& reasons_;
  const std::vector<Fragment>& fragments_;
  absl::flat_hash_map<ColumnId, Place> places_;
  rewrite::ColumnSet whole_;                                     // read otherwise too, so that they travel
  std::vector<std::vector<std::pair<ColumnId, Field>>> fields_;  // by fragment, with their records
};

// The fragment computes those that its scan reads now.
void Compute(const TableScan& scan, std::vector<Readings::Field> fields, Fragment& fragment) {
  auto project = std::make_unique<Project>(nullptr);
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    for (Readings::Field& field : fields) {
      if (field.value == nullptr || field.column.column != scan.storage[i]) continue;
      project->computed.push_back({scan.columns[i], std::move(field.value)});
    }
  }
  if (project->computed.empty()) return;
  project->input = std::move(fragment.plan.root);
  project->columns = scan.columns;
  fragment.plan.root = std::move(project);
}

}  // namespace

absl::Status NarrowRecords(const Reasons& reasons, const std::vector<TableScan*>& scans,
                           const std::vector<std::unique_ptr<Table>>& tables, QueryPlan& rest,
                           std::vector<Fragment>& fragments) {
  Readings readings(reasons, scans, fragments);
  readings.Find(*rest.root);
  std::vector<std::vector<Readings::Field>> fields;
  for (size_t i = 0; i < scans.size(); ++i) {
    fields.push_back(readings.Take(i));
    for (const Readings::Field& field : fields[i]) tables[i]->hot_columns.push_back(field.column);
  }
  LOGQUERY_RETURN_IF_ERROR(rewrite::ReadHotColumns({}, rest));
  for (size_t i = 0; i < scans.size(); ++i) {
    tables[i]->hot_columns.clear();
    Compute(*scans[i], std::move(fields[i]), fragments[i]);
    fragments[i].plan.next_column = rest.next_column;
  }
  return absl::OkStatus();
}

}  // namespace logquery::split
