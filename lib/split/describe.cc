// Walks a fragment's plan once, and collects the names that the scalars of its nodes read.
#include "lib/split/describe.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "lib/base/strings.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/tables_read.h"
#include "lib/split/group_rows.h"

namespace logquery::split {
namespace {

using rewrite::Aggregate;
using rewrite::As;
using rewrite::Computed;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanKind;
using rewrite::Scalar;
using rewrite::ScalarKind;

void AddOnce(std::string name, std::vector<std::string>& names) {
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  names.push_back(std::move(name));
}

// Names what scalars read, through the projections between them and the table.
class Names {
 public:
  explicit Names(const Plan& root) {
    rewrite::VisitPlans(root, [this](const Plan& plan) {
      const std::vector<Computed>* computed = nullptr;
      if (plan.kind == PlanKind::kProject) computed = &As<rewrite::Project>(plan).computed;
      if (plan.kind == PlanKind::kAggregate) computed = &As<Aggregate>(plan).keys;
      if (computed == nullptr) return;
      for (const Computed& each : *computed) values_[each.column.id] = each.value.get();
    });
  }

  void Add(const Scalar& scalar, std::vector<std::string>& names) const {
    if (scalar.kind == ScalarKind::kColumn) return AddColumn(As<rewrite::ColumnRef>(scalar), names);
    if (std::string path = PathOf(scalar); !path.empty()) return AddOnce(std::move(path), names);
    rewrite::ForEachChild(const_cast<Scalar&>(scalar), [&](const rewrite::ChildSlot& child) {
      if (child.scalar != nullptr && *child.scalar != nullptr) Add(**child.scalar, names);
    });
  }

 private:
  void AddColumn(const rewrite::ColumnRef& column, std::vector<std::string>& names) const {
    const auto found = values_.find(column.id);
    if (found == values_.end()) return AddOnce(column.name, names);
    Add(*found->second, names);
  }

  // "metadata.request.method" of a field, or of a record whose presence is asked for; empty: it is no path.
  std::string PathOf(const Scalar& scalar) const {
    if (const auto* const column = If<rewrite::ColumnRef>(&scalar)) {
      const auto found = values_.find(column->id);
      return found == values_.end() ? column->name : PathOf(*found->second);
    }
    if (const auto* const field = If<rewrite::FieldRef>(&scalar)) {
      const std::string base = PathOf(*field->base);
      const std::vector<Field>& fields = field->base->type.fields();
      if (base.empty() || static_cast<size_t>(field->index) >= fields.size()) return "";
      return base::StrCat(base, ".", fields[static_cast<size_t>(field->index)].name);
    }
    const auto* const call = If<FunctionCall>(&scalar);
    const bool is_record = call != nullptr && !call->arguments.empty() &&
                           (call->overload->row->name == "$element" || call->overload->row->name == "$present");
    return is_record ? PathOf(*call->arguments[0]) : "";
  }

  absl::flat_hash_map<rewrite::ColumnId, const Scalar*> values_;
};

class Describer {
 public:
  Describer(const Fragment& fragment, Description& out) : names_(*fragment.plan.root), out_(out) {
    out_.sends_equal_rows_once = HasRowCount(fragment.plan.schema);
    out_.columns = fragment.plan.schema.size() - (out_.sends_equal_rows_once ? 1 : 0);
  }

  void Add(const Plan& plan) {
    if (const auto* const filter = If<rewrite::Filter>(&plan)) names_.Add(*filter->condition, out_.conditions);
    if (const auto* const join = If<rewrite::Join>(&plan); join != nullptr && join->condition != nullptr) {
      names_.Add(*join->condition, out_.conditions);
    }
    if (const auto* const limit = If<rewrite::Limit>(&plan)) AddLimit(*limit);
    if (const auto* const aggregate = If<Aggregate>(&plan)) AddAggregate(*aggregate);
  }

 private:
  void AddLimit(const rewrite::Limit& limit) {
    out_.is_limited = true;
    const auto* const sort = If<rewrite::Sort>(limit.input.get());
    if (sort == nullptr) return;
    for (const rewrite::OrderKey& key : sort->keys) names_.Add(*key.value, out_.order);
  }

  void AddAggregate(const Aggregate& aggregate) {
    for (const Computed& key : aggregate.keys) names_.Add(*key.value, out_.groups);
    bool counts_rows = false;
    for (const Aggregate::Call& each : aggregate.calls) {
      if (each.column.name == kRowCount) {
        counts_rows = true;
      } else {
        AddOnce(std::string(each.call.overload->row->name), out_.aggregates);
      }
    }
    out_.is_grouped = out_.is_grouped || !counts_rows;
  }

  const Names names_;
  Description& out_;
};

}  // namespace

Description Describe(const Fragment& fragment) {
  Description description;
  description.tables = rewrite::TablesRead(fragment.plan);
  description.then_here = fragment.reason;
  Describer describer(fragment, description);
  rewrite::VisitPlans(*fragment.plan.root, [&](const Plan& plan) { describer.Add(plan); });
  return description;
}

}  // namespace logquery::split
