// The table of implicit conversions, and the supertypes that follow from it.
#include "lib/rewrite/resolve/coercion.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "lib/base/json_text.h"
#include "lib/base/strings.h"
#include "lib/model/time_text.h"

namespace logquery::rewrite {
namespace {

// The numeric types from narrow to wide: each coerces to those after it.
int NumericRank(TypeKind kind) {
  switch (kind) {
    case TypeKind::kInt64:
      return 0;
    case TypeKind::kNumeric:
      return 1;
    case TypeKind::kBigNumeric:
      return 2;
    case TypeKind::kFloat64:
      return 3;
    default:
      return -1;
  }
}

bool IsTimeLike(TypeKind kind) {
  return kind == TypeKind::kDate || kind == TypeKind::kTime || kind == TypeKind::kDatetime ||
         kind == TypeKind::kTimestamp;
}

// The cost of converting a decimal to FLOAT64, which exceeds all other costs in a query.
constexpr int kFromDecimal = 1 << 20;

// Returns the cost of coercing a column of type `from`; nullopt: it does not coerce.
std::optional<int> TypeCost(const Type& from, const Type& to) {
  if (from == to) return 0;
  int from_rank = NumericRank(from.kind()), to_rank = NumericRank(to.kind());
  // For overloads, GoogleSQL treats FLOAT64 as closer to INT64 than the decimal types. Among several operands, one
  // decimal makes an INT64 a decimal.
  if (from_rank >= 0 && to_rank > from_rank) {
    if (!to.is(TypeKind::kFloat64)) return to_rank - from_rank + 1;
    return from.is(TypeKind::kInt64) ? 1 : kFromDecimal;
  }
  if (from.is(TypeKind::kDate) && to.is(TypeKind::kDatetime)) return 1;
  if (from.is(TypeKind::kDate) && to.is(TypeKind::kTimestamp)) return 2;
  if (from.is(TypeKind::kDatetime) && to.is(TypeKind::kTimestamp)) return 1;
  return std::nullopt;
}

std::optional<int> FieldsCost(const StructMake& from, const Type& to) {
  if (!to.is_struct() || from.fields.size() != to.fields().size()) return std::nullopt;
  int total = 0;
  for (size_t i = 0; i < from.fields.size(); ++i) {
    std::optional<int> cost = CoercionCost(*from.fields[i], to.fields()[i].type);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

std::optional<int> StructCost(const Type& from, const Type& to) {
  if (!from.is_struct() || !to.is_struct() || from.fields().size() != to.fields().size()) return std::nullopt;
  int total = 0;
  for (size_t i = 0; i < from.fields().size(); ++i) {
    const Type& a = from.fields()[i].type;
    const Type& b = to.fields()[i].type;
    std::optional<int> cost = a.is_struct() ? StructCost(a, b) : TypeCost(a, b);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

std::optional<int> ElementsCost(const ArrayMake& from, const Type& to) {
  if (!to.is_array()) return std::nullopt;
  int worst = 0;
  for (const ScalarPtr& element : from.elements) {
    std::optional<int> cost = CoercionCost(*element, to.element());
    if (!cost) return std::nullopt;
    worst = std::max(worst, *cost);
  }
  return worst;
}

std::optional<int> ConstantCost(const Constant& from, const Type& to) {
  TypeKind kind = from.value.type().kind();
  if (kind == TypeKind::kString && (IsTimeLike(to.kind()) || to.is(TypeKind::kBytes))) return 2;
  // 1.5 is a FLOAT64, and as a literal any decimal as well.
  if (kind == TypeKind::kFloat64 && (to.is(TypeKind::kNumeric) || to.is(TypeKind::kBigNumeric))) return 1;
  return std::nullopt;
}

}  // namespace

bool IsUntypedNull(const Scalar& scalar) {
  const Constant* constant = If<Constant>(&scalar);
  return constant != nullptr && constant->value.is_null();
}

// ERROR('…') never returns, so that its type coerces to any other.
bool IsError(const Scalar& scalar) {
  const FunctionCall* call = If<FunctionCall>(&scalar);
  return call != nullptr && std::string_view(call->overload->row->name) == "ERROR";
}

bool IsUntypedEmptyArray(const Scalar& scalar) {
  const ArrayMake* array = If<ArrayMake>(&scalar);
  return array != nullptr && array->elements.empty();
}

std::optional<int> CoercionCost(const Scalar& from, const Type& to) {
  if (from.type == to) return 0;
  if (IsUntypedNull(from) || IsError(from)) return 0;
  if (IsUntypedEmptyArray(from)) return to.is_array() ? std::optional<int>(0) : std::nullopt;
  if (std::optional<int> cost = TypeCost(from.type, to)) return cost;
  if (const Constant* constant = If<Constant>(&from)) return ConstantCost(*constant, to);
  if (const StructMake* made = If<StructMake>(&from)) return FieldsCost(*made, to);
  if (const ArrayMake* made = If<ArrayMake>(&from)) return ElementsCost(*made, to);
  if (from.kind == ScalarKind::kParameter && from.type.is(TypeKind::kString) && IsTimeLike(to.kind())) return 2;
  return StructCost(from.type, to);
}

namespace {

// The one of the types that costs the scalars the least.
struct Cheapest {
  std::optional<Type> type;
  int cost = 0;

  void Try(absl::Span<const Scalar* const> scalars, const Type& candidate) {
    if (type && cost == 0) return;  // none is better
    int total = 0;
    for (const Scalar* scalar : scalars) {
      const std::optional<int> each = CoercionCost(*scalar, candidate);
      if (!each) return;
      total += *each;
      if (type && total >= cost) return;
    }
    type = candidate;
    cost = total;
  }
};

}  // namespace

std::optional<Type> CommonSupertype(absl::Span<const Scalar* const> scalars, OwnRecords* nullable) {
  absl::InlinedVector<Type, 2> candidates;  // each once: a list of thousands has a type or two
  for (const Scalar* scalar : scalars) {
    if (IsUntypedNull(*scalar) || IsUntypedEmptyArray(*scalar) || IsError(*scalar)) continue;
    const bool known = std::any_of(candidates.begin(), candidates.end(),
                                   [&](const Type& type) { return Type::SameLayout(type, scalar->type); });
    if (!known) candidates.push_back(scalar->type);
  }
  if (candidates.empty()) {
    for (const Scalar* scalar : scalars) {
      if (IsUntypedEmptyArray(*scalar)) return scalar->type;
    }
    return Type::Int64();
  }
  Cheapest cheapest;
  for (const Type& candidate : candidates) cheapest.Try(scalars, candidate);
  // INT64 beside literals of decimals and the like: the supertype may be none of theirs, but then it is one of these.
  for (const TypeKind more :
       {TypeKind::kNumeric, TypeKind::kBigNumeric, TypeKind::kFloat64, TypeKind::kDatetime, TypeKind::kTimestamp}) {
    cheapest.Try(scalars, Type(more));
  }
  const std::optional<Type>& best = cheapest.type;
  // A record next to an array that is not a record, or next to NULL where it can't be NULL: all become arrays.
  if (best && best->is_record()) {
    const bool may_be_null = nullable != nullptr && nullable->Has(best->element());
    for (const Scalar* scalar : scalars) {
      const bool fits = IsUntypedNull(*scalar)
                            ? may_be_null
                            : scalar->type.is_record() || IsUntypedEmptyArray(*scalar) || IsError(*scalar);
      if (!fits) return Type::Array(best->element());
    }
  }
  return best;
}

namespace {

absl::StatusOr<ScalarPtr> CoerceConstant(const Constant& from, const Type& to, const std::string& zone) {
  Value value;
  if (from.value.is_null()) {
    value = Value::Null(to);
  } else if (from.value.type().is(TypeKind::kInt64) && to.is(TypeKind::kFloat64)) {
    value = Value::Float64(static_cast<double>(from.value.int64_value()));
  } else if (from.value.type().is(TypeKind::kInt64) && to.is(TypeKind::kNumeric)) {
    value = Value::Numeric(std::to_string(from.value.int64_value()));
  } else if (from.value.type().is(TypeKind::kInt64) && to.is(TypeKind::kBigNumeric)) {
    value = Value::BigNumeric(std::to_string(from.value.int64_value()));
  } else if (from.value.type().is(TypeKind::kFloat64) && (to.is(TypeKind::kNumeric) || to.is(TypeKind::kBigNumeric))) {
    // Converts the number by the digits that it was most likely written with.
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), from.value.float64_value()).ptr;
    absl::StatusOr<Value> parsed =
        model::ParseDecimalText(to, std::string_view(digits, static_cast<size_t>(end - digits)));
    if (!parsed.ok()) return parsed.status();
    value = *std::move(parsed);
  } else if (from.value.type().is(TypeKind::kString)) {
    if (const absl::Status fraction = CheckFraction(to, from.value.string_value()); !fraction.ok()) return fraction;
    absl::StatusOr<Value> parsed = ParseLiteral(to, from.value.string_value(), zone);
    if (!parsed.ok()) return parsed.status();
    value = *std::move(parsed);
  } else {
    return ScalarPtr();
  }
  auto constant = std::make_unique<Constant>(std::move(value));
  constant->span = from.span;
  return ScalarPtr(std::move(constant));
}

absl::Status CoerceAll(std::vector<ScalarPtr>& parts, const Type* each, const std::vector<Field>* fields,
                       const std::string& zone) {
  for (size_t i = 0; i < parts.size(); ++i) {
    absl::StatusOr<ScalarPtr> part = Coerce(std::move(parts[i]), each != nullptr ? *each : (*fields)[i].type, zone);
    if (!part.ok()) return part.status();
    parts[i] = *std::move(part);
  }
  return absl::OkStatus();
}

}  // namespace

ScalarPtr DefaultZone(const Type& from, const Type& to, const std::string& zone) {
  if (zone == "UTC" || from.is(TypeKind::kTimestamp) == to.is(TypeKind::kTimestamp)) return nullptr;
  return std::make_unique<Constant>(Value::String(zone));
}

absl::StatusOr<ScalarPtr> Coerce(ScalarPtr from, const Type& to, const std::string& zone) {
  if (Type::SameLayout(from->type, to) && !IsUntypedNull(*from)) return from;
  if (IsError(*from)) {
    from->type = to;
    return from;
  }
  if (const Constant* constant = If<Constant>(from.get())) {
    absl::StatusOr<ScalarPtr> coerced = CoerceConstant(*constant, to, zone);
    if (!coerced.ok() || *coerced != nullptr) return coerced;
  }
  // An absent record is the empty array.
  if (IsUntypedEmptyArray(*from) && to.is_record()) {
    auto empty = std::make_unique<Constant>(Value::Null(to));
    empty->span = from->span;
    return ScalarPtr(std::move(empty));
  }
  if (ArrayMake* made = If<ArrayMake>(from.get()); made != nullptr && to.is_array() && !to.is_record()) {
    absl::Status status = CoerceAll(made->elements, &to.element(), nullptr, zone);
    if (!status.ok()) return status;
    made->type = to;
    return from;
  }
  if (StructMake* made = If<StructMake>(from.get()); made != nullptr && to.is_struct()) {
    absl::Status status = CoerceAll(made->fields, nullptr, &to.fields(), zone);
    if (!status.ok()) return status;
    made->type = to;
    return from;
  }
  sql::Span span = from->span;
  ScalarPtr time_zone = DefaultZone(from->type, to, zone);
  auto cast = std::make_unique<Cast>(std::move(from), to);
  cast->time_zone = std::move(time_zone);
  cast->span = span;
  return ScalarPtr(std::move(cast));
}

namespace {

absl::StatusOr<Value> ParseJsonText(const std::string& text) {
  std::string compact;
  if (base::AppendCompactJson(text, nullptr, compact)) return Value::Json(text);
  return absl::InvalidArgumentError(
      absl::StrCat("\"", text.substr(0, 60), "\" is no JSON; write it as [1, \"a\", {\"b\": null}]"));
}

}  // namespace

absl::StatusOr<Value> ParseLiteral(const Type& type, const std::string& text, const std::string& zone) {
  switch (type.kind()) {
    case TypeKind::kDate:
      return model::ParseDateText(text);
    case TypeKind::kTime:
      return model::ParseTimeText(text);
    case TypeKind::kDatetime:
      return model::ParseDatetimeText(text);
    case TypeKind::kTimestamp:
      return model::ParseTimestampText(text, zone);
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
      return model::ParseDecimalText(type, text);
    case TypeKind::kJson:
      return ParseJsonText(text);
    case TypeKind::kBytes:
      return Value::Bytes(text);
    case TypeKind::kString:
      return Value::String(text);
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("a literal of type ", type.ToString(), " can't be written as text"));
  }
}

absl::Status CheckFraction(const Type& type, std::string_view text) {
  constexpr size_t kMostDigits = 6;
  if (!IsTimeLike(type.kind())) return absl::OkStatus();
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return absl::OkStatus();
  const std::string_view fraction = text.substr(point + 1);
  const size_t digits = std::min(fraction.find_first_not_of("0123456789"), fraction.size());
  if (digits <= kMostDigits) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("\"", base::ToAbsl(text.substr(0, 60)), "\" has ", digits,
                                                 " fraction digits; write at most ", kMostDigits));
}

bool IsNumeric(const Type& type) { return NumericRank(type.kind()) >= 0; }

bool IsOrderable(const Type& type) { return !type.is_array() && !type.is_struct() && !type.is(TypeKind::kJson); }

bool IsGroupable(const Type& type) {
  if (type.is_array()) return IsGroupable(type.element());
  if (type.is_struct()) {
    return std::all_of(type.fields().begin(), type.fields().end(), [](const Field& f) { return IsGroupable(f.type); });
  }
  return !type.is(TypeKind::kJson);
}

bool IsComparable(const Type& type) { return IsGroupable(type); }

}  // namespace logquery::rewrite
