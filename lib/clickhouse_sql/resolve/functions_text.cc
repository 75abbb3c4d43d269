// Functions on texts, regular expressions, URLs and JSON.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;

absl::StatusOr<ScalarPtr> TextAt(CallArgs& call, size_t i) {
  if (call[i].type.Is(ChKind::kNothing)) return ScalarPtr(NullOf(Type::String()));
  if (call[i].type.Is(ChKind::kString)) return std::move(call[i].scalar);
  return call.resolver.Error(call.SpanOf(i),
                             StrCat(call.call.text, " wants a text here, not ", call[i].type.ToString()));
}

absl::StatusOr<ScalarPtr> IntAt(CallArgs& call, size_t i) {
  return call.resolver.ToInt(std::move(call[i]), call.SpanOf(i));
}

Ex TextOf(ScalarPtr value, bool nullable) { return {std::move(value), String().Nullable(nullable)}; }

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

// A backslash of a pattern escapes % _ and itself; before another character it is one.
std::string LikePattern(const std::string& pattern) {
  std::string made;
  for (size_t i = 0; i < pattern.size(); ++i) {
    made += pattern[i];
    if (pattern[i] != '\\') continue;
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next == '%' || next == '_' || next == '\\') {
      made += next;
      ++i;
    } else {
      made += '\\';
    }
  }
  return made;
}

template <bool kAnyCase, bool kNegated>
absl::StatusOr<Ex> Like(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  const std::optional<std::string> pattern = LiteralText(call[1]);
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr like, TextAt(call, 1));
  if (pattern) like = Text(LikePattern(*pattern));
  ScalarPtr found = Call(kAnyCase ? "$ilike" : "$like", Type::Bool(), std::move(text), std::move(like));
  return Ex{kNegated ? Not(std::move(found)) : std::move(found), UInt8().Nullable(nullable), true};
}

// Groups after the first one of a pattern become plain parentheses; with `none`, also the first.
std::string WithGroups(const std::string& pattern, int most) {
  std::string made;
  bool in_class = false;
  int groups = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    made += c;
    if (c == '\\' && i + 1 < pattern.size()) {
      made += pattern[++i];
    } else if (c == '[' && !in_class) {
      in_class = true;
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') made += pattern[++i];
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') made += pattern[++i];
    } else if (c == ']' && in_class) {
      in_class = false;
    } else if (c == '(' && !in_class) {
      const bool named = pattern.compare(i + 1, 3, "?P<") == 0;
      if (!named && pattern.compare(i + 1, 1, "?") == 0) continue;
      if (++groups <= most) continue;
      made += "?:";
      if (named) i = std::min(pattern.find('>', i), pattern.size() - 1);
    }
  }
  return made;
}

int CountGroups(const std::string& pattern) {
  int groups = 0;
  while (groups < 20 && WithGroups(pattern, groups) != WithGroups(pattern, groups + 1)) ++groups;
  return groups;
}

// The dot matches a newline.
absl::StatusOr<ScalarPtr> PatternAt(CallArgs& call, size_t i, int groups = 100) {
  const std::optional<std::string> pattern = LiteralText(call[i]);
  if (pattern) return Text(StrCat("(?s)", WithGroups(*pattern, groups)));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, i));
  std::vector<ScalarPtr> parts;
  parts.push_back(Text("(?s)"));
  parts.push_back(std::move(text));
  return Call("$concat", Type::String(), std::move(parts));
}

absl::StatusOr<Ex> Match(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr pattern, PatternAt(call, 1));
  return Ex{Call("REGEXP_CONTAINS", Type::Bool(), std::move(text), std::move(pattern)), UInt8().Nullable(nullable),
            true};
}

absl::StatusOr<Ex> Extract(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr pattern, PatternAt(call, 1, 1));
  return TextOf(IfNull(Call("REGEXP_EXTRACT", Type::String(), std::move(text), std::move(pattern)), Text("")),
                nullable);
}

absl::StatusOr<Ex> ExtractAll(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr pattern, PatternAt(call, 1, 1));
  return Ex{Call("REGEXP_EXTRACT_ALL", Type::Array(Type::String()), std::move(text), std::move(pattern)),
            ArrayOf(String())};
}

