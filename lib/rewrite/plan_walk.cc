// Defines the children of each node kind, and the walks over them.
#include "lib/rewrite/plan_walk.h"

#include <utility>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::rewrite {
namespace {

// Calls `visit` with the place of each child that is there.
template <typename Visit>
class ChildrenOf {
 public:
  explicit ChildrenOf(Visit& visit) : visit_(visit) {}

  void Of(const ChildSlot& slot) { slot.scalar != nullptr ? Of(**slot.scalar) : Of(**slot.plan); }

  void Of(Scalar& scalar) {
    switch (scalar.kind) {
      case ScalarKind::kConstant:
      case ScalarKind::kColumn:
      case ScalarKind::kParameter:
        return;
      case ScalarKind::kField:
        return Each(As<FieldRef>(scalar).base);
      case ScalarKind::kCall:
        return Each(As<FunctionCall>(scalar).arguments);
      case ScalarKind::kCast:
        return Each(As<Cast>(scalar).operand, As<Cast>(scalar).format, As<Cast>(scalar).time_zone);
      case ScalarKind::kCase:
        return Each(As<Case>(scalar).operand, As<Case>(scalar).whens, As<Case>(scalar).otherwise);
      case ScalarKind::kStruct:
        return Each(As<StructMake>(scalar).fields);
      case ScalarKind::kArray:
        return Each(As<ArrayMake>(scalar).elements);
      case ScalarKind::kSubquery:
        return Each(As<SubqueryScalar>(scalar).value, As<SubqueryScalar>(scalar).plan);
      case ScalarKind::kLambda:
        return Each(As<LambdaScalar>(scalar).body);
    }
  }

  void Of(Plan& plan) {
    switch (plan.kind) {
      case PlanKind::kSingleRow:
      case PlanKind::kTableScan:
      case PlanKind::kCteScan:
        return;
      case PlanKind::kWith:
        return Each(As<With>(plan).entries, As<With>(plan).body);
      case PlanKind::kProject:
        return Each(As<Project>(plan).input, As<Project>(plan).computed);
      case PlanKind::kFilter:
        return Each(As<Filter>(plan).input, As<Filter>(plan).condition);
      case PlanKind::kJoin:
        return Each(As<Join>(plan).left, As<Join>(plan).right, As<Join>(plan).condition);
      case PlanKind::kUnnest:
        return Each(As<Unnest>(plan).input, As<Unnest>(plan).arrays, As<Unnest>(plan).condition);
      case PlanKind::kAggregate:
        return Each(As<Aggregate>(plan).input, As<Aggregate>(plan).keys, As<Aggregate>(plan).calls);
      case PlanKind::kWindow:
        return Each(As<Window>(plan).input, As<Window>(plan).calls);
      case PlanKind::kSetOperation:
        return Each(As<SetOperationPlan>(plan).inputs);
      case PlanKind::kSort:
        return Each(As<Sort>(plan).input, As<Sort>(plan).keys);
      case PlanKind::kLimit:
        return Each(As<Limit>(plan).input, As<Limit>(plan).limit, As<Limit>(plan).offset);
    }
  }

 private:
  template <typename... Parts>
  void Each(Parts&... parts) {
    (Add(parts), ...);
  }
  void Add(ScalarPtr& scalar) {
    if (scalar != nullptr) visit_(ChildSlot{&scalar, nullptr});
  }
  void Add(PlanPtr& plan) {
    if (plan != nullptr) visit_(ChildSlot{nullptr, &plan});
  }
  template <typename T>
  void Add(std::vector<T>& all) {
    for (T& each : all) Add(each);
  }
  void Add(Case::When& when) { Each(when.condition, when.result); }
  void Add(Computed& computed) { Add(computed.value); }
  void Add(OrderKey& key) { Add(key.value); }
  void Add(WithEntry& entry) { Add(entry.plan); }
  void Add(AggregateCall& call) { Each(call.arguments, call.having, call.order_by, call.limit, call.filter); }
  void Add(Aggregate::Call& call) { Add(call.call); }
  void Add(Window::Call& call) {
    Each(call.call, call.partition_by, call.order_by);
    if (call.frame.has_value()) Each(call.frame->start_offset, call.frame->end_offset);
  }

