// Helpers that build and inspect small scalars, for passes.
#ifndef LOGQUERY_LIB_REWRITE_SCALARS_H_
#define LOGQUERY_LIB_REWRITE_SCALARS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

ScalarPtr MakeBool(bool value);
// Calls the overload of the function `name` that accepts these types without conversion, which must exist.
ScalarPtr MakeTypedCall(std::string_view name, const Type& type, std::vector<ScalarPtr> arguments);
// The same with each argument by itself: MakeTypedCall("$equal", Type::Bool(), MakeColumnRef(column), MakeInt64(1)).
template <typename... Arguments>
ScalarPtr MakeTypedCall(std::string_view name, const Type& type, ScalarPtr first, Arguments... others) {
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(first));
  (arguments.push_back(std::move(others)), ...);
  return MakeTypedCall(name, type, std::move(arguments));
}
// Returns the overload of an aggregate or window function with so many parameters, the first one of several; it must exist.
const Overload* OverloadWith(std::string_view name, size_t parameters);
ScalarPtr MakeColumnRef(const PlanColumn& column);
ScalarPtr MakeInt64(int64_t value);
ScalarPtr MakeElement(ScalarPtr record);
ScalarPtr MakePresent(ScalarPtr record);
// Returns TRUE for no conjuncts, a single conjunct itself, and otherwise their $and.
ScalarPtr MakeAnd(std::vector<ScalarPtr> conjuncts);

inline bool IsCallOf(const Scalar& scalar, std::string_view function) {
  return scalar.kind == ScalarKind::kCall && As<FunctionCall>(scalar).overload->row->name == function;
}
// Returns the value of an argument of a FunctionCall or AggregateCall if it is a constant other than NULL; otherwise nullptr.
template <typename Call>
const Value* ConstantArgument(const Call& call, size_t i) {
  if (i >= call.arguments.size()) return nullptr;
  const auto* const constant = If<Constant>(call.arguments[i].get());
  return constant == nullptr || constant->value.is_null() ? nullptr : &constant->value;
}
bool IsTrue(const Scalar& scalar);
bool IsFalseOrNull(const Scalar& scalar);
// Returns whether the scalar is cheap to read repeatedly: a column, a path of fields and record elements below one, a
// constant or a parameter.
bool IsPath(const Scalar& scalar);
// The operands of a condition's top-level ANDs.
std::vector<const Scalar*> ConjunctsOf(const Scalar& condition);
std::vector<ScalarPtr> TakeConjuncts(ScalarPtr condition);
// Filters the node's rows by the condition. If the node is a Filter, appends the condition to its own.
void PutFilter(PlanPtr& node, ScalarPtr condition);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_SCALARS_H_