absl::StatusOr<Ex> CountMatches(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr pattern, PatternAt(call, 1, 0));
  ScalarPtr all = Call("REGEXP_EXTRACT_ALL", Type::Array(Type::String()), std::move(text), std::move(pattern));
  return Ex{Call("ARRAY_LENGTH", Type::Int64(), std::move(all)), UInt64()};
}

absl::StatusOr<Ex> ReplaceAllMatches(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr pattern, PatternAt(call, 1));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr by, TextAt(call, 2));
  return TextOf(Call("REGEXP_REPLACE", Type::String(), std::move(text), std::move(pattern), std::move(by)), nullable);
}

// The first match only: what is before it is a first group, so that the pattern's own groups move by one.
absl::StatusOr<Ex> ReplaceFirstMatch(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(const std::string pattern, call.resolver.WantText(call[1], call.SpanOf(1), "the pattern"));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string by, call.resolver.WantText(call[2], call.SpanOf(2), "the replacement"));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  if (CountGroups(pattern) > 8) return call.resolver.Error(call.SpanOf(1), "the pattern has more than 8 groups");
  std::string moved = "\\1";
  for (size_t i = 0; i < by.size(); ++i) {
    moved += by[i];
    if (by[i] != '\\' || i + 1 == by.size()) continue;
    ++i;
    const bool group = by[i] >= '0' && by[i] <= '8';
    moved += group ? static_cast<char>(by[i] + 2) : by[i];
  }
  // \0 is the whole match, which is the second group.
  ScalarPtr whole_pattern = Text(StrCat("(?s)\\A(.*?)(", pattern, ")"));
  return TextOf(Call("REGEXP_REPLACE", Type::String(), std::move(text), std::move(whole_pattern), Text(moved)),
                nullable);
}

absl::StatusOr<Ex> Split(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr separator, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 1));
  return Ex{Call("SPLIT", Type::Array(Type::String()), std::move(text), std::move(separator)), ArrayOf(String())};
}

// The parts of a path: keys and positions.
absl::StatusOr<ScalarPtr> JsonPath(CallArgs& call, size_t begin, size_t end) {
  std::vector<ScalarPtr> parts;
  for (size_t i = begin; i < end; ++i) {
    const bool key = call[i].type.Is(ChKind::kString);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr part, call.resolver.ToText(std::move(call[i]), call.SpanOf(i)));
    std::vector<ScalarPtr> marked;
    marked.push_back(Text(key ? "k" : "i"));
    marked.push_back(std::move(part));
    parts.push_back(Call("$concat", Type::String(), std::move(marked)));
  }
  return ScalarPtr(std::make_unique<rewrite::ArrayMake>(Type::Array(Type::String()), std::move(parts)));
}

absl::StatusOr<Ex> JsonValue(CallArgs& call, const char* function, const Type& type, const ChType& ch, bool has_default,
                             size_t end) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr path, JsonPath(call, 1, end));
  ScalarPtr value = Call(function, type, std::move(text), std::move(path));
  if (has_default) value = IfNull(std::move(value), DefaultOf(ch.NotNull()));
  return Ex{std::move(value), ch, type.is(TypeKind::kBool) && ch.Is(ChKind::kInt)};
}

absl::StatusOr<Ex> JsonString(CallArgs& call) {
  return JsonValue(call, "$ch.json_string", Type::String(), String(), true, call.size());
}
absl::StatusOr<Ex> JsonRaw(CallArgs& call) {
  return JsonValue(call, "$ch.json_raw", Type::String(), String(), true, call.size());
}
absl::StatusOr<Ex> JsonInt(CallArgs& call) {
  return JsonValue(call, "$ch.json_int", Type::Int64(), Int(64, call.call.text != "JSONExtractUInt"), true,
                   call.size());
}
absl::StatusOr<Ex> JsonFloat(CallArgs& call) {
  return JsonValue(call, "$ch.json_float", Type::Float64(), Float64(), true, call.size());
}
absl::StatusOr<Ex> JsonBool(CallArgs& call) {
  return JsonValue(call, "$ch.json_bool", Type::Bool(), BoolType(), true, call.size());
}
absl::StatusOr<Ex> JsonHas(CallArgs& call) {
  return JsonValue(call, "$ch.json_has", Type::Bool(), UInt8(), false, call.size());
}
absl::StatusOr<Ex> JsonLength(CallArgs& call) {
  return JsonValue(call, "$ch.json_length", Type::Int64(), UInt64(), false, call.size());
}
absl::StatusOr<Ex> JsonType(CallArgs& call) {
  return JsonValue(call, "$ch.json_type", Type::String(), String(), false, call.size());
}
absl::StatusOr<Ex> JsonKeys(CallArgs& call) {
  return JsonValue(call, "$ch.json_keys", Type::Array(Type::String()), ArrayOf(String()), false, call.size());
}
absl::StatusOr<Ex> JsonElements(CallArgs& call) {
  return JsonValue(call, "$ch.json_elements", Type::Array(Type::String()), ArrayOf(String()), false, call.size());
}

