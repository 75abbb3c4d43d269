// Functions on texts and URLs.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

absl::StatusOr<ScalarPtr> TextAt(CallArgs& call, size_t i) {
  if (call[i].type.Is(ChKind::kNothing)) return ScalarPtr(NullOf(Type::String()));
  if (call[i].type.Is(ChKind::kString)) return std::move(call[i].scalar);
  return call.resolver.Error(call.SpanOf(i),
                             StrCat(call.call.text, " wants a text here, not ", call[i].type.ToString()));
}

absl::StatusOr<ScalarPtr> FilledTextAt(CallArgs& call, size_t i) {
  const bool nullable = call[i].type.nullable;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, i));
  return nullable ? IfNull(std::move(text), Text("")) : std::move(text);
}

Ex TextOf(ScalarPtr value, bool nullable) { return {std::move(value), String().Nullable(nullable)}; }

namespace {

absl::StatusOr<ScalarPtr> IntAt(CallArgs& call, size_t i) {
  return call.resolver.ToInt(std::move(call[i]), call.SpanOf(i));
}

// A function of the table that takes texts and gives a text.
struct Plan {
  const char* function;
  std::string_view last = std::string_view();  // a further text argument, where the caller gives one alone
};

template <const Plan& kPlan>
absl::StatusOr<Ex> Texts(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  std::vector<ScalarPtr> arguments;
  for (size_t i = 0; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, i));
    arguments.push_back(std::move(text));
  }
  if (!kPlan.last.empty() && call.size() == 1) arguments.push_back(Text(std::string(kPlan.last)));
  return TextOf(Call(kPlan.function, Type::String(), std::move(arguments)), nullable);
}

template <const Plan& kPlan>
absl::StatusOr<Ex> Conditions(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr a, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr b, TextAt(call, 1));
  return Ex{Call(kPlan.function, Type::Bool(), std::move(a), std::move(b)), UInt8().Nullable(nullable), true};
}

template <bool kCharacters>
absl::StatusOr<Ex> Length(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  if (call[0].type.Is(ChKind::kArray))
    return Ex{Call("ARRAY_LENGTH", Type::Int64(), std::move(call[0].scalar)), UInt64().Nullable(nullable)};
  if (call[0].type.Is(ChKind::kMap))
    return Ex{Call("ARRAY_LENGTH", Type::Int64(),
                   Call("$ch.map_keys", Type::Array(Type::String()), std::move(call[0].scalar))),
              UInt64()};
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  return Ex{Call(kCharacters ? "CHAR_LENGTH" : "BYTE_LENGTH", Type::Int64(), std::move(text)),
            UInt64().Nullable(nullable)};
}

template <bool kEmpty>
absl::StatusOr<Ex> Emptiness(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex length, Length<false>(call));
  return Ex{Call(kEmpty ? "$equal" : "$greater", Type::Bool(), std::move(length.scalar), Number(0)),
            UInt8().Nullable(length.type.nullable), true};
}

template <bool kCharacters>
absl::StatusOr<Ex> Substring(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  const Value* literal = ConstantOf(call[1]);
  if (literal != nullptr && call[1].type.Is(ChKind::kInt) && literal->int64_value() == 0)
    return call.resolver.Error(call.SpanOf(1), StrCat("positions of ", call.call.text, " begin at 1"));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr start, IntAt(call, 1));
  ScalarPtr length = Number(INT64_MAX);
  if (call.size() > 2) {
    LOGQUERY_ASSIGN_OR_RETURN(length, IntAt(call, 2));
  }
  return TextOf(Call(kCharacters ? "$ch.substring_utf8" : "$ch.substring", Type::String(), std::move(text),
                     std::move(start), std::move(length)),
                nullable);
}

template <bool kLeft>
absl::StatusOr<Ex> Side(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, call.resolver.WantInt(call[1], call.SpanOf(1), "the number of bytes"));
  if (kLeft) return TextOf(Call("$ch.substring", Type::String(), std::move(text), Number(1), Number(count)), nullable);
  if (count == 0) return TextOf(Text(""), nullable);
  // Longer than the text: all of it.
  return TextOf(Call("$ch.substring", Type::String(), std::move(text), Number(count > 0 ? -count : 1 - count),
                     Number(count > 0 ? count : INT64_MAX)),
                nullable);
}

