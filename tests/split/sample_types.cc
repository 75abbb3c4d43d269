// Values are ones that no engine refuses for what they are.
#include "tests/split/sample_types.h"

namespace logquery::testing {

using rewrite::TypePattern;
using PatternKind = TypePattern::Kind;

const Type& Record() {
  static const Type& record = *new Type(Type::Record({{"a", Type::Int64()}}));
  return record;
}

std::string NameOf(const Type& type) {
  if (type.is_record()) return "a record";
  if (type.is_array()) return "ARRAY";
  return type.is_struct() ? "STRUCT" : type.ToString();
}

const std::vector<Type>& AllTypes() {
  static const auto& types = *new std::vector<Type>{Type::Bool(),
                                                    Type::Int64(),
                                                    Type::Float64(),
                                                    Type::Numeric(),
                                                    Type::BigNumeric(),
                                                    Type::String(),
                                                    Type::Bytes(),
                                                    Type::Date(),
                                                    Type::Time(),
                                                    Type::Datetime(),
                                                    Type::Timestamp(),
                                                    Type::Interval(),
                                                    Type::Json(),
                                                    Type::Array(Type::Int64()),
                                                    Type::Struct({{"a", Type::Int64()}})};
  return types;
}

bool IsVariable(PatternKind kind) {
  return kind == PatternKind::kAny || kind == PatternKind::kNumber || kind == PatternKind::kOrderable ||
         kind == PatternKind::kGroupable;
}

const TypePattern* VariableOf(const TypePattern& pattern) {
  if (IsVariable(pattern.kind)) return &pattern;
  return pattern.kind == PatternKind::kArray ? VariableOf(pattern.element[0]) : nullptr;
}

bool Takes(PatternKind kind, const Type& type) {
  switch (kind) {
    case PatternKind::kNumber:
      return type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64) || type.is(TypeKind::kNumeric) ||
             type.is(TypeKind::kBigNumeric);
    case PatternKind::kOrderable:
      return !type.is_array() && !type.is_struct() && !type.is(TypeKind::kJson);
    case PatternKind::kGroupable:
      return !type.is(TypeKind::kJson);
    default:
      return true;
  }
}

Type Instance(const TypePattern& pattern, const Type& variable) {
  if (IsVariable(pattern.kind)) return variable;
  if (pattern.kind == PatternKind::kArray) return Type::Array(Instance(pattern.element[0], variable));
  return pattern.exact;
}

Value ConstantOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return Value::Bool(true);
    case TypeKind::kInt64:
      return Value::Int64(1);
    case TypeKind::kFloat64:
      return Value::Float64(1.5);
    case TypeKind::kNumeric:
      return Value::Numeric("1.5");
    case TypeKind::kBigNumeric:
      return Value::BigNumeric("1.5");
    case TypeKind::kString:
      return Value::String("a%");
    case TypeKind::kBytes:
      return Value::Bytes("a%");
    case TypeKind::kDate:
      return Value::Date(1);
    case TypeKind::kTime:
      return Value::Time(1);
    case TypeKind::kDatetime:
      return Value::Datetime(1);
    case TypeKind::kTimestamp:
      return Value::TimestampMicros(1);
    case TypeKind::kInterval:
      return Value::IntervalOf({});
    case TypeKind::kJson:
      return Value::Json("1");
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return Value::Null(type);
  }
  return Value::Null(type);
}

}  // namespace logquery::testing
