#include "lib/rewrite/plan_walk.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::rewrite {
namespace {

// Gathers places of children behind what stands in the list already.
class Gatherer {
 public:
  explicit Gatherer(std::vector<ChildSlot>& slots, bool empty = false) : empty_(empty), slots_(slots) {}

  void Add(ScalarPtr& scalar) {
    if (scalar != nullptr || empty_) slots_.push_back({&scalar, nullptr});
  }
  void Add(PlanPtr& plan) {
    if (plan != nullptr || empty_) slots_.push_back({nullptr, &plan});
  }
  template <typename T>
  void Add(std::vector<T>& all) {
    for (T& each : all) Add(each);
  }
  void Add(Case::When& when) {
    Add(when.condition);
    Add(when.result);
  }
  void Add(Computed& computed) { Add(computed.value); }
  void Add(OrderKey& key) { Add(key.value); }
  void Add(WithEntry& entry) { Add(entry.plan); }
  void Add(AggregateCall& call) {
    Add(call.arguments);
    Add(call.having);
    Add(call.order_by);
    Add(call.limit);
    Add(call.filter);
  }
  void Add(Aggregate::Call& call) { Add(call.call); }
  void Add(Window::Call& call) {
    Add(call.call);
    Add(call.partition_by);
    Add(call.order_by);
    if (call.frame.has_value()) {
      Add(call.frame->start_offset);
      Add(call.frame->end_offset);
    }
  }

 private:
  const bool empty_;
  std::vector<ChildSlot>& slots_;
};

void AddChildren(Gatherer& out, Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kConstant:
    case ScalarKind::kColumn:
    case ScalarKind::kParameter:
      return;
    case ScalarKind::kField:
      return out.Add(As<FieldRef>(scalar).base);
    case ScalarKind::kCall:
      return out.Add(As<FunctionCall>(scalar).arguments);
    case ScalarKind::kCast: {
      auto& cast = As<Cast>(scalar);
      out.Add(cast.operand);
      out.Add(cast.format);
      return out.Add(cast.time_zone);
    }
    case ScalarKind::kCase: {
      auto& branches = As<Case>(scalar);
      out.Add(branches.operand);
      out.Add(branches.whens);
      return out.Add(branches.otherwise);
    }
    case ScalarKind::kStruct:
      return out.Add(As<StructMake>(scalar).fields);
    case ScalarKind::kArray:
      return out.Add(As<ArrayMake>(scalar).elements);
    case ScalarKind::kSubquery:
      out.Add(As<SubqueryScalar>(scalar).value);
      return out.Add(As<SubqueryScalar>(scalar).plan);
    case ScalarKind::kLambda:
      return out.Add(As<LambdaScalar>(scalar).body);
  }
}

void AddUnnest(Gatherer& out, Unnest& unnest) {
  out.Add(unnest.input);
  out.Add(unnest.arrays);
  out.Add(unnest.condition);
}

void AddChildren(Gatherer& out, Plan& plan) {
  switch (plan.kind) {
    case PlanKind::kSingleRow:
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
      return;
    case PlanKind::kWith:
      out.Add(As<With>(plan).entries);
      return out.Add(As<With>(plan).body);
    case PlanKind::kProject:
      out.Add(As<Project>(plan).input);
      return out.Add(As<Project>(plan).computed);
    case PlanKind::kFilter:
      out.Add(As<Filter>(plan).input);
      return out.Add(As<Filter>(plan).condition);
    case PlanKind::kJoin:
      out.Add(As<Join>(plan).left);
      out.Add(As<Join>(plan).right);
      return out.Add(As<Join>(plan).condition);
    case PlanKind::kUnnest:
      return AddUnnest(out, As<Unnest>(plan));
    case PlanKind::kAggregate:
      out.Add(As<Aggregate>(plan).input);
      out.Add(As<Aggregate>(plan).keys);
      return out.Add(As<Aggregate>(plan).calls);
    case PlanKind::kWindow:
      out.Add(As<Window>(plan).input);
      return out.Add(As<Window>(plan).calls);
    case PlanKind::kSetOperation:
      return out.Add(As<SetOperationPlan>(plan).inputs);
    case PlanKind::kSort:
      out.Add(As<Sort>(plan).input);
      return out.Add(As<Sort>(plan).keys);
    case PlanKind::kLimit:
      out.Add(As<Limit>(plan).input);
      out.Add(As<Limit>(plan).limit);
      return out.Add(As<Limit>(plan).offset);
  }
}

void AddChildren(Gatherer& out, const ChildSlot& slot) {
  if (slot.scalar != nullptr) return AddChildren(out, **slot.scalar);
  AddChildren(out, **slot.plan);
}

// Visits `roots` and everything below them, each before its children: those that it has after the visit.
void Walk(std::vector<ChildSlot> roots, absl::FunctionRef<void(const ChildSlot&)> visit) {
  std::reverse(roots.begin(), roots.end());
  std::vector<ChildSlot>& to_do = roots;
  while (!to_do.empty()) {
    const ChildSlot slot = to_do.back();
    to_do.pop_back();
    visit(slot);
    // Gathered where they are needed: a list for each node was most of what a visit took.
    const auto before = static_cast<std::ptrdiff_t>(to_do.size());
    Gatherer out(to_do);
    AddChildren(out, slot);
    std::reverse(to_do.begin() + before, to_do.end());
  }
}

