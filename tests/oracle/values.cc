// Compares values by their types.
#include "tests/oracle/values.h"

#include <algorithm>
#include <cmath>

namespace logquery::oracle {
namespace {

template <typename T>
int Three(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int OrderOfLists(const std::vector<Value>& a, const std::vector<Value>& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (const int order = Order(a[i], b[i]); order != 0) return order;
  }
  return Three(a.size(), b.size());
}

int OrderOfFloats(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return Three(!std::isnan(a), !std::isnan(b));
  return Three(a, b);
}

}  // namespace

bool IsNan(const Value& value) {
  return !value.is_null() && value.type().is(TypeKind::kFloat64) && std::isnan(value.float64_value());
}

int Order(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return Three(!a.is_null(), !b.is_null());
  switch (a.type().kind()) {
    case TypeKind::kBool:
      return Three(a.bool_value(), b.bool_value());
    case TypeKind::kInt64:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return Three(a.int64_value(), b.int64_value());
    case TypeKind::kFloat64:
      return OrderOfFloats(a.float64_value(), b.float64_value());
    case TypeKind::kString:
    case TypeKind::kBytes:
      return Three(a.string_value(), b.string_value());
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return OrderOfLists(a.children(), b.children());
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kInterval:
    case TypeKind::kJson:
      break;  // the queries have none
  }
  return Three(a.DebugString(), b.DebugString());
}

int Order(const Value& a, const Value& b, bool descending, bool nulls_first) {
  if (a.is_null() || b.is_null()) return nulls_first ? Order(a, b) : Order(b, a);
  return descending ? Order(b, a) : Order(a, b);
}

Value Compared(std::string_view function, const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return Value::Null(Type::Bool());
  if (IsNan(a) || IsNan(b)) return Value::Bool(function == "$not_equal");
  const int order = Order(a, b);
  if (function == "$equal") return Value::Bool(order == 0);
  if (function == "$not_equal") return Value::Bool(order != 0);
  if (function == "$less") return Value::Bool(order < 0);
  if (function == "$less_or_equal") return Value::Bool(order <= 0);
  if (function == "$greater") return Value::Bool(order > 0);
  return Value::Bool(order >= 0);
}

bool RowLess::operator()(const Row& a, const Row& b) const { return OrderOfLists(a, b) < 0; }

}  // namespace logquery::oracle
