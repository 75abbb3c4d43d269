// One value of any GoogleSQL type: parameters, constants, and rows in tests and small backends.
//
//     Value who = Value::String("ada");
//     Value when = Value::Timestamp(absl::Now());
//     Value none = Value::Null(Type::Int64());
//     Value days = Value::Array(Type::Date(), {Value::Date(20'000)});
//
// A result's rows are passed on in batches (batch.h), not as values. Thread-safe: immutable after construction.
#ifndef LOGQUERY_VALUE_H_
#define LOGQUERY_VALUE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "logquery/type.h"

namespace logquery {

// A time span in three parts that do not convert into each other.
struct Interval {
  int64_t months = 0;
  int64_t days = 0;
  int64_t micros = 0;
  friend bool operator==(const Interval& a, const Interval& b) {
    return a.months == b.months && a.days == b.days && a.micros == b.micros;
  }
};

class Value {
 public:
  // NULL of INT64.
  Value() = default;

  static Value Null(Type type) { return Value(std::move(type), std::monostate{}); }
  static Value Bool(bool v) { return Value(Type::Bool(), v); }
  static Value Int64(int64_t v) { return Value(Type::Int64(), v); }
  static Value Float64(double v) { return Value(Type::Float64(), v); }
  // Exact decimal digits, such as "-12.5"; not validated.
  static Value Numeric(std::string digits) { return Value(Type::Numeric(), std::move(digits)); }
  static Value BigNumeric(std::string digits) { return Value(Type::BigNumeric(), std::move(digits)); }
  static Value String(std::string v) { return Value(Type::String(), std::move(v)); }
  static Value Bytes(std::string v) { return Value(Type::Bytes(), std::move(v)); }
  // JSON text; not validated.
  static Value Json(std::string text) { return Value(Type::Json(), std::move(text)); }
  // Days since 1970-01-01.
  static Value Date(int64_t days) { return Value(Type::Date(), days); }
  // Microseconds since midnight.
  static Value Time(int64_t micros) { return Value(Type::Time(), micros); }
  // Microseconds since 1970-01-01T00:00:00 in civil time, without a time zone.
  static Value Datetime(int64_t micros) { return Value(Type::Datetime(), micros); }
  // Microseconds since 1970-01-01T00:00:00 UTC.
  static Value TimestampMicros(int64_t micros) { return Value(Type::Timestamp(), micros); }
  // Truncates to microseconds.
  static Value Timestamp(absl::Time t);
  static Value IntervalOf(Interval v) { return Value(Type::Interval(), v); }
  // Each element is NULL or of type `element`.
  static Value Array(Type element, std::vector<Value> elements);
  // `type` is a STRUCT or a record; `fields` has one value for each of its fields. A record gets one element.
  static Value Struct(Type type, std::vector<Value> fields);

  const Type& type() const { return type_; }
  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }

  // The accessors require a non-NULL value of their type.
  bool bool_value() const { return std::get<bool>(data_); }
  // INT64, DATE (days), TIME, DATETIME, TIMESTAMP (microseconds).
  int64_t int64_value() const { return std::get<int64_t>(data_); }
  double float64_value() const { return std::get<double>(data_); }
  // STRING, BYTES, JSON, and the digits of NUMERIC and BIGNUMERIC.
  const std::string& string_value() const { return std::get<std::string>(data_); }
  const Interval& interval_value() const { return std::get<Interval>(data_); }
  // The elements of an ARRAY, or the fields of a STRUCT or record.
  const std::vector<Value>& children() const { return std::get<std::vector<Value>>(data_); }

  // Returns text for people and tests: 5, "text", TIMESTAMP "2026-01-31 08:00:00+00", [1, 2], NULL.
  std::string DebugString() const;

  // Compares type and content; NULL equals NULL, and NaN equals NaN.
  friend bool operator==(const Value& a, const Value& b);
  friend bool operator!=(const Value& a, const Value& b) { return !(a == b); }

 private:
  using Data = std::variant<std::monostate, bool, int64_t, double, std::string, Interval, std::vector<Value>>;
  Value(Type type, Data data) : type_(std::move(type)), data_(std::move(data)) {}

  Type type_;
  Data data_;
};

}  // namespace logquery

#endif  // LOGQUERY_VALUE_H_
