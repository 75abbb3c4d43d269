// CAST, rounding, and literals of times.
#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/model/time_text.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

// A time as ClickHouse reads it: '2026-03-04 05:06:07', with its fraction if it has one.
absl::StatusOr<ChValue> ToClickHouse::TimeLiteral(std::string_view text, const Type& type, sql::Span span) {
  if (type.is(TypeKind::kDate)) {
    const absl::StatusOr<Value> date = model::ParseDateText(text);
    if (!date.ok() || text.size() != 10) return Unsupported(span, StrCat("'", text, "' is no date"));
    return ChValue{ch::MakeCallOf("toDate", ch::MakeString(std::string(text.substr(0, 10)))), type, false, false};
  }
  if (!type.is(TypeKind::kTimestamp) && !type.is(TypeKind::kDatetime))
    return Unsupported(span, StrCat("a literal of type ", type.ToString()));
  const absl::StatusOr<Value> time = model::ParseTimestampText(text, "UTC");
  if (!time.ok()) return Unsupported(span, StrCat("'", text, "' is no time"));
  const absl::Time at = absl::FromUnixMicros(time->int64_value());
  const int64_t fraction = ((time->int64_value() % 1'000'000) + 1'000'000) % 1'000'000;
  const char* format = fraction == 0 ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M:%E6S";
  std::string written = absl::FormatTime(format, at, absl::UTCTimeZone());
  return ChValue{ch::MakeCallOf("toDateTime64", ch::MakeString(std::move(written)), ch::MakeNumber(6)), type, false,
                 false};
}

// GoogleSQL rounds halves away from zero, ClickHouse to the even digit. Both decide by the scaled value.
absl::StatusOr<ChValue> ToClickHouse::Round(ChValue value, int64_t digits, sql::Span span) {
  Note(span, "halves are rounded away from zero in BigQuery, and to the even digit by ClickHouse's round");
  std::string scale = "1";
  for (int64_t i = 0; i < digits; ++i) scale += "0";
  std::vector<ch::ExprPtr> args;
  ch::ExprPtr scaled =
      digits == 0 ? std::move(value.expr) : ch::MakeCallOf("multiply", std::move(value.expr), ch::MakeNumber(scale));
  args.push_back(std::move(scaled));
  LOGQUERY_ASSIGN_OR_RETURN(
      ch::ExprPtr made, ch::FillTemplate("if(abs(_1 - trunc(_1)) = 0.5, _1 + if(_1 < 0, -0.5, 0.5), round(_1))", args));
  if (digits > 0) made = ch::MakeCallOf("divide", std::move(made), ch::MakeNumber(scale));
  value.expr = std::move(made);
  return value;
}

absl::StatusOr<ChValue> ToClickHouse::Cast(const sql::CastExpr& cast, const Scope& scope) {
  if (cast.format != nullptr || cast.time_zone != nullptr || !cast.type.parameters.empty())
    return Unsupported(cast.span, "CAST with FORMAT, a zone, or a type with parameters");
  const Type& to = cast.type.type;
  const Type& from = TypeOf(*cast.operand);
  const auto refused = [&] {
    return Unsupported(cast.span, StrCat("CAST from ", from.ToString(), " to ", to.ToString()));
  };
  const auto* literal = sql::If<sql::Literal>(cast.operand.get());
  if (literal != nullptr && literal->form == sql::Literal::Form::kNull) {
    const char* type = to.is(TypeKind::kString)      ? "Nullable(String)"
                       : to.is(TypeKind::kInt64)     ? "Nullable(Int64)"
                       : to.is(TypeKind::kFloat64)   ? "Nullable(Float64)"
                       : to.is(TypeKind::kTimestamp) ? "Nullable(DateTime64(6))"
                                                     : nullptr;
    if (type == nullptr) return refused();
    return ChValue{ch::MakeCallOf("CAST", ch::MakeNull(), ch::MakeString(type)), to, true, false};
  }
  if (literal != nullptr && literal->form == sql::Literal::Form::kString &&
      (to.is(TypeKind::kTimestamp) || to.is(TypeKind::kDatetime) || to.is(TypeKind::kDate))) {
    return TimeLiteral(literal->text, to, cast.span);
  }
  const bool to_number = to.is(TypeKind::kInt64) || to.is(TypeKind::kFloat64);
  if (from.is(TypeKind::kString) && to_number) {
    const std::string function = to.is(TypeKind::kInt64) ? "toInt64" : "toFloat64";
    Note(cast.span,
         "BigQuery also reads numbers with white space around them, and hexadecimal ones; to ClickHouse these are no "
         "numbers");
    // '' is no number, as NULL is none.
    LOGQUERY_ASSIGN_OR_RETURN(ChValue text, TextOperand(*cast.operand, cast.safe, nullptr, scope));
    return ChValue{ch::MakeCallOf(cast.safe ? function + "OrNull" : function, std::move(text.expr)), to,
                   cast.safe || text.nullable, false};
  }
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*cast.operand, scope));
  if (from == to) return value;
  const bool nullable = value.nullable;
  const auto made = [&](const char* function) {
    return ChValue{ch::MakeCallOf(function, std::move(value.expr)), to, nullable, false};
  };
  if (to.is(TypeKind::kString)) {
    if (from.is(TypeKind::kInt64) || from.is(TypeKind::kDate)) return made("toString");
    return refused();
  }
  if (to.is(TypeKind::kInt64)) {
    if (from.is(TypeKind::kFloat64)) {
      LOGQUERY_ASSIGN_OR_RETURN(value, Round(std::move(value), 0, cast.span));
      Note(cast.span, "a number beyond 64 bits is an error in BigQuery's CAST; toInt64 gives another number");
    }
    if (from.is(TypeKind::kFloat64) || from.is(TypeKind::kBool)) return made("toInt64");
    return refused();
  }
  if (to.is(TypeKind::kFloat64) && from.is(TypeKind::kInt64)) return made("toFloat64");
  const bool from_time = from.is(TypeKind::kTimestamp) || from.is(TypeKind::kDatetime);
  if ((to.is(TypeKind::kTimestamp) || to.is(TypeKind::kDatetime)) && from_time) return value;
  if (to.is(TypeKind::kDate) && from_time) return made("toDate");
  if ((to.is(TypeKind::kTimestamp) || to.is(TypeKind::kDatetime)) && from.is(TypeKind::kDate)) {
    value = made("toDateTime");
    value.is_datetime = true;
    return value;
  }
  return refused();
}

}  // namespace logquery::tools
