// Builds and inspects small scalars.
#include "lib/rewrite/scalars.h"

#include <cstring>

#include "lib/rewrite/passes/redaction.h"

namespace logquery::rewrite {

ScalarPtr MakeBool(bool value) { return std::make_unique<Constant>(Value::Bool(value)); }

ScalarPtr MakeTypedCall(std::string_view name, const Type& type, std::vector<ScalarPtr> arguments) {
  const Function* function = FindFunction(name);
  const Overload* chosen = &function->overloads.front();
  for (const Overload& overload : function->overloads) {
    const TypePattern& pattern = overload.parameters.front().type;
    bool exact = pattern.kind == TypePattern::Kind::kExact;
    if (exact ? pattern.exact == arguments.front()->type : true) {
      chosen = &overload;
      break;
    }
  }
  return std::make_unique<FunctionCall>(chosen, type, std::move(arguments));
}

const Overload* OverloadWith(std::string_view name, size_t parameters) {
  for (const Overload& overload : FindFunction(name)->overloads) {
    if (overload.parameters.size() == parameters) return &overload;
  }
  return nullptr;
}

ScalarPtr MakeColumnRef(const PlanColumn& column) { return std::make_unique<ColumnRef>(column); }

ScalarPtr MakeInt64(int64_t value) { return std::make_unique<Constant>(Value::Int64(value)); }

ScalarPtr MakeElement(ScalarPtr record) {
  const Type type = record->type.element();
  return MakeTypedCall("$element", type, std::move(record));
}

ScalarPtr MakePresent(ScalarPtr record) { return MakeTypedCall("$present", Type::Bool(), std::move(record)); }

ScalarPtr MakeAnd(std::vector<ScalarPtr> conjuncts) {
  if (conjuncts.empty()) return MakeBool(true);
  if (conjuncts.size() == 1) return std::move(conjuncts[0]);
  return MakeTypedCall("$and", Type::Bool(), std::move(conjuncts));
}

bool IsTrue(const Scalar& scalar) {
  const Constant* constant = If<Constant>(&scalar);
  return constant != nullptr && !constant->value.is_null() && constant->type.is(TypeKind::kBool) &&
         constant->value.bool_value();
}

bool IsFalseOrNull(const Scalar& scalar) {
  const Constant* constant = If<Constant>(&scalar);
  return constant != nullptr &&
         (constant->value.is_null() || (constant->type.is(TypeKind::kBool) && !constant->value.bool_value()));
}

bool IsPath(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kConstant:
    case ScalarKind::kParameter:
    case ScalarKind::kColumn:
      return true;
    case ScalarKind::kField:
      return IsPath(*As<FieldRef>(scalar).base);
    case ScalarKind::kCall:
      // Redacting a record is redacting what is read of it, once the field is known.
      if (!IsCallOf(scalar, "$element") && !IsRedaction(scalar)) return false;
      return IsPath(*As<FunctionCall>(scalar).arguments[0]);
    default:
      return false;
  }
}

std::vector<const Scalar*> ConjunctsOf(const Scalar& condition) {
  if (!IsCallOf(condition, "$and")) return {&condition};
  std::vector<const Scalar*> conjuncts;
  for (const ScalarPtr& argument : As<FunctionCall>(condition).arguments) {
    for (const Scalar* const part : ConjunctsOf(*argument)) conjuncts.push_back(part);
  }
  return conjuncts;
}

std::vector<ScalarPtr> TakeConjuncts(ScalarPtr condition) {
  std::vector<ScalarPtr> conjuncts;
  if (!IsCallOf(*condition, "$and")) {
    conjuncts.push_back(std::move(condition));
    return conjuncts;
  }
  for (ScalarPtr& argument : As<FunctionCall>(*condition).arguments) {
    for (ScalarPtr& part : TakeConjuncts(std::move(argument))) conjuncts.push_back(std::move(part));
  }
  return conjuncts;
}

void PutFilter(PlanPtr& node, ScalarPtr condition) {
  if (Filter* filter = If<Filter>(node.get())) {
    std::vector<ScalarPtr> conjuncts = TakeConjuncts(std::move(filter->condition));
    for (ScalarPtr& part : TakeConjuncts(std::move(condition))) conjuncts.push_back(std::move(part));
    filter->condition = MakeAnd(std::move(conjuncts));
    return;
  }
  node = std::make_unique<Filter>(std::move(node), std::move(condition));
}

}  // namespace logquery::rewrite