// JSONExtract(json, path …, 'Type')
absl::StatusOr<Ex> JsonTyped(CallArgs& call) {
  const size_t last = call.size() - 1;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string name, call.resolver.WantText(call[last], call.SpanOf(last), "the type"));
  absl::StatusOr<ChType> type = ParseType(name);
  if (!type.ok()) return call.resolver.Error(call.SpanOf(last), base::Message(type.status()));
  const bool has_default = !type->nullable;
  switch (type->kind) {
    case ChKind::kString:
      return JsonValue(call, "$ch.json_string", Type::String(), *type, has_default, last);
    case ChKind::kInt:
      return JsonValue(call, "$ch.json_int", Type::Int64(), *type, has_default, last);
    case ChKind::kFloat:
      return JsonValue(call, "$ch.json_float", Type::Float64(), *type, has_default, last);
    case ChKind::kBool:
      return JsonValue(call, "$ch.json_bool", Type::Bool(), *type, has_default, last);
    default:
      return call.resolver.Error(call.SpanOf(last), StrCat("JSONExtract of the type ", name, " is not supported"));
  }
}

absl::StatusOr<Ex> IsValidJson(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  return Ex{Call("$ch.json_valid", Type::Bool(), std::move(text)), UInt8().Nullable(nullable), true};
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
  functions["repeat"] = {2, 2, Repeat};
  functions["like"] = {2, 2, Like<false, false>};
  functions["notLike"] = {2, 2, Like<false, true>};
  functions["ilike"] = {2, 2, Like<true, false>};
  functions["notILike"] = {2, 2, Like<true, true>};
  functions["match"] = {2, 2, Match};
  functions["extract"] = {2, 2, Extract};
  functions["extractAll"] = {2, 2, ExtractAll};
  functions["countMatches"] = {2, 2, CountMatches};
  functions["replaceRegexpAll"] = {3, 3, ReplaceAllMatches};
  functions["replaceRegexpOne"] = {3, 3, ReplaceFirstMatch};
  functions["splitByChar"] = functions["splitByString"] = {2, 2, Split};
  functions["path"] = {1, 1, Texts<kPath>};
  functions["domain"] = {1, 1, Texts<kDomain>};
  functions["domainWithoutWWW"] = {1, 1, Texts<kDomainWww>};
  functions["queryString"] = {1, 1, Texts<kQueryString>};
  functions["protocol"] = {1, 1, Texts<kProtocol>};
  functions["cutQueryString"] = {1, 1, Texts<kCutQuery>};
  functions["extractURLParameter"] = {2, 2, Texts<kUrlParameter>};
  functions["decodeURLComponent"] = {1, 1, Texts<kDecode>};
  functions["JSONExtractString"] = {1, kAny, JsonString};
  functions["JSONExtractRaw"] = {1, kAny, JsonRaw};
  functions["JSONExtractInt"] = functions["JSONExtractUInt"] = {1, kAny, JsonInt};
  functions["JSONExtractFloat"] = {1, kAny, JsonFloat};
  functions["JSONExtractBool"] = {1, kAny, JsonBool};
  functions["JSONExtractKeys"] = {1, kAny, JsonKeys};
  functions["JSONExtractArrayRaw"] = {1, kAny, JsonElements};
  functions["JSONExtract"] = {2, kAny, JsonTyped};
  functions["JSONHas"] = {1, kAny, JsonHas};
  functions["JSONLength"] = {1, kAny, JsonLength};
  functions["JSONType"] = {1, kAny, JsonType};
  functions["isValidJSON"] = {1, 1, IsValidJson};
}

}  // namespace logquery::clickhouse_sql
