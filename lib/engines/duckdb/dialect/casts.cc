// Writes casts by pair of types: the text that DuckDB evaluates, and for SAFE_CAST one that raises no error.
#include "lib/engines/duckdb/dialect/casts.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/safe.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;

Sql As(const Sql& value, const Type& type) { return CastText(value, DuckDbType(type)); }

Sql NullOf(const Type& type) {
  Sql null = Cat("NULL::", DuckDbType(type));
  null.facts().simple = !type.is_array() && !type.is_struct();
  return null;
}

absl::Status NoCast(const Type& from, const Type& to) {
  return absl::UnimplementedError(StrCat("CAST from ", from.ToString(), " to ", to.ToString()));
}

// A value that is `sql` when `condition` holds, and else an error that shows it and says what would be right.
Sql Checked(const Sql& condition, const Sql& sql, const Sql& value, const Type& type, std::string_view right) {
  return Cat("CASE WHEN ", condition, " THEN ", sql, " WHEN ", value, " IS NOT NULL THEN ",
             ErrorText(Cat("'Bad ", TypeKindName(type.kind()), " value: \"' || ", value, " || '\"; ", right, "'")),
             " END");
}

// The same value in storage, whatever fields are called.
bool IsSameInStorage(const Type& from, const Type& to) { return DuckDbType(from) == DuckDbType(to); }

Sql TextToBool(const Sql& x) {
  return Checked(Cat("lower(", x, ") IN ('true', 'false')"), Cat("lower(", x, ") = 'true'"), x, Type::Bool(),
                 "a BOOL is true or false");
}

// An underscore between digits is DuckDB's own.
Sql TextToNumber(const Sql& x, const Type& to) {
  return Checked(Cat("NOT contains(", x, ", '_')"), As(x, to), x, to, "no digits are apart by an underscore");
}

StatusOr<Sql> FromText(const Type& to, const Sql& value, const CastZone& zone) {
  switch (to.kind()) {
    case TypeKind::kBool:
      return Once({value}, [](const Texts& a) { return TextToBool(a[0]); });
    // DuckDB takes "1.5", "1e3" and "1_000" for integers.
    case TypeKind::kInt64:
      return Cat("lq_int_of_text(", value, ")");
    case TypeKind::kFloat64:
      return Once({value}, [&](const Texts& a) { return TextToNumber(a[0], to); });
    case TypeKind::kNumeric:
      return Cat("lq_numeric_of_text(", value, ")");
    case TypeKind::kBigNumeric:
      return Cat("lq_big_of_text(", value, ")");
    case TypeKind::kBytes:
      return Cat("encode(", value, ")");
    case TypeKind::kInterval:
      return Cat("lq_to_interval(", value, ")");
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return Once({value}, [&](const Texts& a) { return DuckDbTextToTime(to.kind(), a[0], zone); });
    default:
      return NoCast(Type::String(), to);
  }
}

// Formats as %.15g, or as %.17g if that is not the same number; -0 and -nan have no sign.
Sql FloatToText(const Sql& x) {
  const Sql short_text = Cat("printf('%.15g', ", x, " + 0.0)");
  return Cat("CASE WHEN isnan(", x, ") THEN 'nan' WHEN CAST(", short_text, " AS DOUBLE) = ", x, " THEN ", short_text,
             " ELSE printf('%.17g', ", x, ") END");
}

StatusOr<Sql> ToText(const Type& from, const Sql& value, const CastZone& zone) {
  switch (from.kind()) {
    case TypeKind::kFloat64:
      return Once({value}, [](const Texts& a) { return FloatToText(a[0]); });
    // DuckDB prints all digits after the point.
    case TypeKind::kBigNumeric:
      return Cat("lq_big_to_text(", value, ")");
    case TypeKind::kNumeric:
      return Cat("rtrim(rtrim(CAST(", value, " AS VARCHAR), '0'), '.')");
    case TypeKind::kBytes:
      return Cat("decode(", value, ")");
    case TypeKind::kDate:
      return Cat("strftime(", value, ", '%Y-%m-%d')");
    case TypeKind::kInterval:
      return Once({value}, [](const Texts& a) { return DuckDbIntervalToText(a[0]); });
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return Once({value}, [&](const Texts& a) { return DuckDbTimeToText(from.kind(), a[0], zone); });
    case TypeKind::kBool:
    case TypeKind::kInt64:
      return Cat("CAST(", value, " AS VARCHAR)");
    default:
      return NoCast(from, Type::String());
  }
}

