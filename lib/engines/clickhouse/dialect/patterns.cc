// LIKE and regular expressions, which are RE2's in both. There `.` also matches a newline, unless it is told not to.
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/table_powers.h"
#include "lib/engines/clickhouse/dialect/calls.h"
#include "lib/engines/clickhouse/dialect/texts.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::FunctionCall;
using Args = std::vector<std::string>;
using WhyNotText = std::optional<std::string>;

WhyNotText NoLikePattern(const FunctionCall& call) {
  const auto* const constant = rewrite::If<rewrite::Constant>(call.arguments[1].get());
  if (constant != nullptr &&
      (constant->value.is_null() || ClickHouseLikePattern(constant->value.string_value()).has_value())) {
    return std::nullopt;
  }
  return "it is given patterns that are constants alone";
}

std::string Like(const FunctionCall& call, const Args& args) {
  const Value* const pattern = rewrite::ConstantArgument(call, 1);
  if (pattern == nullptr) return StrCat("(", args[0], " LIKE ", args[1], ")");
  return StrCat("(", args[0], " LIKE ", ClickHouseQuoted(*ClickHouseLikePattern(pattern->string_value())), ")");
}

bool IsRegexp(const FunctionCall& call) {
  const Value* const pattern = rewrite::ConstantArgument(call, 1);
  return pattern != nullptr && pattern->string_value().find('\0') == std::string::npos;
}

// A pattern that is no regular expression fails there too, and is then an error of the query here.
WhyNotText NoRegexp(const FunctionCall& call) {
  if (IsRegexp(call) || call.arguments[1]->kind == rewrite::ScalarKind::kParameter) return std::nullopt;
  return "it is given patterns that are constants or parameters alone";
}

std::string PatternText(const std::string& pattern) { return StrCat("concat('(?-s)', ", pattern, ")"); }

std::string Contains(const FunctionCall&, const Args& args) {
  return StrCat("match(", args[0], ", ", PatternText(args[1]), ")");
}

// Returns whether the pattern has no group, or a match always sets the only one. In ClickHouse a group that took no
// part is ''.
bool GroupTakesPart(std::string_view pattern) {
  int groups = 0;
  int depth = 0;
  bool in_brackets = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      // \Q begins a text in which nothing has a meaning.
      if (++i == pattern.size() || pattern[i] == 'Q') return false;
    } else if (in_brackets) {
      in_brackets = c != ']';
    } else if (c == '[') {
      in_brackets = true;
      // ] is a member where it is the first one.
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') ++i;
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') ++i;
    } else if (c == '|') {
      return false;
    } else if (c == '(') {
      const bool is_capturing = !pattern.substr(i).starts_with("(?") || pattern.substr(i).starts_with("(?P<");
      // One in another may not take part.
      if (is_capturing && (++groups > 1 || depth > 0)) return false;
      ++depth;
    } else if (c == ')') {
      --depth;
      const char next = i + 1 < pattern.size() ? pattern[i + 1] : ' ';
      if (groups > 0 && (next == '*' || next == '?' || next == '{')) return false;
    }
  }
  return true;
}

WhyNotText NoExtract(const FunctionCall& call) {
  if (call.arguments.size() > 2) return "it is given no place or occurrence";
  if (!IsRegexp(call) || !GroupTakesPart(rewrite::ConstantArgument(call, 1)->string_value())) {
    return "it is given constant patterns alone, without alternatives and with at most one group that always matches";
  }
  return IsPlain(*call.arguments[0]) ? std::nullopt : NotPlain(call);
}

// '' where nothing matches.
std::string Extract(const FunctionCall&, const Args& args) {
  const std::string pattern = PatternText(args[1]);
  return StrCat("if(match(", args[0], ", ", pattern, "), extract(", args[0], ", ", pattern, "), NULL)");
}

constexpr SpecialCall kCalls[] = {
    {"@like", NoLikePattern, Like},
    {"@regexp_contains", NoRegexp, Contains},
    {"@regexp_extract", NoExtract, Extract},
};

}  // namespace

absl::Span<const SpecialCall> ClickHousePatternCalls() { return kCalls; }

}  // namespace logquery::emit
