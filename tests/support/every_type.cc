// Each value follows from its row's number, so that a row that is lost or repeated is seen.
#include "tests/support/every_type.h"

#include <string>
#include <utility>

namespace logquery::testing {
namespace {

const Type& Inner() {
  static const Type& type = *new Type(Type::Struct({{"c", Type::String()}, {"d", Type::Array(Type::Date())}}));
  return type;
}

const Type& Outer() {
  static const Type& type = *new Type(Type::Struct({{"a", Type::Int64()}, {"b", Inner()}}));
  return type;
}

const Type& InnerRecord() {
  static const Type& type = *new Type(Type::Record({{"y", Type::Bool()}}));
  return type;
}

const Type& OuterRecord() {
  static const Type& type = *new Type(Type::Record({{"x", Type::String()}, {"r", InnerRecord()}}));
  return type;
}

const Type& Pair() {
  static const Type& type = *new Type(Type::Struct({{"k", Type::String()}, {"v", Type::Float64()}}));
  return type;
}

// Every third text is stored inline, every third by pointer, every third is long.
std::string Text(int64_t i) {
  std::string text = "t" + std::to_string(i) + "é";
  if (i % 3 == 1) text += " is more than twelve bytes";
  if (i % 3 == 2) text += std::string(static_cast<size_t>(i % 7 + 1) * 100, 'x');
  return text;
}

Value OrNull(bool is_null, Value value) { return is_null ? Value::Null(value.type()) : value; }

// Returns the digits without trailing zeros, as values are read back.
std::string Digits(int64_t i, int scale) {
  std::string fraction = std::to_string(i * 7919 % 1'000'000'000);
  fraction.insert(0, static_cast<size_t>(9 - fraction.size()), '0');
  if (scale > 9) fraction += std::string(static_cast<size_t>(scale - 9), '3');
  fraction.erase(fraction.find_last_not_of('0') + 1);
  const std::string digits = std::to_string(i * 104'729) + (fraction.empty() ? "" : "." + fraction);
  return i % 2 == 0 ? digits : "-" + digits;
}

std::vector<Value> Many(int64_t i, Value (*make)(int64_t)) {
  std::vector<Value> values;
  for (int64_t n = 0; n < i % 4; ++n) values.push_back(OrNull((i + n) % 3 == 0, make(i + n)));
  return values;
}

Value StructOf(int64_t i) {
  Value days = Value::Array(Type::Date(), Many(i, [](int64_t n) { return Value::Date(n - 1000); }));
  Value inner =
      Value::Struct(Inner(), {OrNull(i % 4 == 0, Value::String(Text(i))), OrNull(i % 3 == 0, std::move(days))});
  return Value::Struct(Outer(), {OrNull(i % 6 == 0, Value::Int64(-i)), OrNull(i % 7 == 0, std::move(inner))});
}

Value RecordOf(int64_t i) {
  Value inner = Value::Struct(InnerRecord(), {OrNull(i % 4 == 0, Value::Bool(i % 2 == 0))});
  return Value::Struct(OuterRecord(),
                       {OrNull(i % 6 == 0, Value::String(Text(i))), OrNull(i % 3 == 0, std::move(inner))});
}

Value PairOf(int64_t i) {
  return Value::Struct(Pair(),
                       {Value::String(Text(i)), OrNull(i % 2 == 0, Value::Float64(static_cast<double>(i) / 8))});
}

std::vector<Value> RowOf(int64_t i) {
  constexpr int64_t kDay = 86'400'000'000;
  std::vector<Value> row = {
      Value::Bool(i % 2 == 0),
      Value::Int64(i * 1'000'000'007 - 5),
      Value::Float64(static_cast<double>(i) / 3 - 7),
      Value::Numeric(Digits(i, 9)),
      Value::BigNumeric(Digits(i, 38)),
      Value::String(Text(i)),
      Value::Bytes(std::string("\0\xff", 2) + Text(i)),
      Value::Date(i * 37 - 20'000),
      Value::Time(i * 1'234'567'891 % kDay),
      Value::Datetime(i * 987'654'321'987 - kDay),
      Value::TimestampMicros(i * 123'456'789'123 - 5 * kDay),
      Value::IntervalOf({i % 30 - 15, i % 90 - 45, i * 1'000'003 - 500'000}),
      Value::Json("{\"n\":" + std::to_string(i) + ",\"t\":\"" + Text(i) + "\"}"),
      Value::Array(Type::String(), Many(i, [](int64_t n) { return Value::String(Text(n)); })),
      Value::Array(Type::Numeric(), Many(i + 1, [](int64_t n) { return Value::Numeric(Digits(n, 9)); })),
      StructOf(i),
      RecordOf(i),
      Value::Array(Pair(), Many(i + 2, PairOf)),
  };
  for (size_t column = 0; column < row.size(); ++column) {
    if ((static_cast<size_t>(i) + column) % 5 == 0) row[column] = Value::Null(row[column].type());
  }
  return row;
}

}  // namespace

Schema EveryType() {
  return {{"b", Type::Bool()},
          {"i", Type::Int64()},
          {"f", Type::Float64()},
          {"n", Type::Numeric()},
          {"bn", Type::BigNumeric()},
          {"s", Type::String()},
          {"by", Type::Bytes()},
          {"d", Type::Date()},
          {"t", Type::Time()},
          {"dt", Type::Datetime()},
          {"ts", Type::Timestamp()},
          {"iv", Type::Interval()},
          {"j", Type::Json()},
          {"texts", Type::Array(Type::String())},
          {"numbers", Type::Array(Type::Numeric())},
          {"st", Outer()},
          {"rec", OuterRecord()},
          {"pairs", Type::Array(Pair())}};
}

std::vector<std::vector<Value>> EveryTypeRows(int64_t count) {
  std::vector<std::vector<Value>> rows;
  rows.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) rows.push_back(RowOf(i));
  return rows;
}

}  // namespace logquery::testing