template <int kWhat>  // 0 bytes, 1 any case, 2 characters; locate has its arguments the other way round
absl::StatusOr<Ex> Position(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  const bool locate = call.call.text == "locate";
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, locate ? 1 : 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr needle, TextAt(call, locate ? 0 : 1));
  const ChType type = UInt64().Nullable(nullable);
  if (kWhat == 2) return Ex{Call("STRPOS", Type::Int64(), std::move(text), std::move(needle)), type};
  ScalarPtr start = Number(1);
  if (call.size() > 2) {
    LOGQUERY_ASSIGN_OR_RETURN(start, IntAt(call, 2));
  }
  return Ex{Call(kWhat == 1 ? "$ch.position_ci" : "$ch.position", Type::Int64(), std::move(text), std::move(needle),
                 std::move(start)),
            type};
}

absl::StatusOr<Ex> Concat(CallArgs& call) {
  bool nothing = false;
  const bool nullable = call.AnyNullable();
  std::vector<ScalarPtr> parts;
  for (size_t i = 0; i < call.size(); ++i) {
    nothing = nothing || call[i].type.Is(ChKind::kNothing);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr part, call.resolver.ToText(std::move(call[i]), call.SpanOf(i)));
    parts.push_back(std::move(part));
  }
  if (nothing) return Ex{NullOf(Type::Int64()), NothingType()};
  if (parts.size() == 1) return TextOf(std::move(parts[0]), nullable);
  return TextOf(Call("$concat", Type::String(), std::move(parts)), nullable);
}

absl::StatusOr<Ex> Repeat(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr count, IntAt(call, 1));
  return TextOf(
      Call("REPEAT", Type::String(), std::move(text), Call("GREATEST", Type::Int64(), std::move(count), Number(0))),
      nullable);
}

absl::StatusOr<Ex> Split(CallArgs& call) {
  const std::optional<std::string> literal = LiteralText(call[0]);
  if (call.call.text == "splitByChar" && literal && literal->size() != 1)
    return call.resolver.Error(call.SpanOf(0), "the separator of splitByChar is one byte; splitByString takes more");
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr separator, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, FilledTextAt(call, 1));
  return Ex{Call("SPLIT", Type::Array(Type::String()), std::move(text), std::move(separator)), ArrayOf(String())};
}

// printf: a text with elements %s, %d and %f, of which FORMAT makes the same.
absl::StatusOr<Ex> Printf(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string format, call.resolver.WantText(call[0], call.SpanOf(0), "the format"));
  const auto bad = [&](std::string_view why) { return call.resolver.Error(call.SpanOf(0), StrCat("printf: ", why)); };
  bool nullable = false;
  std::vector<ScalarPtr> arguments;
  arguments.push_back(Text(format));
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    const size_t begin = ++i;
    if (i < format.size() && format[i] == '%') continue;
    i = format.find_first_not_of("-+ 0123456789.", i);
    const char element = i == std::string::npos ? '\0' : format[i];
    const bool plain = element == 'd' || element == 'i' || element == 'f' || (element == 's' && i == begin);
    if (!plain) return bad("%d, %i and %f are supported, perhaps with a width, and %s without one");
    const size_t at = arguments.size();
    if (at >= call.size()) return bad("there are more elements than values");
    const ChType& type = call[at].type;
    nullable = nullable || type.nullable;
    const bool fits = element == 's'   ? type.Is(ChKind::kString)
                      : element == 'f' ? type.Is(ChKind::kFloat)
                                       : type.Is(ChKind::kInt);
    if (!fits)
      return call.resolver.Error(call.SpanOf(at),
                                 StrCat("%", std::string(1, element), " does not take a ", type.ToString()));
    arguments.push_back(call.resolver.Plain(std::move(call[at])).scalar);
  }
  if (arguments.size() != call.size()) return bad("there are more values than elements");
  return TextOf(Call("FORMAT", Type::String(), std::move(arguments)), nullable);
}

