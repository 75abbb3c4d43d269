// Small scalars that passes make, and what they ask of scalars.
#ifndef LOGQUERY_LIB_REWRITE_SCALARS_H_
#define LOGQUERY_LIB_REWRITE_SCALARS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

ScalarPtr MakeBool(bool value);
// A call of the overload of the function `name` that takes these types as they are. The table has one: passes only ask for such.
ScalarPtr MakeTypedCall(std::string_view name, const Type& type, std::vector<ScalarPtr> arguments);
ScalarPtr MakeElement(ScalarPtr record);
ScalarPtr MakePresent(ScalarPtr record);
// TRUE for none, the one itself for one, their $and for more.
ScalarPtr MakeAnd(std::vector<ScalarPtr> conjuncts);

inline bool IsCallOf(const Scalar& scalar, std::string_view function) {
  return scalar.kind == ScalarKind::kCall && As<FunctionCall>(scalar).overload->row->name == function;
}
bool IsTrue(const Scalar& scalar);
bool IsFalseOrNull(const Scalar& scalar);
// A column, or fields and elements of records below one: cheap to read again. A constant or parameter too.
bool IsPath(const Scalar& scalar);
// The parts that are joined by AND, taken out of the condition.
std::vector<ScalarPtr> TakeConjuncts(ScalarPtr condition);
// Has the node give only rows that meet the condition: in its own filter, where it is one, after the conditions there.
void PutFilter(PlanPtr& node, ScalarPtr condition);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_SCALARS_H_
