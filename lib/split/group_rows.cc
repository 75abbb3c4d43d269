// A fragment groups by each expression that the source can compute and each column that is read otherwise. In the rest
// only the references to them change.
#include "lib/split/group_rows.h"

#include <utility>

#include "lib/base/strings.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"
#include "lib/split/coarse_time.h"

namespace logquery::split {
namespace {

using rewrite::Aggregate;
using rewrite::As;
using rewrite::ColumnId;
using rewrite::ColumnRef;
using rewrite::ColumnSet;
using rewrite::Filter;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanKind;
using rewrite::Project;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;
using rewrite::TableScan;

// An Aggregate, what lies between, and the scan of a fragment below.
struct Chain {
  std::vector<Plan*> nodes;  // from the scan up, without it; the Aggregate is the last
  TableScan* scan = nullptr;
};

Chain ChainOf(Aggregate& aggregate) {
  Chain chain;
  Plan* node = &aggregate;
  while (node->kind != PlanKind::kTableScan) {
    chain.nodes.insert(chain.nodes.begin(), node);
    if (auto* const project = If<Project>(node)) {
      node = project->input.get();
    } else if (auto* const filter = If<Filter>(node)) {
      node = filter->input.get();
    } else if (node == &aggregate) {
      node = aggregate.input.get();
    } else {
      return {};
    }
  }
  chain.scan = &As<TableScan>(*node);
  return chain;
}

// Returns whether the column is a row's time or id, so that few values are equal.
bool TellsRowsApart(const Plan& root, ColumnId column) {
  bool apart = false;
  rewrite::VisitPlans(root, [&](const Plan& plan) {
    const auto* const scan = If<TableScan>(&plan);
    for (size_t i = 0; scan != nullptr && i < scan->columns.size(); ++i) {
      if (scan->columns[i].id != column) continue;
      apart = apart || scan->storage[i] == scan->table->time_column || scan->storage[i] == scan->table->id_column;
    }
  });
  return apart;
}

// The inputs that a chain reads from a fragment.
class Inputs {
 public:
  Inputs(const Reasons& reasons, const Chain& chain, const Plan& root) : reasons_(reasons), root_(root) {
    for (const PlanColumn& column : chain.scan->columns) of_scan_.insert(column.id);
    for (Plan* const node : chain.nodes) {
      rewrite::ForEachOwnScalar(*node, [&](ScalarPtr& scalar) {
        if (scalar != nullptr) Visit(scalar);
      });
    }
  }

  // False: about as many groups as rows, or a subquery reads them too.
  bool fit() const { return fit_ && !inputs_.empty(); }

  std::vector<rewrite::Computed> Keys(QueryPlan& rest) {
    std::vector<rewrite::Computed> keys;
    for (Input& input : inputs_) {
      const auto* const column = If<ColumnRef>(input.value.get());
      input.column = rest.NewColumn(column == nullptr ? "" : column->name, input.value->type);
      keys.push_back({input.column, rewrite::Clone(*input.value)});
    }
    return keys;
  }
  // Must be called after Keys. Makes the chain read these columns in place of those that it read.
  void Replace(const Chain& chain) const {
    std::vector<PlanColumn> columns;
    for (const Input& input : inputs_) {
      for (ScalarPtr* const place : input.places) {
        const sql::Span span = (*place)->span;
        *place = std::make_unique<ColumnRef>(input.column);
        (*place)->span = span;
      }
      columns.push_back(input.column);
    }
    chain.scan->columns = columns;
    chain.scan->storage.assign(columns.size(), "");
    for (size_t i = 0; i + 1 < chain.nodes.size(); ++i) {
      std::vector<PlanColumn> kept = columns;
      for (const PlanColumn& column : chain.nodes[i]->columns) {
        if (!of_scan_.contains(column.id)) kept.push_back(column);
      }
      chain.nodes[i]->columns = std::move(kept);
    }
  }

 private:
  struct Input {
    ScalarPtr value;
    PlanColumn column;
    std::vector<ScalarPtr*> places;
  };

  bool IsOfScan(const Scalar& scalar) const {
    const auto* const column = If<ColumnRef>(&scalar);
    return column != nullptr && of_scan_.contains(column->id);
  }

  bool Reads(const Scalar& scalar) const {
    bool reads = false;
    rewrite::VisitScalars(scalar, [&](const Scalar& part) { reads = reads || IsOfScan(part); });
    return reads;
  }

