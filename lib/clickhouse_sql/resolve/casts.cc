// Casts of values of each type, and the texts of values.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/model/time_zone.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

namespace {

ScalarPtr Wrapped(ScalarPtr value, const ChType& from, const ChType& to) {
  const bool fits = from.bits < to.bits && (to.is_signed || !from.is_signed);
  if (fits || (from.bits == to.bits && from.is_signed == to.is_signed)) return value;
  if (to.bits >= 64 && to.is_signed) return value;
  if (to.bits == 64)
    return NotNegative(std::move(value), "a negative number as UInt64 does not fit into 64 bits with a sign");
  return WrapTo(std::move(value), to);
}

// The words that are read as Bool, in any case.
ScalarPtr BoolOfText(ScalarPtr text) {
  const ScalarPtr lower = Call("$ch.ascii_lower", Type::String(), std::move(text));
  const auto one_of = [&](std::initializer_list<const char*> words) {
    std::vector<ScalarPtr> list;
    list.push_back(Same(lower));
    for (const char* word : words) list.push_back(Text(word));
    return Call("$in", Type::Bool(), std::move(list));
  };
  ScalarPtr error = Call("ERROR", Type::Bool(), Text("a Bool is read from true or false, yes or no, 1 or 0"));
  ScalarPtr no =
      If(one_of({"false", "f", "no", "n", "off", "disable", "disabled", "0"}), True(false), std::move(error));
  return If(one_of({"true", "t", "yes", "y", "on", "enable", "enabled", "1"}), True(true), std::move(no));
}

// Conversions of constants, and of what is made of them, that are or become greater than an INT64; nullopt: it is another one.
absl::StatusOr<std::optional<Ex>> CastWideInt(Resolver& resolver, Ex& value, const ChType& made, Span span) {
  const bool wide = value.type.Is(ChKind::kWideInt);
  const bool to_unsigned = made.bits == 64 && !made.is_signed;
  const std::optional<uint64_t> bits = ConstantBits(value);
  if (to_unsigned && wide) return std::move(value);
  if (to_unsigned && bits && *bits > INT64_MAX) return Ex{WideNumber(*bits), WideInt()};
  if (!wide) return std::nullopt;
  if (!bits) return resolver.Error(span, StrCat("can't convert ", value.type.ToString(), " to ", made.ToString()));
  return Ex{WrapTo(Number(static_cast<int64_t>(*bits)), made), made};
}

absl::StatusOr<Ex> CastToInt(Resolver& resolver, Ex value, const ChType& made, Span span) {
  const ChType from = value.type;
  const ChType type = made.Nullable(from.nullable);
  if (from.Is(ChKind::kBool)) return Ex{clickhouse_sql::CastTo(std::move(value.scalar), Type::Int64()), type};
  if (from.Is(ChKind::kInt)) return Ex{Wrapped(std::move(value.scalar), from, made), type};
  if (from.Is(ChKind::kFloat))
    return Ex{Wrapped(Call("$ch.truncate", Type::Int64(), std::move(value.scalar)), Int(64, true), made), type};
  if (from.Is(ChKind::kDecimal)) {
    ScalarPtr whole = Call("TRUNC", Type::Numeric(), std::move(value.scalar));
    return Ex{Wrapped(clickhouse_sql::CastTo(std::move(whole), Type::Int64()), Int(64, true), made), type};
  }
  if (from.Is(ChKind::kDate)) return Ex{Call("UNIX_DATE", Type::Int64(), std::move(value.scalar)), type};
  if (from.IsTime())
    return Ex{Wrapped(Call("UNIX_SECONDS", Type::Int64(), std::move(value.scalar)), Int(64, true), made), type};
  if (from.Is(ChKind::kString)) {
    if (const std::optional<std::string> text = LiteralText(value)) {
      const std::optional<int64_t> number = functions::ParseChInt(*text);
      if (!number) return resolver.Error(span, base::Message(functions::NoChInt(*text)));
    }
    ScalarPtr number = Call("$ch.int", Type::Int64(), std::move(value.scalar));
    if (!made.is_signed)
      number =
          NotNegative(std::move(number), StrCat("the text of an ", made.ToString(), " must not have a minus sign"));
    return Ex{Wrapped(std::move(number), Int(64, made.is_signed), made), type};
  }
  return resolver.Error(span, StrCat("can't convert ", from.ToString(), " to ", made.ToString()));
}

}  // namespace

ScalarPtr CutFraction(ScalarPtr time, int digits) {
  if (digits >= 6) return time;
  if (digits == 0) return Call("TIMESTAMP_TRUNC", Type::Timestamp(), std::move(time), Text("SECOND"));
  int64_t step = 1;
  for (int i = digits; i < 6; ++i) step *= 10;
  return Call("$ch.start_of", Type::Timestamp(), std::move(time), Text("microsecond"), Number(step), Text("UTC"));
}

