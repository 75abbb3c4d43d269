// Walks a plan bottom-up, and records which columns may hold long values.
#include "lib/engines/duckdb/dialect/long_values.h"

#include <algorithm>
#include <string_view>

namespace logquery::emit {
namespace {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::ArrayMake;
using rewrite::As;
using rewrite::Case;
using rewrite::Cast;
using rewrite::ColumnRef;
using rewrite::Computed;
using rewrite::Constant;
using rewrite::CteScan;
using rewrite::FieldRef;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::kGrows;
using rewrite::LambdaScalar;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanPtr;
using rewrite::Project;
using rewrite::Scalar;
using rewrite::ScalarKind;
using rewrite::ScalarPtr;
using rewrite::SetOperationPlan;
using rewrite::StructMake;
using rewrite::SubqueryScalar;
using rewrite::Unnest;
using rewrite::VisitPlans;
using rewrite::VisitScalars;
using rewrite::Window;
using rewrite::With;
using rewrite::WithEntry;

// Literals of a query up to this size are short.
constexpr size_t kShortBytes = 256;
constexpr size_t kShortArray = 64;

// Returns whether the constant is long when it is written as text.
bool IsLong(const Value& constant) {
  if (constant.is_null()) return false;
  const TypeKind kind = constant.type().kind();
  const bool is_text = kind == TypeKind::kString || kind == TypeKind::kBytes || kind == TypeKind::kJson;
  return (is_text ? constant.string_value() : constant.DebugString()).size() > kShortBytes;
}

}  // namespace

bool HasVariableSize(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kJson:
    case TypeKind::kArray:
      return true;
    case TypeKind::kStruct:
      return std::any_of(type.fields().begin(), type.fields().end(),
                         [](const Field& field) { return HasVariableSize(field.type); });
    default:
      return false;
  }
}

bool Gathers(const AggregateCall& call) {
  const std::string_view name = call.overload->row->name;
  return name == "ARRAY_AGG" || name == "STRING_AGG" || name == "ARRAY_CONCAT_AGG" || name == "APPROX_TOP_SUM";
}

LongValues::LongValues(const Plan& root) {
  VisitPlans(root, [&](const Plan& plan) {
    const With* with = If<With>(&plan);
    if (with == nullptr) return;
    for (const WithEntry& entry : with->entries) entries_.emplace(entry.id, entry.plan.get());
  });
  VisitScalars(root,
               [&](const Scalar& scalar) { any_ = any_ || (scalar.kind != ScalarKind::kColumn && MayBeLong(scalar)); });
  // A recursive entry reads itself, and subqueries columns around them: until nothing more is found.
  size_t known = 0;
  do {
    known = long_.size();
    VisitPlans(root, [&](const Plan& plan) { Look(plan); });
    VisitScalars(root, [&](const Scalar& scalar) {
      const FunctionCall* call = If<FunctionCall>(&scalar);
      if (call == nullptr) return;
      for (const ScalarPtr& argument : call->arguments) {
        const LambdaScalar* lambda = If<LambdaScalar>(argument.get());
        if (lambda == nullptr) continue;
        for (const PlanColumn& parameter : lambda->parameters) Add(parameter, MayBeLong(*call->arguments[0]));
      }
    });
  } while (long_.size() > known);
  any_ = any_ || !long_.empty();
}

void LongValues::Add(const PlanColumn& column, bool may_be_long) {
  if (may_be_long && HasVariableSize(column.type)) long_.insert(column.id);
}

void LongValues::Look(const Plan& plan) {
  if (const Project* project = If<Project>(&plan)) {
    for (const Computed& computed : project->computed) Add(computed.column, MayBeLong(*computed.value));
  } else if (const Aggregate* aggregate = If<Aggregate>(&plan)) {
    for (const Computed& key : aggregate->keys) Add(key.column, MayBeLong(*key.value));
    for (const Aggregate::Call& call : aggregate->calls) Add(call.column, MayBeLong(call.call));
  } else if (const Window* window = If<Window>(&plan)) {
    for (const Window::Call& call : window->calls) Add(call.column, MayBeLong(call.call));
  } else if (const Unnest* unnest = If<Unnest>(&plan)) {
    for (size_t i = 0; i < unnest->elements.size(); ++i) Add(unnest->elements[i], MayBeLong(*unnest->arrays[i]));
  } else if (const CteScan* scan = If<CteScan>(&plan)) {
    const auto entry = entries_.find(scan->cte);
    if (entry == entries_.end()) return;
    for (size_t i = 0; i < scan->columns.size(); ++i) {
      Add(scan->columns[i], long_.contains(entry->second->columns[scan->ordinals[i]].id));
    }
  } else if (const SetOperationPlan* set = If<SetOperationPlan>(&plan)) {
    for (const PlanPtr& input : set->inputs) {
      for (size_t i = 0; i < set->columns.size(); ++i) Add(set->columns[i], long_.contains(input->columns[i].id));
    }
  }
}

bool LongValues::MayBeLong(const AggregateCall& call) const {
  if (call.overload->function->Has(kGrows)) return true;
  return std::any_of(call.arguments.begin(), call.arguments.end(),
                     [&](const ScalarPtr& argument) { return MayBeLong(*argument); });
}

bool LongValues::MayBeLong(const Scalar& scalar) const {
  if (!HasVariableSize(scalar.type)) return false;
  const auto may_be_long = [&](const ScalarPtr& each) { return each != nullptr && MayBeLong(*each); };
  switch (scalar.kind) {
    case ScalarKind::kConstant:
      return IsLong(As<Constant>(scalar).value);
    case ScalarKind::kColumn:
      return long_.contains(As<ColumnRef>(scalar).id);
    case ScalarKind::kParameter:
      return true;
    case ScalarKind::kField:
      return MayBeLong(*As<FieldRef>(scalar).base);
    case ScalarKind::kCall: {
      const FunctionCall& call = As<FunctionCall>(scalar);
      return call.overload->function->Has(kGrows) ||
             std::any_of(call.arguments.begin(), call.arguments.end(), may_be_long);
    }
    case ScalarKind::kCast:
      return MayBeLong(*As<Cast>(scalar).operand);
    case ScalarKind::kCase: {
      const Case& cases = As<Case>(scalar);
      return MayBeLong(*cases.otherwise) ||
             std::any_of(cases.whens.begin(), cases.whens.end(),
                         [&](const Case::When& when) { return MayBeLong(*when.result); });
    }
    case ScalarKind::kStruct: {
      const StructMake& made = As<StructMake>(scalar);
      return std::any_of(made.fields.begin(), made.fields.end(), may_be_long);
    }
    case ScalarKind::kArray: {
      const ArrayMake& made = As<ArrayMake>(scalar);
      return made.elements.size() > kShortArray || std::any_of(made.elements.begin(), made.elements.end(), may_be_long);
    }
    case ScalarKind::kSubquery: {
      const SubqueryScalar& subquery = As<SubqueryScalar>(scalar);
      return subquery.form == SubqueryScalar::Form::kArray || long_.contains(subquery.plan->columns[0].id);
    }
    case ScalarKind::kLambda:
      return MayBeLong(*As<LambdaScalar>(scalar).body);
  }
  return true;
}

}  // namespace logquery::emit
