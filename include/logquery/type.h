// The types of GoogleSQL, as small immutable values.
//
//     Type ids = Type::Array(Type::String());
//     ids.ToString();                               // "ARRAY<STRING>"
//     Type request = Type::Struct({{"method", Type::String()}, {"path", Type::String()}});
//     Type metadata = Type::Record({{"request", Type::Record(request.fields())}});
//
// A *record* is what BigQuery calls a repeated record; our logs nest everything in records. Queries see an
// ARRAY<STRUCT<…>> of length 0 or 1. Storage holds the STRUCT itself, or NULL if the row has no such record. A record
// prints and compares as that ARRAY<STRUCT<…>>; only is_record() distinguishes the two.
//
// Copying is cheap (shared structure). Thread-safe: immutable after construction.
#ifndef LOGQUERY_TYPE_H_
#define LOGQUERY_TYPE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace logquery {

enum class TypeKind {
  kBool,
  kInt64,
  kFloat64,
  kNumeric,
  kBigNumeric,
  kString,
  kBytes,
  kDate,
  kTime,
  kDatetime,
  kTimestamp,
  kInterval,
  kJson,
  kArray,
  kStruct,
};

// Returns the kind's GoogleSQL name, such as "INT64".
std::string_view TypeKindName(TypeKind kind);

struct Field;

class Type {
 public:
  // INT64, as an arbitrary default.
  Type() = default;
  // A type without parts; `kind` must not be kArray or kStruct.
  explicit Type(TypeKind kind) : kind_(kind) {}

  static Type Bool() { return Type(TypeKind::kBool); }
  static Type Int64() { return Type(TypeKind::kInt64); }
  static Type Float64() { return Type(TypeKind::kFloat64); }
  static Type Numeric() { return Type(TypeKind::kNumeric); }
  static Type BigNumeric() { return Type(TypeKind::kBigNumeric); }
  static Type String() { return Type(TypeKind::kString); }
  static Type Bytes() { return Type(TypeKind::kBytes); }
  static Type Date() { return Type(TypeKind::kDate); }
  static Type Time() { return Type(TypeKind::kTime); }
  static Type Datetime() { return Type(TypeKind::kDatetime); }
  static Type Timestamp() { return Type(TypeKind::kTimestamp); }
  static Type Interval() { return Type(TypeKind::kInterval); }
  static Type Json() { return Type(TypeKind::kJson); }
  static Type Array(Type element);
  static Type Struct(std::vector<Field> fields);
  // ARRAY<STRUCT<fields>> of length 0 or 1, stored as the STRUCT.
  static Type Record(std::vector<Field> fields);

  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }
  bool is_array() const { return kind_ == TypeKind::kArray; }
  bool is_struct() const { return kind_ == TypeKind::kStruct; }
  bool is_record() const { return record_; }

  // The element's type; requires an array.
  const Type& element() const;
  // The fields in order; requires a struct or a record. Names may be empty or repeated.
  const std::vector<Field>& fields() const;
  // Returns the index of the first field with this name, compared case-insensitively; -1 if there is none.
  int FindField(std::string_view name) const;

  // Returns GoogleSQL text: "STRUCT<a INT64, b ARRAY<DATE>>".
  std::string ToString() const;

  // Returns whether queries see the same type: field names compare case-insensitively, and a record equals its array.
  friend bool operator==(const Type& a, const Type& b);
  friend bool operator!=(const Type& a, const Type& b) { return !(a == b); }

  // Returns whether the types are also stored in the same way: in addition, both must have records in the same places.
  static bool SameLayout(const Type& a, const Type& b);

 private:
  struct Parts;
  TypeKind kind_ = TypeKind::kInt64;
  bool record_ = false;
  std::shared_ptr<const Parts> parts_;
};

struct Field {
  std::string name;
  Type type;
};

// The columns of a result, in order.
using Schema = std::vector<Field>;

}  // namespace logquery

#endif  // LOGQUERY_TYPE_H_
