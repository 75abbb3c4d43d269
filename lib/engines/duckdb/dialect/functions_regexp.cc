// Regular expressions: functions of ours, which can be cancelled with the query, and DuckDB's for the beginnings and ends of
// texts.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/base/pattern_problem.h"
#include "lib/base/plain_pattern.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/rewrite/scalars.h"
#include "re2/re2.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

absl::Status BadPattern(const FunctionCall& call, std::string_view pattern, std::string_view why) {
  return absl::InvalidArgumentError(
      StrCat(NameOf(call), ": ", why, " in the regular expression ", Quote(pattern).text()));
}

// Returns whether the pattern has only letters, digits, slashes, dashes and underscores, which match themselves.
bool IsPlainText(std::string_view pattern) {
  return std::all_of(pattern.begin(), pattern.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '/' || c == '-' || c == '_' || c == ' ';
  });
}

// Judges the pattern without compiling it: short, of plain text, with few `.` and anchors. Matching a simple pattern
// takes some nanoseconds per byte, unlike a pattern with too many states to cache.
bool IsSimple(std::string_view pattern) {
  constexpr size_t kShort = 256;
  constexpr int kFew = 8;
  return pattern.size() <= kShort && std::count(pattern.begin(), pattern.end(), '.') <= kFew &&
         std::all_of(pattern.begin(), pattern.end(),
                     [](char c) { return c == '.' || c == '^' || c == '$' || IsPlainText(std::string_view(&c, 1)); });
}

// A pattern that is a literal is checked here, where its place in the query is known. NULL and others pass.
absl::Status CheckPattern(const FunctionCall& call, bool one_group) {
  const Value* value = rewrite::ConstantArgument(call, 1);
  // SAFE. has the engine give NULL for a wrong one.
  if (value == nullptr || call.safe) return absl::OkStatus();
  const std::string& pattern = value->string_value();
  if (IsSimple(pattern)) return absl::OkStatus();
  RE2::Options options(RE2::Quiet);
  if (value->type().is(TypeKind::kBytes)) options.set_encoding(RE2::Options::EncodingLatin1);
  const RE2 compiled(pattern, options);
  if (!compiled.ok()) return BadPattern(call, pattern, base::PatternProblem(compiled));
  if (one_group && compiled.NumberOfCapturingGroups() > 1) {
    return BadPattern(call, pattern, "more than one capturing group");
  }
  return absl::OkStatus();
}

Sql OurFunction(const FunctionCall& call, std::string_view name, const Texts& args) {
  const bool bytes = call.arguments[0]->type.is(TypeKind::kBytes);
  return Cat(bytes ? "lq_bytes_" : "lq_", name, "(", JoinTexts(args, ", "), ")");
}

StatusOr<Sql> RegexpContains(const FunctionCall& call, const Texts& args) {
  LOGQUERY_RETURN_IF_ERROR(CheckPattern(call, false));
  const std::optional<std::string> pattern = ConstantString(call, 1);
  const std::optional<base::PlainPattern> plain = pattern.has_value() ? base::PlainPatternOf(*pattern) : std::nullopt;
  if (!plain.has_value()) return OurFunction(call, "regexp_contains", args);
  const Sql text = Quote(plain->text);
  if (plain->at_beginning && plain->at_end) return Cat("(", args[0], " = ", text, ")");
  const std::string_view function = plain->at_beginning ? "starts_with(" : plain->at_end ? "suffix(" : "lq_contains(";
  return Cat(function, args[0], ", ", text, ")");
}

StatusOr<Sql> WithOnes(const FunctionCall& call, const Texts& args, std::string_view name, size_t size) {
  LOGQUERY_RETURN_IF_ERROR(CheckPattern(call, true));
  Texts all = args;
  while (all.size() < size) all.push_back("1");
  return OurFunction(call, name, all);
}

StatusOr<Sql> RegexpExtract(const FunctionCall& call, const Texts& args) {
  return WithOnes(call, args, "regexp_extract", 4);
}

StatusOr<Sql> RegexpExtractAll(const FunctionCall& call, const Texts& args) {
  return WithOnes(call, args, "regexp_extract_all", 2);
}

// The last argument is 0 unless it is given.
StatusOr<Sql> RegexpInstr(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  while (all.size() < 4) all.push_back("1");
  if (all.size() < 5) all.push_back("0");
  return WithOnes(call, all, "regexp_instr", 5);
}

StatusOr<Sql> RegexpReplace(const FunctionCall& call, const Texts& args) {
  LOGQUERY_RETURN_IF_ERROR(CheckPattern(call, false));
  const Value* pattern = rewrite::ConstantArgument(call, 1);
  const Value* rewrite = rewrite::ConstantArgument(call, 2);
  if (pattern != nullptr && rewrite != nullptr && !call.safe) {
    std::string error;
    if (!RE2(pattern->string_value(), RE2::Quiet).CheckRewriteString(rewrite->string_value(), &error)) {
      return BadPattern(call, pattern->string_value(), error);
    }
  }
  return OurFunction(call, "regexp_replace", args);
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"regexp_contains", RegexpContains}, {"regexp_extract", RegexpExtract}, {"regexp_extract_all", RegexpExtractAll},
    {"regexp_instr", RegexpInstr},       {"regexp_replace", RegexpReplace},
};

}  // namespace

DuckDbFunctionList DuckDbRegexpFunctions() { return kEntries; }

}  // namespace logquery::emit