ScalarPtr NearestIn(const ChType& type, ScalarPtr time) {
  constexpr int64_t kSecond = 1'000'000, kDay = 86'400 * kSecond;
  const bool wide = type.Is(ChKind::kDate) && type.precision == 32;
  if (!type.Is(ChKind::kDateTime) && (!type.Is(ChKind::kDate) || wide)) return time;
  const int64_t last = type.Is(ChKind::kDate) ? UINT16_MAX * kDay : UINT32_MAX * kSecond;
  const auto constant = [](int64_t micros) {
    return ScalarPtr(std::make_unique<rewrite::Constant>(Value::TimestampMicros(micros)));
  };
  if (const auto* known = rewrite::If<rewrite::Constant>(time.get()); known != nullptr && !known->value.is_null())
    return constant(std::clamp<int64_t>(known->value.int64_value(), 0, last));
  ScalarPtr least = Call("LEAST", Type::Timestamp(), std::move(time), constant(last));
  return Call("GREATEST", Type::Timestamp(), std::move(least), constant(0));
}

// The text of an element in the text of an array or a tuple: texts and times in quotes.
absl::StatusOr<ScalarPtr> Resolver::ElementText(Ex value, Span span) {
  if (value.type.Is(ChKind::kNothing)) return ScalarPtr(Text("NULL"));
  const bool nullable = value.type.nullable;
  const bool quoted = value.type.Is(ChKind::kString) || value.type.IsTime();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, ToText(std::move(value), span));
  if (quoted) text = Call("$ch.quoted", Type::String(), std::move(text));
  return nullable ? IfNull(std::move(text), Text("NULL")) : std::move(text);
}

// The text of toString.
absl::StatusOr<ScalarPtr> Resolver::ToText(Ex value, Span span) {
  value = Plain(std::move(value));
  switch (value.type.kind) {
    case ChKind::kString:
      return std::move(value.scalar);
    case ChKind::kMap:
      return Call("$ch.map_text", Type::String(), std::move(value.scalar));
    case ChKind::kFloat:
      return Call("$ch.float_text", Type::String(), std::move(value.scalar));
    case ChKind::kDateTime:
      return Call("$ch.time_text", Type::String(), std::move(value.scalar), Number(0), Text(value.type.Zone()));
    case ChKind::kDateTime64: {
      const int digits = value.type.precision;
      ScalarPtr text =
          Call("$ch.time_text", Type::String(), std::move(value.scalar), Number(digits), Text(value.type.Zone()));
      return text;
    }
    case ChKind::kArray: {
      const ChType& element = value.type.parts[0];
      const PlanColumn x = NewColumn("x", element.PlanType());
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr body, ElementText({std::make_unique<rewrite::ColumnRef>(x), element}, span));
      ScalarPtr lambda = std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{x}, std::move(body));
      ScalarPtr texts =
          Call("ARRAY_TRANSFORM", Type::Array(Type::String()), std::move(value.scalar), std::move(lambda));
      std::vector<ScalarPtr> parts;
      parts.push_back(Text("["));
      parts.push_back(Call("ARRAY_TO_STRING", Type::String(), std::move(texts), Text(",")));
      parts.push_back(Text("]"));
      return Call("$concat", Type::String(), std::move(parts));
    }
    case ChKind::kTuple: {
      std::vector<ScalarPtr> parts;
      const size_t size = value.type.parts.size();
      for (size_t i = 0; i < size; ++i) {
        parts.push_back(Text(i == 0 ? "(" : ","));
        ScalarPtr field = std::make_unique<rewrite::FieldRef>(Same(value.scalar), static_cast<int>(i));
        LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr part, ElementText({std::move(field), value.type.parts[i]}, span));
        parts.push_back(std::move(part));
      }
      // A tuple of one element has a comma behind it.
      parts.push_back(Text(size == 0 ? "()" : size == 1 ? ",)" : ")"));
      return Call("$concat", Type::String(), std::move(parts));
    }
    case ChKind::kInterval:
      return Error(span, "an interval has no text");
    default:
      return clickhouse_sql::CastTo(std::move(value.scalar), Type::String());
  }
}

// A tuple whose parts are those of the value, each as the type has it.
absl::StatusOr<Ex> Resolver::CastParts(Ex value, const ChType& type, Span span) {
  ChType made = type;
  std::vector<ScalarPtr> parts;
  auto* written = rewrite::If<rewrite::StructMake>(value.scalar.get());
  for (size_t i = 0; i < type.parts.size(); ++i) {
    ScalarPtr part;
    if (written != nullptr) {
      part = std::move(written->fields[i]);
    } else {
      part = std::make_unique<rewrite::FieldRef>(Same(value.scalar), static_cast<int>(i));
    }
    LOGQUERY_ASSIGN_OR_RETURN(Ex cast, CastValue({std::move(part), value.type.parts[i]}, type.parts[i], span));
    if (cast.type.nullable && !type.parts[i].nullable) {
      return Error(span, StrCat("can't convert ", value.type.parts[i].ToString(), " to ", type.parts[i].ToString(),
                                "; write Nullable(", type.parts[i].ToString(), ")"));
    }
    made.parts[i] = cast.type;
    parts.push_back(std::move(cast.scalar));
  }
  const Type plan = made.PlanType();
  return Ex{std::make_unique<rewrite::StructMake>(plan, std::move(parts)), std::move(made)};
}