  Visit& visit_;
};

// `node`: a Scalar, a Plan, or the place of one.
template <typename Node, typename Visit>
void EachChild(Node& node, Visit visit) {
  ChildrenOf(visit).Of(node);
}

template <typename Visit>
void EachScalarOf(Plan& plan, Visit visit) {
  EachChild(plan, [&](const ChildSlot& slot) {
    if (slot.scalar != nullptr) visit(*slot.scalar);
  });
}

template <typename Visit>
void EachPlanOf(Plan& plan, Visit visit) {
  EachChild(plan, [&](const ChildSlot& slot) {
    if (slot.plan != nullptr) visit(*slot.plan);
  });
}

// Visiting does not change what it visits: only the callbacks that get a const node come here.
template <typename T>
T& Mutable(const T& node) {
  return const_cast<T&>(node);
}

// These functions are recursive: plan_walk.h says what limits the depth.

void VisitScalarIn(Scalar& scalar, absl::FunctionRef<void(const Scalar&)> visit);

void VisitScalarsIn(Plan& plan, absl::FunctionRef<void(const Scalar&)> visit) {
  EachChild(plan, [&](const ChildSlot& slot) {
    slot.scalar != nullptr ? VisitScalarIn(**slot.scalar, visit) : VisitScalarsIn(**slot.plan, visit);
  });
}

void VisitScalarIn(Scalar& scalar, absl::FunctionRef<void(const Scalar&)> visit) {
  visit(scalar);
  EachChild(scalar, [&](const ChildSlot& slot) {
    slot.scalar != nullptr ? VisitScalarIn(**slot.scalar, visit) : VisitScalarsIn(**slot.plan, visit);
  });
}

bool IsLeaf(const ChildSlot& slot) {
  return slot.scalar != nullptr &&
         ((*slot.scalar)->kind == ScalarKind::kConstant || (*slot.scalar)->kind == ScalarKind::kColumn ||
          (*slot.scalar)->kind == ScalarKind::kParameter);
}

void VisitPlansIn(Scalar& scalar, absl::FunctionRef<void(Plan&)> visit) {
  EachChild(scalar, [&](const ChildSlot& slot) {
    if (IsLeaf(slot)) return;
    slot.scalar != nullptr ? VisitPlansIn(**slot.scalar, visit) : VisitPlans(**slot.plan, visit);
  });
}

// Most scalars are leaves: they are rewritten without a call of RewriteScalarsIn. `status` is OK before.
void RewriteScalarsIn(ChildSlot slot, RewriteScalarFn rewrite, absl::Status& status) {
  EachChild(slot, [&](const ChildSlot& child) {
    if (!status.ok()) return;
    IsLeaf(child) ? status.Update(rewrite(*child.scalar)) : RewriteScalarsIn(child, rewrite, status);
  });
  if (slot.scalar != nullptr && status.ok()) status.Update(rewrite(*slot.scalar));
}

void RewritePlansIn(ChildSlot slot, RewritePlanFn rewrite, absl::Status& status) {
  const bool plans_alone = slot.plan != nullptr && !(*slot.plan)->may_hold_subqueries;
  EachChild(slot, [&](const ChildSlot& child) {
    if (status.ok() && (plans_alone ? child.plan != nullptr : !IsLeaf(child))) RewritePlansIn(child, rewrite, status);
  });
  if (slot.plan != nullptr && status.ok()) status = rewrite(*slot.plan);
}

}  // namespace

std::vector<ChildSlot> Children(Scalar& scalar) {
  std::vector<ChildSlot> children;
  const auto add = [&](const ChildSlot& slot) { children.push_back(slot); };
  ChildrenOf(add).Of(scalar);
  return children;
}

void ForEachChild(Scalar& scalar, absl::FunctionRef<void(const ChildSlot&)> visit) { EachChild(scalar, visit); }

void VisitPlans(Plan& root, absl::FunctionRef<void(Plan&)> visit) {
  visit(root);
  if (!root.may_hold_subqueries) return ForEachInput(root, [&](PlanPtr& input) { VisitPlans(*input, visit); });
  EachChild(root, [&](const ChildSlot& slot) {
    slot.scalar != nullptr ? VisitPlansIn(**slot.scalar, visit) : VisitPlans(**slot.plan, visit);
  });
}

void VisitPlans(const Plan& root, absl::FunctionRef<void(const Plan&)> visit) {
  VisitPlans(Mutable(root), [&](Plan& plan) { visit(plan); });
}

void VisitScalars(const Plan& root, absl::FunctionRef<void(const Scalar&)> visit) {
  VisitScalarsIn(Mutable(root), visit);
}

void VisitScalars(const Scalar& root, absl::FunctionRef<void(const Scalar&)> visit) {
  VisitScalarIn(Mutable(root), visit);
}

void VisitOwnScalars(const Plan& plan, absl::FunctionRef<void(const Scalar&)> visit) {
  EachScalarOf(Mutable(plan), [&](ScalarPtr& scalar) { VisitScalarIn(*scalar, visit); });
}

void ForEachOwnScalar(Plan& plan, absl::FunctionRef<void(ScalarPtr&)> visit) { EachScalarOf(plan, visit); }

void ForEachInput(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit) { EachPlanOf(plan, visit); }

void ForEachInput(const Plan& plan, absl::FunctionRef<void(const Plan&)> visit) {
  EachPlanOf(Mutable(plan), [&](PlanPtr& input) { visit(*input); });
}

absl::Status RewriteScalar(ScalarPtr& root, RewriteScalarFn rewrite) {
  absl::Status status;
  RewriteScalarsIn({&root, nullptr}, rewrite, status);
  return status;
}

absl::Status RewriteScalars(PlanPtr& root, RewriteScalarFn rewrite) {
  absl::Status status;
  RewriteScalarsIn({nullptr, &root}, rewrite, status);
  return status;
}

absl::Status RewriteOwnScalars(Plan& plan, RewriteScalarFn rewrite) {
  absl::Status status;
  EachScalarOf(plan, [&](ScalarPtr& scalar) {
    if (status.ok()) RewriteScalarsIn({&scalar, nullptr}, rewrite, status);
  });
  return status;
}

absl::Status RewritePlans(PlanPtr& root, RewritePlanFn rewrite) {
  absl::Status status;
  RewritePlansIn({nullptr, &root}, rewrite, status);
  return status;
}

absl::Status CheckDepth(const Plan& root) {
  std::vector<std::pair<ChildSlot, int>> open;  // what is still to be looked at, and how deep it is
  const auto add_children = [&](auto& node, int depth) {
    EachChild(node, [&](const ChildSlot& slot) { open.emplace_back(slot, depth); });
  };
  add_children(Mutable(root), 2);
  while (!open.empty()) {
    const auto [slot, depth] = open.back();
    open.pop_back();
    if (depth > kMaxPlanDepth) {
      return absl::InvalidArgumentError(
          base::StrCat("the query nests deeper than ", kMaxPlanDepth, " operations in one another"));
    }
    add_children(slot, depth + 1);
  }
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
