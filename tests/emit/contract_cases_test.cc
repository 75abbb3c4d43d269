// Each case that CheckCall and CheckError look at is a line of lib/testing/function_cases.txt, which the backend contract runs on
// every engine. LOGQUERY_UPDATE_GOLDEN=1 build/bin/test_emit adds what the file lacks; a line that no case has any more goes by
// hand.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "lib/base/strings.h"
#include "lib/emit/explain/googlesql_literals.h"
#include "lib/emit/explain/spellings.h"
#include "lib/rewrite/functions/functions.h"
#include "tests/emit/duckdb_function_cases.h"
#include "tests/support/end_of_run.h"
#include "tests/support/folders.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::Overload;

// Returns another file for a test of this one: tests/docs/function_steps_test.py.
std::string FileOfLines() {
  const char* const other = std::getenv("LOGQUERY_FUNCTION_CASES");
  return other != nullptr ? other : testing::SourcePath("lib/testing/function_cases.txt");
}

constexpr char kHead[] =
    "# Calls of functions and what they give, tests of a backend: the call, a tab, its value or `error`, and a tab and "
    "a literal for each\n"
    "# of $1, $2 and so on. Made of the cases of logquery's own tests; lines are sorted.\n";
// A longer line is about a bound, not about a function's meaning.
constexpr size_t kLongestLine = 1'000;

std::set<std::string> ReadLines() {
  std::set<std::string> lines;
  std::ifstream file(FileOfLines(), std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.insert(line);
  }
  return lines;
}

bool IsUpdating() { return std::getenv("LOGQUERY_UPDATE_GOLDEN") != nullptr; }

std::set<std::string>& Lines() {
  static auto& lines = *new std::set<std::string>(ReadLines());
  return lines;
}

// "($1 AND $2)" of a call that is an operator between all of its operands.
std::string Between(const std::vector<std::string>& operands, std::string_view word) {
  return StrCat("(", base::Join(operands, word), ")");
}

std::string CallOf(const Overload& overload, const std::vector<std::string>& operands) {
  const std::string_view spelling = GoogleSqlSpellings().Of(overload);
  if (spelling == "@and") return Between(operands, " AND ");
  if (spelling == "@or") return Between(operands, " OR ");
  return FillTemplate(spelling.empty() ? StrCat(overload.function->name, "($*)") : std::string(spelling), operands);
}

// The case's line; empty: queries can't make the call, or not with these values.
std::string LineOf(const CheckedCall& call) {
  const Overload& overload = *PickOverload(call.function, call.args).overload;
  const bool has_name = overload.function->name[0] != '$' || !GoogleSqlSpellings().Of(overload).empty();
  if (overload.function->Has(rewrite::kInternal) || !has_name) return "";
  std::vector<std::string> operands, literals;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const absl::StatusOr<std::string> literal = GoogleSqlLiteral(call.args[i]);
    if (!literal.ok()) return "";
    const bool is_declared = i < overload.parameters.size();
    if (is_declared && overload.parameters[i].type.kind == rewrite::TypePattern::Kind::kPart) {
      operands.push_back(call.args[i].string_value());
    } else if (is_declared && !overload.parameters[i].name.empty()) {
      operands.push_back(*literal);
    } else {
      literals.push_back(*literal);
      operands.push_back(StrCat("$", literals.size()));
    }
  }
  std::string line = StrCat(CallOf(overload, operands), "\t");
  if (call.expected == nullptr) {
    line += "error";
  } else {
    const absl::StatusOr<std::string> expected = GoogleSqlLiteral(*call.expected);
    if (!expected.ok()) return "";
    line += *expected;
  }
  for (const std::string& literal : literals) line += "\t" + literal;
  return line.size() <= kLongestLine && line.find('\n') == std::string::npos ? line : "";
}

void CheckLine(const CheckedCall& call) {
  const std::string line = LineOf(call);
  if (line.empty()) return;
  if (IsUpdating()) {
    Lines().insert(line);
    return;
  }
  INFO("LOGQUERY_UPDATE_GOLDEN=1 build/bin/test_emit adds to lib/testing/function_cases.txt what it lacks: " << line);
  CHECK(Lines().count(line) == 1);
}

[[maybe_unused]] const bool is_observing = [] {
  ObserveCalls(CheckLine);
  testing::AtEnd([] {
    if (!IsUpdating()) return;
    // The lines that are there are read before the file is opened, which empties it.
    const std::set<std::string>& lines = Lines();
    std::ofstream file(FileOfLines(), std::ios::binary);
    file << kHead;
    for (const std::string& line : lines) file << line << "\n";
  });
  return true;
}();

TEST_CASE("each case is a line from which queries can be made") {
  const std::vector<Value> args = {Value::String("a\tb"), Value::String("c")};
  const Value joined = Value::String("a\tbc");
  CHECK(LineOf({"CONCAT", args, &joined, ""}) == "CONCAT($1, $2)\t'a\\tbc'\t'a\\tb'\t'c'");
  const std::vector<Value> days = {Value::Date(0), Value::Date(1), Value::String("DAY")};
  const Value before = Value::Int64(-1);
  CHECK(LineOf({"DATE_DIFF", days, &before, ""}) ==
        "DATE_DIFF($1, $2, DAY)\t(-1)\tDATE '1970-01-01'\tDATE '1970-01-02'");
  const std::vector<Value> zero = {Value::Int64(1), Value::Int64(0)};
  CHECK(LineOf({"DIV", zero, nullptr, "division by zero"}) == "DIV($1, $2)\terror\t1\t0");
}

}  // namespace
}  // namespace logquery::emit
