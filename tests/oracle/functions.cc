// The functions by their names in the function table. Each is written anew here, apart from the code of the product.
#include "tests/oracle/functions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/numbers.h"
#include "lib/base/strings.h"

namespace logquery::oracle {
namespace {

using Arguments = std::vector<Value>;
using Result = absl::StatusOr<Value>;

bool AnyNull(const Arguments& a) {
  return std::any_of(a.begin(), a.end(), [](const Value& value) { return value.is_null(); });
}

Value Null(const Type& type) { return Value::Null(type); }

// AND, OR: `decides` ends it; otherwise any NULL makes it NULL.
Value Combined(const Arguments& a, bool decides) {
  bool any_null = false;
  for (const Value& value : a) {
    if (value.is_null()) {
      any_null = true;
    } else if (value.bool_value() == decides) {
      return Value::Bool(decides);
    }
  }
  return any_null ? Null(Type::Bool()) : Value::Bool(!decides);
}

Result And(const Type&, const Arguments& a) { return Combined(a, false); }
Result Or(const Type&, const Arguments& a) { return Combined(a, true); }
Result Not(const Type& type, const Arguments& a) {
  return a[0].is_null() ? Null(type) : Value::Bool(!a[0].bool_value());
}

Result IsNull(const Type&, const Arguments& a) { return Value::Bool(a[0].is_null()); }
Result IsTrue(const Type&, const Arguments& a) { return Value::Bool(!a[0].is_null() && a[0].bool_value()); }
Result IsFalse(const Type&, const Arguments& a) { return Value::Bool(!a[0].is_null() && !a[0].bool_value()); }
Result IsDistinct(const Type&, const Arguments& a) { return Value::Bool(Order(a[0], a[1]) != 0); }
Result IsNotDistinct(const Type&, const Arguments& a) { return Value::Bool(Order(a[0], a[1]) == 0); }

Result Between(const Type& type, const Arguments& a) {
  return And(type, {Compared("$greater_or_equal", a[0], a[1]), Compared("$less_or_equal", a[0], a[2])});
}

Result In(const Type&, const Arguments& a) { return IsIn(a[0], Arguments(a.begin() + 1, a.end())); }

Result If(const Type&, const Arguments& a) { return !a[0].is_null() && a[0].bool_value() ? a[1] : a[2]; }

Result Coalesce(const Type& type, const Arguments& a) {
  for (const Value& value : a) {
    if (!value.is_null()) return value;
  }
  return Null(type);
}

Result NullIf(const Type& type, const Arguments& a) {
  const Value equal = Compared("$equal", a[0], a[1]);
  return !equal.is_null() && equal.bool_value() ? Null(type) : a[0];
}

// Numbers are small, so that sums of integers are in range.
template <typename Integers, typename Floats>
Result Arithmetic(const Type& type, const Arguments& a, Integers integers, Floats floats) {
  if (AnyNull(a)) return Null(type);
  if (type.is(TypeKind::kInt64)) return Value::Int64(integers(a[0].int64_value(), a[1].int64_value()));
  return Value::Float64(floats(a[0].float64_value(), a[1].float64_value()));
}

Result Add(const Type& type, const Arguments& a) {
  const auto add = [](auto x, auto y) { return x + y; };
  return Arithmetic(type, a, add, add);
}
Result Subtract(const Type& type, const Arguments& a) {
  const auto subtract = [](auto x, auto y) { return x - y; };
  return Arithmetic(type, a, subtract, subtract);
}
Result Multiply(const Type& type, const Arguments& a) {
  const auto multiply = [](auto x, auto y) { return x * y; };
  return Arithmetic(type, a, multiply, multiply);
}

Result Negate(const Type& type, const Arguments& a) {
  if (AnyNull(a)) return Null(type);
  return type.is(TypeKind::kInt64) ? Value::Int64(-a[0].int64_value()) : Value::Float64(-a[0].float64_value());
}

Result Mod(const Type& type, const Arguments& a) {
  if (AnyNull(a)) return Null(type);
  if (a[1].int64_value() == 0) return absl::OutOfRangeError("division by zero");
  return Value::Int64(a[0].int64_value() % a[1].int64_value());
}

Result Abs(const Type& type, const Arguments& a) {
  return AnyNull(a) ? Null(type) : Value::Int64(std::abs(a[0].int64_value()));
}

// Least and Greatest take values without NaN.
Result Least(const Type& type, const Arguments& a) {
  if (AnyNull(a)) return Null(type);
  return *std::min_element(a.begin(), a.end(), [](const Value& x, const Value& y) { return Order(x, y) < 0; });
}
Result Greatest(const Type& type, const Arguments& a) {
  if (AnyNull(a)) return Null(type);
  return *std::max_element(a.begin(), a.end(), [](const Value& x, const Value& y) { return Order(x, y) < 0; });
}

Result Length(const Type& type, const Arguments& a) {  // of ASCII
  return AnyNull(a) ? Null(type) : Value::Int64(static_cast<int64_t>(a[0].string_value().size()));
}

Result Concat(const Type& type, const Arguments& a) {
  if (AnyNull(a)) return Null(type);
  std::string text;
  for (const Value& value : a) text += value.string_value();
  return Value::String(std::move(text));
}

Result ArrayLength(const Type& type, const Arguments& a) {
  return AnyNull(a) ? Null(type) : Value::Int64(static_cast<int64_t>(a[0].children().size()));
}

using Code = Result (*)(const Type&, const Arguments&);

const std::map<std::string_view, Code>& Functions() {
  static const auto* functions = new std::map<std::string_view, Code>{
      {"$and", And},
      {"$or", Or},
      {"$not", Not},
      {"$is_null", IsNull},
      {"$is_true", IsTrue},
      {"$is_false", IsFalse},
      {"$between", Between},
      {"$in", In},
      {"IF", If},
      {"COALESCE", Coalesce},
      {"IFNULL", Coalesce},
      {"NULLIF", NullIf},
      {"$add", Add},
      {"$subtract", Subtract},
      {"$multiply", Multiply},
      {"$negate", Negate},
      {"MOD", Mod},
      {"ABS", Abs},
      {"LEAST", Least},
      {"GREATEST", Greatest},
      {"LENGTH", Length},
      {"CONCAT", Concat},
      {"$concat", Concat},
      {"ARRAY_LENGTH", ArrayLength},
      {"$is_distinct", IsDistinct},
      {"$is_not_distinct", IsNotDistinct},
  };
  return *functions;
}

bool IsComparison(std::string_view name) {
  return name == "$equal" || name == "$not_equal" || name == "$less" || name == "$less_or_equal" ||
         name == "$greater" || name == "$greater_or_equal";
}

}  // namespace

Value IsIn(const Value& value, const std::vector<Value>& candidates) {
  std::vector<Value> equal;
  equal.reserve(candidates.size());
  for (const Value& candidate : candidates) equal.push_back(Compared("$equal", value, candidate));
  return Combined(equal, true);
}

absl::StatusOr<Value> CallFunction(std::string_view name, const Type& type, const std::vector<Value>& arguments) {
  if (IsComparison(name)) return Compared(name, arguments[0], arguments[1]);
  const auto found = Functions().find(name);
  if (found == Functions().end()) return absl::UnimplementedError(base::StrCat("the evaluator has no function ", name));
  return found->second(type, arguments);
}

absl::StatusOr<Value> CastValue(const Value& value, const Type& type) {
  if (value.is_null()) return Value::Null(type);
  if (value.type() == type) return value;
  if (value.type().is(TypeKind::kInt64) && type.is(TypeKind::kFloat64)) {
    return Value::Float64(static_cast<double>(value.int64_value()));
  }
  if (value.type().is(TypeKind::kInt64) && type.is(TypeKind::kString)) {
    return Value::String(base::StrCat(value.int64_value()));
  }
  if (int64_t number = 0; value.type().is(TypeKind::kString) && type.is(TypeKind::kInt64) &&
                          absl::SimpleAtoi(value.string_value(), &number)) {
    return Value::Int64(number);
  }
  return absl::UnimplementedError(
      base::StrCat("the evaluator has no cast of ", value.type().ToString(), " to ", type.ToString()));
}

}  // namespace logquery::oracle
