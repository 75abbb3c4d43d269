#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/emit/duckdb_function_texts.h"
#include "re2/re2.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

absl::Status BadPattern(const FunctionCall& call, std::string_view pattern, std::string_view why) {
  return absl::InvalidArgumentError(StrCat(NameOf(call), ": ", why, " in the regular expression ", Quote(pattern)));
}

// The constant pattern in argument 1, checked; Unimplemented when it is no constant.
StatusOr<std::string> PatternOf(const FunctionCall& call) {
  const std::optional<std::string> pattern = ConstantString(call, 1);
  if (!pattern.has_value()) {
    return absl::UnimplementedError(StrCat(NameOf(call), " with a regular expression that is not a literal"));
  }
  const RE2 compiled(*pattern, RE2::Quiet);
  if (!compiled.ok()) return BadPattern(call, *pattern, compiled.error());
  return *pattern;
}

// 0, the whole match, of a pattern without groups; 1 of one with one. More are an error.
StatusOr<int> GroupOf(const FunctionCall& call, const std::string& pattern) {
  const int groups = RE2(pattern, RE2::Quiet).NumberOfCapturingGroups();
  if (groups > 1) return BadPattern(call, pattern, "more than one capturing group");
  return groups;
}

// Letters, digits, slashes, dashes and underscores stand for themselves.
bool IsPlainText(std::string_view pattern) {
  return std::all_of(pattern.begin(), pattern.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '/' || c == '-' || c == '_' || c == ' ';
  });
}

StatusOr<std::string> RegexpContains(const FunctionCall& call, const Texts& args) {
  if (ConstantString(call, 1).has_value()) {
    StatusOr<std::string> pattern = PatternOf(call);
    if (!pattern.ok()) return pattern;
    // In a prepared statement with parameters DuckDB compiles the pattern anew for each execution.
    if (IsPlainText(*pattern)) {
      return StrCat("contains(", args[0], ", ", args[1], ")");
    }
  }
  return StrCat("regexp_matches(", args[0], ", ", args[1], ")");
}

// Whether the pattern can match nothing at all at some place.
bool MatchesEmpty(const std::string& pattern) {
  const RE2 compiled(pattern, RE2::Quiet);
  for (const char* text : {"", "a", " ", "a a", "\n", "a\n", "1", "a1"}) {
    re2::StringPiece match;
    const re2::StringPiece piece(text);
    for (size_t begin = 0; begin <= piece.size(); ++begin) {
      if (compiled.Match(piece, begin, piece.size(), RE2::UNANCHORED, &match, 1) && match.empty()) return true;
    }
  }
  return false;
}

// All matches, or one group of theirs. DuckDB finds one more empty match at the end of a text that GoogleSQL does not.
std::string AllMatches(const std::string& text, const std::string& pattern_text, const std::string& pattern,
                       int group) {
  const auto matches = [&](const std::string& t, int g) {
    return StrCat("regexp_extract_all(", t, ", ", pattern_text, ", ", g, ")");
  };
  if (!MatchesEmpty(pattern)) return matches(text, group);
  return Once({text}, [&](const Texts& a) {
    return Once({matches(a[0], group), matches(a[0], 0), a[0]}, [&](const Texts& b) {
      return StrCat("(CASE WHEN ", b[2], " <> '' AND list_extract(", b[1], ", -1) = '' AND regexp_matches(", b[2], ", ",
                    Quote(StrCat("(?:", pattern, ")\\z")), ") THEN list_slice(", b[0], ", 1, len(", b[0],
                    ") - 1) ELSE ", b[0], " END)");
    });
  });
}

StatusOr<std::string> ExtractOccurrence(const FunctionCall& call, const Texts& args, const std::string& pattern,
                                        int group) {
  Texts all = args;
  if (all.size() < 4) all.push_back("1");
  return Once(all, [&](const Texts& a) {
    return StrCat("(CASE WHEN ", a[2], " <= 0 OR ", a[3], " <= 0 THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": position and occurrence begin at 1'")), " WHEN ", a[2],
                  " <= greatest(length(", a[0], "), 1) THEN list_extract(",
                  AllMatches(StrCat("substr(", a[0], ", ", a[2], ")"), a[1], pattern, group), ", ", a[3], ") END)");
  });
}

StatusOr<std::string> RegexpExtract(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 1)) return std::string("CAST(NULL AS VARCHAR)");
  StatusOr<std::string> pattern = PatternOf(call);
  if (!pattern.ok()) return pattern;
  StatusOr<int> group = GroupOf(call, *pattern);
  if (!group.ok()) return group.status();
  if (args.size() > 2) return ExtractOccurrence(call, args, *pattern, *group);
  // DuckDB gives '' where there is no match, and where the group has no part in it.
  if (*group == 1) return StrCat("list_extract(regexp_extract_all(", args[0], ", ", args[1], ", 1), 1)");
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN regexp_matches(", a[0], ", ", a[1], ") THEN regexp_extract(", a[0], ", ", a[1], ") END)");
  });
}

StatusOr<std::string> RegexpExtractAll(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 1)) return std::string("CAST(NULL AS VARCHAR[])");
  StatusOr<std::string> pattern = PatternOf(call);
  if (!pattern.ok()) return pattern;
  StatusOr<int> group = GroupOf(call, *pattern);
  if (!group.ok()) return group.status();
  return AllMatches(args[0], args[1], *pattern, *group);
}

// The place of the first match: behind the shortest text before one. Unimplemented beyond that: DuckDB tells no places.
StatusOr<std::string> RegexpInstr(const FunctionCall& call, const Texts& args) {
  StatusOr<std::string> pattern = PatternOf(call);
  if (!pattern.ok()) return pattern;
  const bool looks_behind = pattern->find_first_of("^") != std::string::npos ||
                            pattern->find("\\b") != std::string::npos || pattern->find("\\B") != std::string::npos ||
                            pattern->find("\\A") != std::string::npos;
  if (args.size() > 2 || looks_behind || RE2(*pattern, RE2::Quiet).NumberOfCapturingGroups() > 0) {
    return absl::UnimplementedError(StrCat(NameOf(call), " with a position, a group, or a pattern that has ^ or \\b"));
  }
  if (pattern->empty()) return StrCat("(CASE WHEN ", args[0], " IS NOT NULL THEN 0 END)");
  const std::string before = Quote(StrCat("^((?s:.*?))(?:", *pattern, ")"));
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN ", a[0], " <> '' AND regexp_matches(", a[0], ", ", a[1], ") THEN length(regexp_extract(",
                  a[0], ", ", before, ", 1)) + 1 WHEN ", a[0], " IS NOT NULL THEN 0 END)");
  });
}

StatusOr<std::string> RegexpReplace(const FunctionCall& call, const Texts& args) {
  if (ConstantString(call, 1).has_value()) {
    StatusOr<std::string> pattern = PatternOf(call);
    if (!pattern.ok()) return pattern;
    if (const std::optional<std::string> rewrite = ConstantString(call, 2)) {
      std::string error;
      if (!RE2(*pattern, RE2::Quiet).CheckRewriteString(*rewrite, &error)) return BadPattern(call, *pattern, error);
    }
  }
  return StrCat("regexp_replace(", args[0], ", ", args[1], ", ", args[2], ", 'g')");
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"regexp_contains", RegexpContains}, {"regexp_extract", RegexpExtract}, {"regexp_extract_all", RegexpExtractAll},
    {"regexp_instr", RegexpInstr},       {"regexp_replace", RegexpReplace},
};

}  // namespace

DuckDbFunctionList DuckDbRegexpFunctions() { return kEntries; }

}  // namespace logquery::emit