std::vector<ChildSlot> Below(std::vector<ChildSlot> roots) {
  std::vector<ChildSlot> found;
  Walk(std::move(roots), [&](const ChildSlot& slot) { found.push_back(slot); });
  return found;
}

std::vector<ChildSlot> OwnScalars(Plan& plan) {
  std::vector<ChildSlot> own = Children(plan);
  std::erase_if(own, [](const ChildSlot& slot) { return slot.scalar == nullptr; });
  return own;
}

// Visiting does not change what it visits: only the callbacks that get a const node come here.
template <typename T>
T& Mutable(const T& node) {
  return const_cast<T&>(node);
}

void VisitScalarsBelow(std::vector<ChildSlot> roots, absl::FunctionRef<void(const Scalar&)> visit) {
  Walk(std::move(roots), [&](const ChildSlot& slot) {
    if (slot.scalar != nullptr) visit(**slot.scalar);
  });
}

// Backwards: what stands before its children in `below` comes after them here.
absl::Status RewriteScalarsBelow(std::vector<ChildSlot> roots, RewriteScalarFn rewrite) {
  std::vector<ChildSlot> below = Below(std::move(roots));
  for (auto slot = below.rbegin(); slot != below.rend(); ++slot) {
    if (slot->scalar == nullptr) continue;
    if (absl::Status status = rewrite(*slot->scalar); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<ChildSlot> Children(Scalar& scalar, bool empty) {
  std::vector<ChildSlot> children;
  Gatherer out(children, empty);
  AddChildren(out, scalar);
  return children;
}

std::vector<ChildSlot> Children(Plan& plan, bool empty) {
  std::vector<ChildSlot> children;
  Gatherer out(children, empty);
  AddChildren(out, plan);
  return children;
}

void VisitPlans(Plan& root, absl::FunctionRef<void(Plan&)> visit) {
  visit(root);
  Walk(Children(root), [&](const ChildSlot& slot) {
    if (slot.plan != nullptr) visit(**slot.plan);
  });
}

void VisitPlans(const Plan& root, absl::FunctionRef<void(const Plan&)> visit) {
  VisitPlans(Mutable(root), [&](Plan& plan) { visit(plan); });
}

void VisitScalars(const Plan& root, absl::FunctionRef<void(const Scalar&)> visit) {
  VisitScalarsBelow(Children(Mutable(root)), visit);
}

void VisitScalars(const Scalar& root, absl::FunctionRef<void(const Scalar&)> visit) {
  visit(root);
  VisitScalarsBelow(Children(Mutable(root)), visit);
}

void VisitOwnScalars(const Plan& plan, absl::FunctionRef<void(const Scalar&)> visit) {
  VisitScalarsBelow(OwnScalars(Mutable(plan)), visit);
}

void ForEachOwnScalar(Plan& plan, absl::FunctionRef<void(ScalarPtr&)> visit) {
  for (const ChildSlot& slot : OwnScalars(plan)) visit(*slot.scalar);
}

void ForEachInput(Plan& plan, absl::FunctionRef<void(PlanPtr&)> visit) {
  for (const ChildSlot& slot : Children(plan)) {
    if (slot.plan != nullptr) visit(*slot.plan);
  }
}

void ForEachInput(const Plan& plan, absl::FunctionRef<void(const Plan&)> visit) {
  ForEachInput(Mutable(plan), [&](PlanPtr& input) { visit(*input); });
}

absl::Status RewriteScalar(ScalarPtr& root, RewriteScalarFn rewrite) {
  return RewriteScalarsBelow({{&root, nullptr}}, rewrite);
}

absl::Status RewriteScalars(PlanPtr& root, RewriteScalarFn rewrite) {
  return RewriteScalarsBelow({{nullptr, &root}}, rewrite);
}

absl::Status RewriteOwnScalars(Plan& plan, RewriteScalarFn rewrite) {
  return RewriteScalarsBelow(OwnScalars(plan), rewrite);
}

absl::Status RewritePlans(PlanPtr& root, RewritePlanFn rewrite) {
  std::vector<ChildSlot> below = Below({{nullptr, &root}});
  for (auto slot = below.rbegin(); slot != below.rend(); ++slot) {
    if (slot->plan == nullptr) continue;
    if (absl::Status status = rewrite(*slot->plan); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckDepth(const Plan& root) {
  struct Place {
    ChildSlot slot;
    int depth;
  };
  std::vector<Place> to_do;
  std::vector<ChildSlot> children;
  for (const ChildSlot& slot : Children(Mutable(root))) to_do.push_back({slot, 2});
  while (!to_do.empty()) {
    Place place = to_do.back();
    to_do.pop_back();
    if (place.depth > kMaxPlanDepth) {
      return absl::InvalidArgumentError(
          base::StrCat("the query nests deeper than ", kMaxPlanDepth, " operations in one another"));
    }
    children.clear();
    Gatherer out(children);
    AddChildren(out, place.slot);
    for (const ChildSlot& slot : children) to_do.push_back({slot, place.depth + 1});
  }
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
