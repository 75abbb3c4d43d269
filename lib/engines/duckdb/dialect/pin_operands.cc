// Evaluates expressions that may raise an error only on rows that the conditions below them have kept.
//
// An engine may evaluate the conjuncts of a WHERE in any order, move a condition below a projection, and call a
// function once per distinct stored value instead of once per row. An expression that raises would then raise for rows
// that the query excludes: rows of another project, or rows that are older than the caller may read. Therefore the
// columns that such an expression reads go through $pin in a projection directly below it. The engine knows neither the
// value of $pin nor that two calls return the same:
//
//     Filter: scope AND CAST(x AS INT64) > 0  over  Scan
//     Filter: CAST(p AS INT64) > 0  over  Project: p := $pin(x)  over  Filter: scope  over  Scan
//
// Expressions that read p can't move below that projection, and p is evaluated row by row. An expression without
// columns to pin becomes CASE WHEN $pin(TRUE) THEN … END.
//
// The same operator keeps arrays out of the engine's plan: a standalone UNNEST(GENERATE_ARRAY(1, 100000)) becomes
// GENERATE_ARRAY($pin(1), 100000). With constant operands, an engine would create the array during planning, as 100,000
// separate values that stay with the prepared statement.
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/pins.h"
#include "lib/engines/duckdb/dialect/projections.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::Aggregate;
using rewrite::As;
using rewrite::Case;
using rewrite::ChildSlot;
using rewrite::ColumnRef;
using rewrite::ColumnSet;
using rewrite::Computed;
using rewrite::Constant;
using rewrite::Equal;
using rewrite::FieldRef;
using rewrite::Filter;
using rewrite::ForEachChild;
using rewrite::ForEachInput;
using rewrite::ForEachOwnScalar;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::IsPath;
using rewrite::IsRowIndependent;
using rewrite::Join;
using rewrite::kInternal;
using rewrite::MakeAnd;
using rewrite::MakeBool;
using rewrite::MakeTypedCall;
using rewrite::MayRaise;
using rewrite::PassContext;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanKind;
using rewrite::PlanPtr;
using rewrite::Project;
using rewrite::PutFilter;
using rewrite::QueryPlan;
using rewrite::RewritePlans;
using rewrite::Scalar;
using rewrite::ScalarKind;
using rewrite::ScalarPtr;
using rewrite::Sort;
using rewrite::TakeConjuncts;
using rewrite::Unnest;
using rewrite::Window;

const ColumnRef* BaseOf(const Scalar& path) {
  const Scalar* at = &path;
  while (true) {
    if (const auto* field = If<FieldRef>(at)) {
      at = field->base.get();
    } else if (const auto* call = If<FunctionCall>(at)) {
      at = call->arguments[0].get();
    } else {
      return If<ColumnRef>(at);
    }
  }
}

// Makes each array that the scalar builds from constants be built while the query runs. For a scalar that is evaluated
// once.
void HideFromPlanner(Scalar& scalar) {
  if (scalar.kind == ScalarKind::kLambda) return;  // evaluated for each element
  auto* call = If<FunctionCall>(&scalar);
  const bool makes_array = call != nullptr && call->type.is_array() && !call->arguments.empty() &&
                           !call->overload->function->Has(kInternal) && CanPin(call->arguments[0]->type);
  if (makes_array) {
    call->arguments[0] = Pinned(std::move(call->arguments[0]));
    return;
  }
  ForEachChild(scalar, [](const ChildSlot& child) {
    if (child.scalar != nullptr && *child.scalar != nullptr) HideFromPlanner(**child.scalar);
  });
}

// The projection of pins over one input of a node.
class Pins {
 public:
  Pins(QueryPlan& query, PlanPtr& input) : query_(query), input_(input) {
    for (const PlanColumn& column : input->columns) given_.insert(column.id);
  }

  // Makes the scalar, and queries in it, read the input through pins. Returns how many replacements it has made.
  int Replace(ScalarPtr& scalar) {
    if (scalar->kind == ScalarKind::kColumn || scalar->kind == ScalarKind::kField ||
        scalar->kind == ScalarKind::kCall) {
      if (IsPath(*scalar) && CanPin(scalar->type)) {
        const ColumnRef* base = BaseOf(*scalar);
        if (base == nullptr || !given_.contains(base->id)) return 0;
        scalar = std::make_unique<ColumnRef>(PinOf(std::move(scalar)));
        return 1;
      }
    }
    int replaced = 0;
    ForEachChild(*scalar, [&](const ChildSlot& child) {
      if (child.scalar != nullptr) {
        if (*child.scalar != nullptr) replaced += Replace(*child.scalar);
        return;
      }
      replaced += ReplaceIn(**child.plan);
    });
    return replaced;
  }

  // The scalar where the row is there, which the engine does not know.
  void Anchor(ScalarPtr& scalar) {
    auto anchored = std::make_unique<Case>(scalar->type);
    anchored->otherwise = std::make_unique<Constant>(Value::Null(scalar->type));
    ScalarPtr present = std::make_unique<ColumnRef>(PinOf(MakeBool(true)));
    anchored->whens.push_back({std::move(present), std::move(scalar)});
    scalar = std::move(anchored);
  }

  std::vector<Computed> Take() { return std::move(pins_); }

  bool empty() const { return pins_.empty(); }

