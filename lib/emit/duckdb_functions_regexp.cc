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

bool IsNullConstant(const FunctionCall& call, size_t index) {
  const auto* constant = rewrite::If<rewrite::Constant>(call.arguments[index].get());
  return constant != nullptr && constant->value.is_null();
}

// 0, the whole match, of a pattern without groups; 1 of one with one. More are an error.
StatusOr<int> GroupOf(const FunctionCall& call, const std::string& pattern) {
  const int groups = RE2(pattern, RE2::Quiet).NumberOfCapturingGroups();
  if (groups > 1) return BadPattern(call, pattern, "more than one capturing group");
  return groups;
}

StatusOr<std::string> RegexpContains(const FunctionCall& call, const Texts& args) {
  if (ConstantString(call, 1).has_value()) {
    StatusOr<std::string> pattern = PatternOf(call);
    if (!pattern.ok()) return pattern;
  }
  return StrCat("regexp_matches(", args[0], ", ", args[1], ")");
}

// Whether the pattern looks at what stands before a match, so that cutting the text's head off changes its meaning.
bool LooksBehind(const std::string& pattern) {
  return pattern.find('^') != std::string::npos || pattern.find("\\b") != std::string::npos ||
         pattern.find("\\B") != std::string::npos || pattern.find("\\A") != std::string::npos;
}

StatusOr<std::string> ExtractOccurrence(const FunctionCall& call, const Texts& args, const std::string& pattern,
                                        int group) {
  if (ConstantInt64(call, 2) != 1 && LooksBehind(pattern)) {
    return absl::UnimplementedError(StrCat(NameOf(call), " from a position with ^ or \\b in the regular expression"));
  }
  Texts all = args;
  if (all.size() < 4) all.push_back("1");
  return Once(all, [&](const Texts& a) {
    return StrCat("(CASE WHEN ", a[2], " <= 0 OR ", a[3], " <= 0 THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": position and occurrence begin at 1'")), " WHEN ", a[2],
                  " <= length(", a[0], ") + 1 THEN regexp_extract_all(substr(", a[0], ", ", a[2], "), ", a[1], ", ",
                  group, ")[", a[3], "] END)");
  });
}

StatusOr<std::string> RegexpExtract(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 1)) return std::string("CAST(NULL AS VARCHAR)");
  StatusOr<std::string> pattern = PatternOf(call);
  if (!pattern.ok()) return pattern;
  StatusOr<int> group = GroupOf(call, *pattern);
  if (!group.ok()) return group.status();
  if (args.size() > 2) return ExtractOccurrence(call, args, *pattern, *group);
  // DuckDB gives '' for no match, and this can tell it from an empty one.
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN regexp_matches(", a[0], ", ", a[1], ") THEN regexp_extract(", a[0], ", ", a[1], ", ",
                  *group, ") END)");
  });
}

StatusOr<std::string> RegexpExtractAll(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 1)) return std::string("CAST(NULL AS VARCHAR[])");
  StatusOr<std::string> pattern = PatternOf(call);
  if (!pattern.ok()) return pattern;
  StatusOr<int> group = GroupOf(call, *pattern);
  if (!group.ok()) return group.status();
  return StrCat("regexp_extract_all(", args[0], ", ", args[1], ", ", *group, ")");
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
    {"regexp_contains", RegexpContains},
    {"regexp_extract", RegexpExtract},
    {"regexp_extract_all", RegexpExtractAll},
    {"regexp_replace", RegexpReplace},
};

}  // namespace

DuckDbFunctionList DuckDbRegexpFunctions() { return kEntries; }

}  // namespace logquery::emit