absl::StatusOr<Ex> Resolver::CastValue(Ex value, const ChType& type, Span span) {
  value = Plain(std::move(value));
  const bool to_null = type.nullable;
  const ChType made = type.NotNull();
  if (value.type.Is(ChKind::kNothing)) return Ex{NullOf(type.PlanType()), type.Nullable()};
  const bool nullable = value.type.nullable || to_null;
  const ChType result = made.Nullable(nullable);
  switch (made.kind) {
    case ChKind::kString: {
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, ToText(std::move(value), span));
      return Ex{std::move(text), result};
    }
    case ChKind::kInt: {
      LOGQUERY_ASSIGN_OR_RETURN(std::optional<Ex> wide, CastWideInt(*this, value, made, span));
      if (wide) return Ex{std::move(wide->scalar), wide->type.Nullable(nullable)};
      LOGQUERY_ASSIGN_OR_RETURN(Ex number, CastToInt(*this, std::move(value), made, span));
      number.type = result;
      return number;
    }
    case ChKind::kFloat:
      if (value.type.Is(ChKind::kString))
        return Ex{Call("$ch.float", Type::Float64(), std::move(value.scalar)), result};
      if (value.type.Is(ChKind::kDateTime) || value.type.Is(ChKind::kDateTime64)) {
        ScalarPtr micros = Call("UNIX_MICROS", Type::Int64(), std::move(value.scalar));
        return Ex{Call("IEEE_DIVIDE", Type::Float64(), clickhouse_sql::CastTo(std::move(micros), Type::Float64()),
                       Floating(1e6)),
                  result};
      }
      break;
    case ChKind::kBool:
      if (value.type.Is(ChKind::kString)) return Ex{BoolOfText(std::move(value.scalar)), result};
      if (!value.type.Is(ChKind::kBool)) {
        LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ToBool(std::move(value), span));
        return Ex{std::move(condition), result};
      }
      return Ex{std::move(value.scalar), result};
    case ChKind::kDecimal:
      if (value.type.Is(ChKind::kString) || value.type.IsNumber()) {
        if (value.type.Is(ChKind::kBool)) value.scalar = clickhouse_sql::CastTo(std::move(value.scalar), Type::Int64());
        ScalarPtr number = clickhouse_sql::CastTo(std::move(value.scalar), Type::Numeric());
        return Ex{Call("TRUNC", Type::Numeric(), std::move(number), Number(made.scale)), result};
      }
      break;
    case ChKind::kDate:
    case ChKind::kDateTime:
    case ChKind::kDateTime64: {
      ScalarPtr time;
      if (value.type.Is(ChKind::kInt)) {
        const bool days = made.Is(ChKind::kDate) && value.type.bits <= 16;
        if (days) return Ex{Call("DATE_FROM_UNIX_DATE", Type::Date(), std::move(value.scalar)), result};
        ScalarPtr seconds = std::move(value.scalar);
        // A DateTime has 32 bits without a sign; beyond them is its first or last second.
        if (made.Is(ChKind::kDateTime) && !(value.type.bits <= 32 && !value.type.is_signed))
          seconds = Call("GREATEST", Type::Int64(),
                         Call("LEAST", Type::Int64(), std::move(seconds), Number(UINT32_MAX)), Number(0));
        time = Call("TIMESTAMP_SECONDS", Type::Timestamp(), std::move(seconds));
      } else if (value.type.Is(ChKind::kFloat)) {
        ScalarPtr micros = Call("$ch.truncate", Type::Int64(),
                                Call("$multiply", Type::Float64(), std::move(value.scalar), Floating(1e6)));
        time = Call("TIMESTAMP_MICROS", Type::Timestamp(), std::move(micros));
      } else if (value.type.Is(ChKind::kString)) {
        if (const std::optional<std::string> text = LiteralText(value)) {
          LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(made.Zone()));
          const std::optional<int64_t> micros = functions::ParseChTime(*text, zone);
          if (!micros) return Error(span, StrCat("can't read a time in the text '", text->substr(0, 60), "'"));
          time = std::make_unique<rewrite::Constant>(Value::TimestampMicros(*micros));
        } else {
          time = Call("$ch.time", Type::Timestamp(), std::move(value.scalar), Text(made.Zone()));
        }
        time = NearestIn(made, std::move(time));
      } else {
        LOGQUERY_ASSIGN_OR_RETURN(time, ToTime(std::move(value), span));
      }
      if (made.Is(ChKind::kDate)) return Ex{Call("DATE", Type::Date(), std::move(time)), result};
      return Ex{CutFraction(std::move(time), made.Is(ChKind::kDateTime64) ? made.precision : 0), result};
    }
    case ChKind::kTuple:
      if (value.type.Is(ChKind::kTuple) && value.type.parts.size() == made.parts.size())
        return CastParts(std::move(value), made, span);
      break;
    default:
      break;
  }
  LOGQUERY_ASSIGN_OR_RETURN(Ex converted, Convert(std::move(value), made, span));
  converted.type = result;
  return converted;
}

}  // namespace logquery::clickhouse_sql