 private:
  // Replaces in the scalars of a subquery's nodes. Nested queries are found through the scalars that hold them.
  int ReplaceIn(Plan& plan) {
    int replaced = 0;
    ForEachOwnScalar(plan, [&](ScalarPtr& own) {
      if (own != nullptr) replaced += Replace(own);
    });
    ForEachInput(plan, [&](PlanPtr& input) { replaced += ReplaceIn(*input); });
    return replaced;
  }

  PlanColumn PinOf(ScalarPtr value) {
    for (const Computed& pin : pins_) {
      if (Equal(*As<FunctionCall>(*pin.value).arguments[0], *value)) return pin.column;
    }
    const auto* column = If<ColumnRef>(value.get());
    pins_.push_back({query_.NewColumn(column == nullptr ? "pin" : column->name, value->type), nullptr});
    pins_.back().value = Pinned(std::move(value));
    return pins_.back().column;
  }

  QueryPlan& query_;
  PlanPtr& input_;
  ColumnSet given_;
  std::vector<Computed> pins_;
};

class Pinner {
 public:
  explicit Pinner(QueryPlan& query) : query_(query) {}

  void Visit(PlanPtr& node) {
    if (auto* unnest = If<Unnest>(node.get()); unnest != nullptr && unnest->input->kind == PlanKind::kSingleRow) {
      for (const ScalarPtr& array : unnest->arrays) HideFromPlanner(*array);
    }
    if (ReadsRows(*node)) {
      if (node->kind == PlanKind::kJoin) {
        PinJoin(node);
      } else if (node->kind == PlanKind::kFilter) {
        PinFilter(node);
      } else if (PlanPtr* input = InputOf(*node)) {
        PinNode(node, *input);
      }
      reading_.insert(node.get());
    }
  }

 private:
  // Returns the one input whose rows the node's own scalars are evaluated on; nullptr: there is none. Rows that a LIMIT
  // leaves out are never evaluated above it.
  static PlanPtr* InputOf(Plan& node) {
    PlanPtr* const input = OnlyInput(node);
    return input == nullptr || IsLimited(**input) ? nullptr : input;
  }

  // Returns whether a LIMIT has selected the rows, which may have been sorted again.
  static bool IsLimited(const Plan& plan) {
    if (const auto* project = If<Project>(&plan)) return project->computed.empty() && IsLimited(*project->input);
    if (const auto* sort = If<Sort>(&plan)) return IsLimited(*sort->input);
    return plan.kind == PlanKind::kLimit;
  }

  // Returns whether the node reads rows of a table or a WITH entry. Nodes are visited after their inputs.
  bool ReadsRows(const Plan& node) const {
    if (node.kind == PlanKind::kTableScan || node.kind == PlanKind::kCteScan) return true;
    bool reads = false;
    ForEachInput(node, [&](const Plan& input) { reads = reads || reading_.contains(&input); });
    return reads;
  }

  void Pin(Pins& pins, ScalarPtr& scalar) {
    if (pins.Replace(scalar) == 0) pins.Anchor(scalar);
  }

  void PinNode(PlanPtr& node, PlanPtr& input) {
    Pins pins(query_, input);
    ForEachOwnScalar(*node, [&](ScalarPtr& scalar) {
      if (scalar == nullptr || !MayRaise(*scalar)) return;
      // An argument that says how a call works, not what on, stays what it is.
      if (IsRowIndependent(*scalar) && node->kind != PlanKind::kProject) return;
      if (node->kind == PlanKind::kAggregate || node->kind == PlanKind::kWindow || node->kind == PlanKind::kUnnest) {
        pins.Replace(scalar);
      } else {
        Pin(pins, scalar);
      }
    });
    if (!pins.empty()) ComputeBelow(node, input, pins.Take());
  }

  // Conditions that raise nothing go below the pins, to where they are found.
  void PinFilter(PlanPtr& node) {
    auto& filter = As<Filter>(*node);
    if (!MayRaise(*filter.condition) || InputOf(*node) == nullptr) return;
    std::vector<ScalarPtr> safe, raising;
    for (ScalarPtr& conjunct : TakeConjuncts(std::move(filter.condition))) {
      (MayRaise(*conjunct) ? raising : safe).push_back(std::move(conjunct));
    }
    if (!safe.empty()) PutFilter(filter.input, MakeAnd(std::move(safe)));
    Pins pins(query_, filter.input);
    for (ScalarPtr& conjunct : raising) Pin(pins, conjunct);
    filter.condition = MakeAnd(std::move(raising));
    if (!pins.empty()) ComputeBelow(node, filter.input, pins.Take());
  }

  void PinJoin(PlanPtr& node) {
    auto& join = As<Join>(*node);
    if (join.condition == nullptr || !MayRaise(*join.condition)) return;
    std::vector<PlanColumn> columns = node->columns;
    Pins left(query_, join.left), right(query_, join.right);
    const int replaced = left.Replace(join.condition) + right.Replace(join.condition);
    if (replaced == 0) left.Anchor(join.condition);
    if (!left.empty()) AddColumns(join.left, left.Take());
    if (!right.empty()) AddColumns(join.right, right.Take());
    node->columns = join.left->columns;
    node->columns.insert(node->columns.end(), join.right->columns.begin(), join.right->columns.end());
    ShowOnly(node, std::move(columns));
  }

  QueryPlan& query_;
  absl::flat_hash_set<const Plan*> reading_;
};

}  // namespace

absl::Status PinOperands(const PassContext&, QueryPlan& query) {
  Pinner pinner(query);
  return RewritePlans(query.root, [&](PlanPtr& node) {
    pinner.Visit(node);
    return absl::OkStatus();
  });
}

}  // namespace logquery::emit