Sql ToBigNumeric(const Type& from, const Sql& value) {
  if (from.is(TypeKind::kNumeric)) return Cat("lq_big_of_text(CAST(", value, " AS VARCHAR))");
  return Cat(from.is(TypeKind::kInt64) ? "lq_big_of_int(" : "lq_big_of_float(", value, ")");
}

Sql FromBigNumeric(const Type& to, const Sql& value) {
  if (to.is(TypeKind::kNumeric)) return Cat("lq_big_to_numeric(", value, ")");
  return Cat(to.is(TypeKind::kInt64) ? "lq_big_to_int(" : "lq_big_to_float(", value, ")");
}

// DuckDB rounds half away from zero from NUMERIC to INT64, and half to even from FLOAT64.
StatusOr<Sql> BetweenNumbers(const Type& from, const Type& to, const Sql& value) {
  if (to.is(TypeKind::kBool)) return Cat("(", value, " <> 0)");
  if (to.is(TypeKind::kBigNumeric)) return ToBigNumeric(from, value);
  if (from.is(TypeKind::kBigNumeric)) return FromBigNumeric(to, value);
  if (from.is(TypeKind::kFloat64) && to.is(TypeKind::kInt64)) return As(Cat("round(", value, ")"), to);
  if (from.is(TypeKind::kFloat64) && to.is(TypeKind::kNumeric)) return Cat("lq_numeric_of_float(", value, ")");
  if (from.is(TypeKind::kNumeric) && to.is(TypeKind::kFloat64)) return Cat("lq_numeric_to_float(", value, ")");
  return As(value, to);
}

StatusOr<Sql> BetweenTimes(const Type& from, const Type& to, const Sql& value, const CastZone& zone) {
  if (from.is(TypeKind::kTimestamp)) {
    const Sql local = to.is(TypeKind::kTime) ? zone.ToLocal(value) : zone.ToLocalInRange(value);
    return to.is(TypeKind::kDatetime) ? local : As(local, to);
  }
  if (from.is(TypeKind::kTime) || (from.is(TypeKind::kDate) && to.is(TypeKind::kTime))) return NoCast(from, to);
  if (to.is(TypeKind::kTimestamp)) {
    return zone.FromLocal(from.is(TypeKind::kDatetime) ? value : As(value, to));
  }
  return As(value, to);
}

bool IsNumber(TypeKind kind) {
  return kind == TypeKind::kInt64 || kind == TypeKind::kFloat64 || kind == TypeKind::kNumeric ||
         kind == TypeKind::kBigNumeric;
}

bool IsTime(TypeKind kind) {
  return kind == TypeKind::kDate || kind == TypeKind::kTime || kind == TypeKind::kDatetime ||
         kind == TypeKind::kTimestamp;
}