constexpr Plan kLower = {"$ch.ascii_lower"}, kUpper = {"$ch.ascii_upper"}, kLowerUtf8 = {"LOWER"},
               kUpperUtf8 = {"UPPER"}, kReverse = {"REVERSE"};
constexpr Plan kTrim = {"TRIM", " "}, kLtrim = {"LTRIM", " "}, kRtrim = {"RTRIM", " "};
constexpr Plan kReplace = {"REPLACE"}, kReplaceOne = {"$ch.replace_one"};
constexpr Plan kPath = {"$ch.path"}, kDomain = {"$ch.domain"}, kDomainWww = {"$ch.domain_without_www"},
               kQueryString = {"$ch.query_string"};
constexpr Plan kProtocol = {"$ch.protocol"}, kCutQuery = {"$ch.cut_query"}, kUrlParameter = {"$ch.url_parameter"},
               kDecode = {"$ch.decode_url"};
constexpr Plan kStarts = {"STARTS_WITH"}, kEnds = {"ENDS_WITH"};

}  // namespace

void AddTextFunctions(FunctionMap& functions) {
  constexpr size_t kAny = 1000;
  functions["lower"] = functions["lcase"] = {1, 1, Texts<kLower>};
  functions["upper"] = functions["ucase"] = {1, 1, Texts<kUpper>};
  functions["lowerUTF8"] = {1, 1, Texts<kLowerUtf8>};
  functions["upperUTF8"] = {1, 1, Texts<kUpperUtf8>};
  functions["reverseUTF8"] = {1, 1, Texts<kReverse>};
  functions["trim"] = functions["trimBoth"] = {1, 2, Texts<kTrim>};
  functions["ltrim"] = functions["trimLeft"] = {1, 2, Texts<kLtrim>};
  functions["rtrim"] = functions["trimRight"] = {1, 2, Texts<kRtrim>};
  functions["replace"] = functions["replaceAll"] = {3, 3, Texts<kReplace>};
  functions["replaceOne"] = {3, 3, Texts<kReplaceOne>};
  functions["startsWith"] = {2, 2, Conditions<kStarts>};
  functions["endsWith"] = {2, 2, Conditions<kEnds>};
  functions["length"] = {1, 1, Length<false>};
  functions["lengthUTF8"] = functions["char_length"] = functions["character_length"] = {1, 1, Length<true>};
  functions["empty"] = {1, 1, Emptiness<true>};
  functions["notEmpty"] = {1, 1, Emptiness<false>};
  functions["substring"] = functions["substr"] = functions["mid"] = {2, 3, Substring<false>};
  functions["substringUTF8"] = {2, 3, Substring<true>};
  functions["left"] = {2, 2, Side<true>};
  functions["right"] = {2, 2, Side<false>};
  functions["position"] = functions["locate"] = {2, 3, Position<0>};
  functions["positionCaseInsensitive"] = {2, 3, Position<1>};
  functions["positionUTF8"] = {2, 2, Position<2>};
  functions["concat"] = {1, kAny, Concat};
  functions["printf"] = {1, 17, Printf};
  functions["repeat"] = {2, 2, Repeat};
  functions["splitByChar"] = functions["splitByString"] = {2, 2, Split};
  functions["path"] = {1, 1, Texts<kPath>};
  functions["domain"] = {1, 1, Texts<kDomain>};
  functions["domainWithoutWWW"] = {1, 1, Texts<kDomainWww>};
  functions["queryString"] = {1, 1, Texts<kQueryString>};
  functions["protocol"] = {1, 1, Texts<kProtocol>};
  functions["cutQueryString"] = {1, 1, Texts<kCutQuery>};
  functions["extractURLParameter"] = {2, 2, Texts<kUrlParameter>};
  functions["decodeURLComponent"] = {1, 1, Texts<kDecode>};
}

}  // namespace logquery::clickhouse_sql
