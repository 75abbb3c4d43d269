#include "lib/rewrite/scalar_equal.h"

namespace logquery::rewrite {
namespace {

bool AllEqual(const std::vector<ScalarPtr>& a, const std::vector<ScalarPtr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Equal(*a[i], *b[i])) return false;
  }
  return true;
}

bool CasesEqual(const Case& a, const Case& b) {
  if (!Equal(a.operand, b.operand) || !Equal(a.otherwise, b.otherwise) || a.whens.size() != b.whens.size())
    return false;
  for (size_t i = 0; i < a.whens.size(); ++i) {
    if (!Equal(a.whens[i].condition, b.whens[i].condition) || !Equal(a.whens[i].result, b.whens[i].result))
      return false;
  }
  return true;
}

bool KeysEqual(const std::vector<OrderKey>& a, const std::vector<OrderKey>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].descending != b[i].descending || a[i].nulls_first != b[i].nulls_first || !Equal(a[i].value, b[i].value)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool Equal(const ScalarPtr& a, const ScalarPtr& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return Equal(*a, *b);
}

bool Equal(const Scalar& a, const Scalar& b) {
  if (a.kind != b.kind || !Type::SameLayout(a.type, b.type)) return false;
  switch (a.kind) {
    case ScalarKind::kConstant:
      return As<Constant>(a).value == As<Constant>(b).value;
    case ScalarKind::kColumn:
      return As<ColumnRef>(a).id == As<ColumnRef>(b).id;
    case ScalarKind::kParameter:
      return As<ParameterRef>(a).name == As<ParameterRef>(b).name;
    case ScalarKind::kField:
      return As<FieldRef>(a).index == As<FieldRef>(b).index && Equal(*As<FieldRef>(a).base, *As<FieldRef>(b).base);
    case ScalarKind::kCall: {
      const auto &x = As<FunctionCall>(a), &y = As<FunctionCall>(b);
      const Function* function = FindFunction(x.overload->row->name);
      if (function == nullptr || function->Has(kVolatile)) return false;
      return x.overload == y.overload && x.safe == y.safe && AllEqual(x.arguments, y.arguments);
    }
    case ScalarKind::kCast: {
      const auto &x = As<Cast>(a), &y = As<Cast>(b);
      return x.safe == y.safe && Equal(*x.operand, *y.operand) && Equal(x.format, y.format) &&
             Equal(x.time_zone, y.time_zone);
    }
    case ScalarKind::kCase:
      return CasesEqual(As<Case>(a), As<Case>(b));
    case ScalarKind::kStruct:
      return AllEqual(As<StructMake>(a).fields, As<StructMake>(b).fields);
    case ScalarKind::kArray:
      return AllEqual(As<ArrayMake>(a).elements, As<ArrayMake>(b).elements);
    case ScalarKind::kSubquery:
    case ScalarKind::kLambda:
      return false;
  }
  return false;
}

bool Equal(const AggregateCall& a, const AggregateCall& b) {
  return a.overload == b.overload && a.distinct == b.distinct && a.ignore_nulls == b.ignore_nulls &&
         a.respect_nulls == b.respect_nulls && a.having_max == b.having_max && a.safe == b.safe &&
         AllEqual(a.arguments, b.arguments) && Equal(a.having, b.having) && Equal(a.limit, b.limit) &&
         Equal(a.filter, b.filter) && KeysEqual(a.order_by, b.order_by);
}

}  // namespace logquery::rewrite