  void Visit(ScalarPtr& scalar) {
    if (!Reads(*scalar)) return;
    const auto* const column = If<ColumnRef>(scalar.get());
    if (column != nullptr) fit_ = fit_ && !TellsRowsApart(root_, column->id);
    if (column != nullptr || (reasons_.WhyNot(*scalar, root_).empty() && GroupsBy(scalar->type))) {
      return Add(scalar, *scalar);
    }
    if (AddCoarseTime(*scalar)) return;
    rewrite::ForEachChild(*scalar, [&](const rewrite::ChildSlot& child) {
      if (child.plan != nullptr) {
        rewrite::VisitScalars(**child.plan, [&](const Scalar& inner) { fit_ = fit_ && !IsOfScan(inner); });
      } else if (*child.scalar != nullptr) {
        Visit(*child.scalar);
      }
    });
  }

  // Returns whether the source groups by values of this type.
  bool GroupsBy(const Type& type) const {
    const PlanColumn column{1, "", type};
    auto row = std::make_unique<rewrite::SingleRow>();
    row->columns = {column};
    Aggregate grouped(std::move(row));
    grouped.keys.push_back({PlanColumn{2, "", type}, std::make_unique<ColumnRef>(column)});
    return reasons_.WhyNot(grouped).empty();
  }

  // A time that is read as far as its hour is grouped by the hour.
  bool AddCoarseTime(Scalar& scalar) {
    auto* const call = If<FunctionCall>(&scalar);
    if (call == nullptr) return false;
    const CoarseTime coarse = CoarseTimeOf(*call);
    if (coarse.part.empty()) return false;
    std::vector<ScalarPtr> arguments;
    arguments.push_back(rewrite::Clone(*call->arguments[coarse.argument]));
    arguments.push_back(std::make_unique<rewrite::Constant>(Value::String(std::string(coarse.part))));
    const ScalarPtr cut = rewrite::MakeTypedCall("TIMESTAMP_TRUNC", Type::Timestamp(), std::move(arguments));
    if (!reasons_.WhyNot(*cut, root_).empty()) return false;
    Add(call->arguments[coarse.argument], *cut);
    return true;
  }

  // Notes that `value` is to replace the scalar in `place`.
  void Add(ScalarPtr& place, const Scalar& value) {
    for (Input& input : inputs_) {
      if (rewrite::Equal(*input.value, value)) return input.places.push_back(&place);
    }
    inputs_.push_back({rewrite::Clone(value), {}, {&place}});
  }

  const Reasons& reasons_;
  const Plan& root_;
  ColumnSet of_scan_;
  std::vector<Input> inputs_;
  bool fit_ = true;
};

const rewrite::Overload* CountOfRows() {
  for (const rewrite::Overload& overload : rewrite::FindFunction("COUNT")->overloads) {
    if (overload.parameters.empty()) return &overload;
  }
  return nullptr;
}

void Group(const Reasons& reasons, const Chain& chain, QueryPlan& rest, Fragment& fragment) {
  rewrite::PlanPtr& root = fragment.plan.root;
  if (root->kind == PlanKind::kLimit || root->kind == PlanKind::kAggregate) return;
  Inputs inputs(reasons, chain, *root);
  if (!inputs.fit()) return;
  auto grouped = std::make_unique<Aggregate>(nullptr);
  grouped->keys = inputs.Keys(rest);
  grouped->calls.push_back({rest.NewColumn(std::string(kRowCount), Type::Int64()), {}});
  grouped->calls.back().call.overload = CountOfRows();
  for (const rewrite::Computed& key : grouped->keys) grouped->columns.push_back(key.column);
  grouped->columns.push_back(grouped->calls.back().column);
  grouped->input = std::move(root);
  if (!reasons.WhyNot(*grouped).empty()) {
    root = std::move(grouped->input);
    return;
  }
  inputs.Replace(chain);
  root = std::move(grouped);
  fragment.counted = true;
  fragment.plan.next_column = rest.next_column;
  if (!fragment.reason.empty()) base::StrAppend(&fragment.reason, "; rows that are alike come once");
}

}  // namespace

bool HasRowCount(const Schema& schema) { return !schema.empty() && schema.back().name == kRowCount; }

void GroupRows(const Reasons& reasons, const std::vector<TableScan*>& scans, QueryPlan& rest,
               std::vector<Fragment>& fragments) {
  std::vector<Chain> chains;
  rewrite::VisitPlans(*rest.root, [&](Plan& plan) {
    if (auto* const aggregate = If<Aggregate>(&plan)) chains.push_back(ChainOf(*aggregate));
  });
  for (const Chain& chain : chains) {
    for (size_t i = 0; i < scans.size(); ++i) {
      if (scans[i] == chain.scan) Group(reasons, chain, rest, fragments[i]);
    }
  }
}

}  // namespace logquery::split