// Field by field, by place: DuckDB's own cast goes by name.
StatusOr<Sql> StructToStruct(const Type& from, const Type& to, const Sql& value, const CastZone& zone) {
  if (from.fields().size() != to.fields().size()) return NoCast(from, to);
  const std::vector<std::string> names = DuckDbFieldNames(from.fields());
  absl::Status failed;
  Sql text = Once({value}, [&](const Texts& a) {
    std::vector<Sql> fields;
    for (size_t i = 0; i < names.size(); ++i) {
      StatusOr<Sql> field =
          DuckDbConvert(from.fields()[i].type, to.fields()[i].type, StructField(a[0], names[i]), zone);
      failed.Update(field.status());
      fields.push_back(field.value_or(""));
    }
    StatusOr<Sql> made = DuckDbStruct(to, fields);
    failed.Update(made.status());
    return Cat("CASE WHEN ", a[0], " IS NOT NULL THEN ", made.value_or(""), " END");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<Sql> ArrayToArray(const Type& from, const Type& to, const Sql& value, const CastZone& zone) {
  Texts around = zone.args;
  around.push_back(value);
  const Sql name = FreshName(around);
  LOGQUERY_ASSIGN_OR_RETURN(Sql body, DuckDbConvert(from.element(), to.element(), name, zone));
  return Cat("list_transform(", value, ", lambda ", name, ": ", body, ")");
}

// A record is to queries an array of its one STRUCT, or of none.
StatusOr<Sql> RecordToArray(const Type& from, const Type& to, const Sql& value, const CastZone& zone) {
  absl::Status failed;
  Sql text = Once({value}, [&](const Texts& a) {
    StatusOr<Sql> element = DuckDbConvert(from.element(), to.element(), a[0], zone);
    failed.Update(element.status());
    return Cat("CASE WHEN ", a[0], " IS NULL THEN [] ELSE [", element.value_or(""), "] END");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<Sql> BetweenArrays(const Type& from, const Type& to, const Sql& value, const CastZone& zone) {
  if (from.is_record() && to.is_record()) return StructToStruct(from.element(), to.element(), value, zone);
  if (from.is_record()) return RecordToArray(from, to, value, zone);
  if (!to.is_record()) return ArrayToArray(from, to, value, zone);
  LOGQUERY_ASSIGN_OR_RETURN(Sql element, DuckDbConvert(from.element(), to.element(), Cat("(", value, ")[1]"), zone));
  return element;
}

// Casts between BYTES and STRING. The formats of numbers and times are not supported here.
StatusOr<Sql> CastWithFormat(const CastTexts& texts) {
  const Type& from = texts.cast->operand->type;
  const Type& to = texts.cast->type;
  const bool to_text = from.is(TypeKind::kBytes) && to.is(TypeKind::kString);
  if (!to_text && !(from.is(TypeKind::kString) && to.is(TypeKind::kBytes))) {
    return absl::UnimplementedError(StrCat("CAST from ", from.ToString(), " to ", to.ToString(), " with FORMAT"));
  }
  const auto make = [&](const Texts& a) -> StatusOr<Sql> {
    return Cat(to_text ? "lq_bytes_to_text(" : "lq_text_to_bytes(", a[0], ", ", a[1], ")");
  };
  const Texts operands = {texts.operand.ToSql(), texts.format};
  if (texts.cast->safe) return DuckDbSafe("CAST", operands, make);
  return make(operands);
}

// Returns SQL that is true if the cast of a part of `value`, which raises no error, is NULL for a part that is not:
// then the cast of the whole fails.
StatusOr<Sql> AnyPartFails(const Type& from, const Type& to, const Sql& value, const CastZone& zone) {
  if (from.is_struct() && to.is_struct() && from.fields().size() == to.fields().size()) {
    const std::vector<std::string> names = DuckDbFieldNames(from.fields());
    Texts parts = {"FALSE"};
    for (size_t i = 0; i < names.size(); ++i) {
      const Sql field = StructField(value, names[i]);
      LOGQUERY_ASSIGN_OR_RETURN(Sql part, AnyPartFails(from.fields()[i].type, to.fields()[i].type, field, zone));
      parts.push_back(std::move(part));
    }
    return Balanced(parts, "OR");
  }
  if (from.is_array() && to.is_array() && !from.is_record() && !to.is_record()) {
    const Sql name = FreshName({value});
    LOGQUERY_ASSIGN_OR_RETURN(const Sql part, AnyPartFails(from.element(), to.element(), name, zone));
    return Cat("(COALESCE(len(list_filter(", value, ", lambda ", name, ": ", part, ")), 0) > 0)");
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Sql cast, DuckDbConvert(from, to, value, zone));
  return Cat("(", value, " IS NOT NULL AND ", cast, " IS NULL)");
}

StatusOr<Sql> SafeCast(const Type& from, const Type& to, const Sql& operand, const CastZone& zone) {
  return DuckDbSafe("CAST", {operand}, [&](const Texts& a) -> StatusOr<Sql> {
    LOGQUERY_ASSIGN_OR_RETURN(Sql cast, DuckDbConvert(from, to, a[0], zone));
    if (!to.is_array() && !to.is_struct()) return cast;
    LOGQUERY_ASSIGN_OR_RETURN(const Sql fails, AnyPartFails(from, to, a[0], zone));
    return Cat("(CASE WHEN ", fails, " THEN NULL ELSE ", cast, " END)");
  });
}

}  // namespace

Sql CastZone::ToLocal(const Sql& timestamp) const {
  return call == nullptr ? timestamp : emit::ToLocal(*call, args, 0, timestamp);
}

Sql CastZone::ToLocalInRange(const Sql& timestamp) const {
  return call == nullptr ? timestamp : emit::ToLocalInRange(*call, args, 0, timestamp);
}

Sql CastZone::FromLocal(const Sql& datetime) const {
  return call == nullptr ? datetime : emit::FromLocal(*call, args, 0, datetime);
}

StatusOr<Sql> DuckDbConvert(const Type& from, const Type& to, const Sql& value, const CastZone& zone) {
  if (from.is_array() && to.is_array()) {
    return IsSameInStorage(from, to) && from == to ? value : BetweenArrays(from, to, value, zone);
  }
  if (from.is_struct() && to.is_struct()) {
    return IsSameInStorage(from, to) && from == to ? value : StructToStruct(from, to, value, zone);
  }
  if (from.kind() == to.kind()) return value;
  if (from.is_array() || from.is_struct() || to.is_array() || to.is_struct()) return NoCast(from, to);
  if (from.is(TypeKind::kString)) return FromText(to, value, zone);
  if (to.is(TypeKind::kString)) return ToText(from, value, zone);
  if (from.is(TypeKind::kBool) && to.is(TypeKind::kInt64)) return As(value, to);
  if (IsNumber(from.kind()) && (IsNumber(to.kind()) || (from.is(TypeKind::kInt64) && to.is(TypeKind::kBool)))) {
    return BetweenNumbers(from, to, value);
  }
  if (IsTime(from.kind()) && IsTime(to.kind())) return BetweenTimes(from, to, value, zone);
  return NoCast(from, to);
}

StatusOr<Sql> DuckDbCast(const CastTexts& texts) {
  const rewrite::Cast& cast = *texts.cast;
  if (!texts.format.empty()) return CastWithFormat(texts);
  const Type& from = cast.operand->type;
  // NULL and [] as written have no type of their own.
  const auto* constant = rewrite::If<rewrite::Constant>(cast.operand.get());
  if (constant != nullptr && constant->value.is_null()) return NullOf(cast.type);
  const bool is_empty =
      constant != nullptr && from.is_array() && !from.is_record() && constant->value.children().empty();
  if (is_empty && cast.type.is_array()) {
    return cast.type.is_record() ? NullOf(cast.type) : DuckDbArray(cast.type, {});
  }
  std::vector<rewrite::ScalarPtr> zone_argument;
  if (cast.time_zone != nullptr) zone_argument.push_back(rewrite::Clone(*cast.time_zone));
  const rewrite::FunctionCall zone_call(nullptr, Type::Timestamp(), std::move(zone_argument));
  CastZone zone;
  if (cast.time_zone != nullptr) zone = {&zone_call, {texts.time_zone}};

  const Sql operand = texts.operand.ToSql();
  LOGQUERY_ASSIGN_OR_RETURN(Sql text, DuckDbConvert(from, cast.type, operand, zone));
  if (text == operand.text() || !cast.safe) return text;
  return SafeCast(from, cast.type, operand, zone);
}

}  // namespace logquery::emit
