// Prunes unread columns, and traces each column that the caller's query reads to the entry that it comes from.
#include "lib/rewrite/passes/columns_read.h"

#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

class Reader {
 public:
  explicit Reader(With& root) : root_(root) {
    for (const WithEntry& entry : root.entries) {
      for (const PlanColumn& column : entry.plan->columns) {
        paths_.emplace(column.id, base::StrCat(entry.name, ".", column.name));
      }
      entries_.emplace(entry.id, entry.plan.get());
    }
  }

  std::set<std::string> Read() {
    VisitPlans(*root_.body, [&](Plan& plan) { Define(plan); });
    VisitPlans(*root_.body, [&](Plan& plan) { ReadIn(plan); });
    AddOutput(*root_.body);
    return std::move(read_);
  }

 private:
  // Records the definitions of the node's columns that are only another column or a path below one.
  void Define(Plan& plan) {
    if (auto* with = If<With>(&plan)) {
      for (const WithEntry& entry : with->entries) entries_.emplace(entry.id, entry.plan.get());
    } else if (auto* scan = If<CteScan>(&plan)) {
      for (size_t i = 0; i < scan->columns.size(); ++i) scanned_[scan->columns[i].id] = {scan, i};
    } else if (auto* project = If<Project>(&plan)) {
      for (const Computed& computed : project->computed) values_[computed.column.id] = computed.value.get();
    } else if (auto* unnest = If<Unnest>(&plan)) {
      for (size_t i = 0; i < unnest->elements.size(); ++i) values_[unnest->elements[i].id] = unnest->arrays[i].get();
    }
  }

  // "edge_logs.metadata.request" for a column; empty: it is computed, not read.
  std::string PathOf(ColumnId id) {
    const auto known = paths_.find(id);
    if (known != paths_.end()) return known->second;
    std::string path;
    if (const auto value = values_.find(id); value != values_.end()) {
      path = PathOf(*value->second);
    } else if (const auto scanned = scanned_.find(id); scanned != scanned_.end()) {
      const auto [scan, place] = scanned->second;
      // An entry that reads itself is a set operation, whose columns are paths to nowhere.
      const auto entry = entries_.find(scan->cte);
      if (entry != entries_.end()) path = PathOf(entry->second->columns[scan->ordinals[place]].id);
    }
    paths_[id] = path;
    return path;
  }

  std::string PathOf(const Scalar& scalar) {
    if (const auto* column = If<ColumnRef>(&scalar)) return PathOf(column->id);
    if (const auto* cast = If<Cast>(&scalar)) {
      // A record as the array that it is to queries.
      return cast->operand->type.is_record() ? PathOf(*cast->operand) : std::string();
    }
    if (IsCallOf(scalar, "$element")) return PathOf(*As<FunctionCall>(scalar).arguments[0]);
    const auto* field = If<FieldRef>(&scalar);
    if (field == nullptr) return "";
    std::string path = PathOf(*field->base);
    if (!path.empty()) base::StrAppend(&path, ".", field->base->type.fields()[field->index].name);
    return path;
  }

  void ReadIn(Plan& plan) {
    if (plan.kind == PlanKind::kSetOperation) ForEachInput(plan, [&](PlanPtr& input) { AddOutput(*input); });
    // A path that a column is only another name of counts where that column is read.
    const bool names_paths = plan.kind == PlanKind::kProject || plan.kind == PlanKind::kUnnest;
    ForEachOwnScalar(plan, [&](ScalarPtr& scalar) {
      if (!names_paths || PathOf(*scalar).empty()) ReadScalar(*scalar);
    });
  }

  // The longest paths in it. Plans of subqueries are visited as plans; here it is their output that counts.
  void ReadScalar(Scalar& root) {
    std::vector<Scalar*> waiting = {&root};
    while (!waiting.empty()) {
      Scalar& scalar = *waiting.back();
      waiting.pop_back();
      if (std::string path = PathOf(scalar); !path.empty()) {
        read_.insert(std::move(path));
        continue;
      }
      for (const ChildSlot& child : Children(scalar)) {
        if (child.scalar != nullptr) waiting.push_back(child.scalar->get());
        if (child.plan != nullptr && As<SubqueryScalar>(scalar).form != SubqueryScalar::Form::kExists) {
          AddOutput(**child.plan);
        }
      }
    }
  }

  void AddOutput(const Plan& plan) {
    for (const PlanColumn& column : plan.columns) {
      if (std::string path = PathOf(column.id); !path.empty()) read_.insert(std::move(path));
    }
  }

  With& root_;
  absl::flat_hash_map<int, const Plan*> entries_;
  absl::flat_hash_map<ColumnId, const Scalar*> values_;
  absl::flat_hash_map<ColumnId, std::pair<const CteScan*, size_t>> scanned_;
  absl::flat_hash_map<ColumnId, std::string> paths_;  // found so far
  std::set<std::string> read_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> ColumnsRead(QueryPlan query) {
  // Columns that nothing reads, such as the rest of a `*` in a subquery, must not be listed.
  LOGQUERY_RETURN_IF_ERROR(PruneColumns({}, query));
  With* root = If<With>(query.root.get());
  if (root == nullptr) return std::vector<std::string>();  // the query reads no entry
  const std::set<std::string> read = Reader(*root).Read();
  return std::vector<std::string>(read.begin(), read.end());
}

}  // namespace logquery::rewrite
