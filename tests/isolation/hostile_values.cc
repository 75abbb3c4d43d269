// Values that functions fail on, of each type that a column can have.
#include <limits>

#include "tests/isolation/stored_cases.h"
#include "tests/isolation/stored_rows.h"

namespace logquery::isolation {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();

std::vector<Value> Strings() {
  std::vector<Value> values;
  for (const char* text : {"zqx", "(zqx", "", "%Ezqx", "%zqx", "[zqx", "{\"a\": zqx", "$.zqx[", "zqx\\",
                           "9223372036854775808", "2026-02-30", "1e999zqx", "zqx/Nowhere", "*zqx"}) {
    values.push_back(Value::String(text));
  }
  return values;
}

std::vector<Value> Integers() {
  return {Value::Int64(0),      Value::Int64(-1),        Value::Int64(kMost),
          Value::Int64(kLeast), Value::Int64(1'114'112), Value::Int64(4'242'424'242)};
}

std::vector<Value> Floats() {
  return {Value::Float64(0),
          Value::Float64(-1.5),
          Value::Float64(std::numeric_limits<double>::max()),
          Value::Float64(std::numeric_limits<double>::infinity()),
          Value::Float64(std::numeric_limits<double>::quiet_NaN()),
          Value::Float64(4242424242.5)};
}

// The first and the last of a type whose values are numbers.
std::vector<Value> Ends(Value (*make)(int64_t), int64_t first, int64_t last) { return {make(first), make(last)}; }

}  // namespace

std::vector<Value> HostileValues(const Type& type) {
  constexpr int64_t kFirstDay = -719'162, kLastDay = 2'932'896, kDay = 86'400'000'000;
  switch (type.kind()) {
    case TypeKind::kBool:
      return {Value::Bool(false), Value::Bool(true)};
    case TypeKind::kInt64:
      return Integers();
    case TypeKind::kFloat64:
      return Floats();
    case TypeKind::kNumeric:
      return {Value::Numeric("0"), Value::Numeric("99999999999999999999999999999.999999999"), Value::Numeric("-1")};
    case TypeKind::kBigNumeric:
      return {Value::BigNumeric("0"), Value::BigNumeric("5e38"), Value::BigNumeric("-1")};
    case TypeKind::kString:
      return Strings();
    case TypeKind::kBytes:
      return {Value::Bytes("\xff\xfezqx"), Value::Bytes(""), Value::Bytes("(zqx")};
    case TypeKind::kDate:
      return Ends(Value::Date, kFirstDay, kLastDay);
    case TypeKind::kTime:
      return Ends(Value::Time, 0, kDay - 1);
    case TypeKind::kDatetime:
      return Ends(Value::Datetime, kFirstDay * kDay, (kLastDay + 1) * kDay - 1);
    case TypeKind::kTimestamp:
      return Ends(Value::TimestampMicros, kFirstDay * kDay, (kLastDay + 1) * kDay - 1);
    case TypeKind::kInterval:
      return {Value::IntervalOf({.months = 120'000}), Value::IntervalOf({.months = -120'000})};
    case TypeKind::kJson:
      return {Value::Json("\"zqx\""), Value::Json("{}"), Value::Json("[1e400, \"zqx\"]"), Value::Json("null")};
    case TypeKind::kArray: {
      std::vector<Value> arrays = {Value::Array(type.element(), {})};
      for (const Value& value : HostileValues(type.element())) arrays.push_back(Value::Array(type.element(), {value}));
      return arrays;
    }
    case TypeKind::kStruct:
      return {Value::Null(type)};
    default:
      return {Value::Null(type)};
  }
}

}  // namespace logquery::isolation
