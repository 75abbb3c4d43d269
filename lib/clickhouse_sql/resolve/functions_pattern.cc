// LIKE and regular expressions.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/pattern_groups.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;

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
  ScalarPtr is_null = nullable ? IsNull(Same(text)) : nullptr;
  ScalarPtr found = IfNull(Call("REGEXP_EXTRACT", Type::String(), std::move(text), std::move(pattern)), Text(""));
  if (nullable) found = If(std::move(is_null), NullOf(Type::String()), std::move(found));
  return TextOf(std::move(found), nullable);
}

absl::StatusOr<Ex> ExtractAll(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, FilledTextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr pattern, PatternAt(call, 1, 1));
  return Ex{Call("REGEXP_EXTRACT_ALL", Type::Array(Type::String()), std::move(text), std::move(pattern)),
            ArrayOf(String())};
}

absl::StatusOr<Ex> CountMatches(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr pattern, PatternAt(call, 1, 0));
  ScalarPtr all = Call("REGEXP_EXTRACT_ALL", Type::Array(Type::String()), std::move(text), std::move(pattern));
  return Ex{Call("ARRAY_LENGTH", Type::Int64(), std::move(all)), UInt64().Nullable(nullable)};
}

absl::StatusOr<Ex> ReplaceAllMatches(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  // An empty pattern replaces nothing.
  if (LiteralText(call[1]) == "") return TextOf(std::move(call[0].scalar), nullable);
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
  if (CountGroups(pattern) > 7) return call.resolver.Error(call.SpanOf(1), "the pattern has more than 7 groups");
  // \0 is the whole match, which is the second group.
  ScalarPtr whole_pattern = Text(StrCat("(?s)\\A(.*?)(", pattern, ")"));
  return TextOf(Call("REGEXP_REPLACE", Type::String(), std::move(text), std::move(whole_pattern),
                     Text(ReplacementAfterPrefix(by))),
                nullable);
}

}  // namespace

void AddPatternFunctions(FunctionMap& functions) {
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
}

}  // namespace logquery::clickhouse_sql
