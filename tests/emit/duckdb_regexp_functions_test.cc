// Values of regular expressions' functions, as GoogleSQL's documentation has them.
#include <catch2/catch_test_macros.hpp>

#include "tests/emit/duckdb_function_cases.h"

namespace logquery::emit {
namespace {

Value S(const char* text) { return Value::String(text); }
Value I(int64_t number) { return Value::Int64(number); }
Value Yes() { return Value::Bool(true); }
Value No() { return Value::Bool(false); }
Value Strings(std::vector<Value> values) { return Value::Array(Type::String(), std::move(values)); }
const Value kNullString = Value::Null(Type::String());

TEST_CASE("regular expressions") {
  CheckAll({
      {"REGEXP_CONTAINS", {S("abc"), S("(?i)B")}, Yes()},
      {"REGEXP_CONTAINS", {S("a\nb"), S("a.b")}, No()},
      {"REGEXP_CONTAINS", {S("xa.bx"), S("a\\.b")}, Yes()},
      {"REGEXP_CONTAINS", {S("a_b"), S("a\\.b")}, No()},
      {"REGEXP_CONTAINS", {S("a.bc"), S("^a\\.b")}, Yes()},
      {"REGEXP_CONTAINS", {S("a.b"), S("b$")}, Yes()},
      {"REGEXP_CONTAINS", {S("a.b\n"), S("b$")}, No()},
      {"REGEXP_CONTAINS", {S("a.b"), S("^a\\.b$")}, Yes()},
      {"REGEXP_CONTAINS", {S("a.bc"), S("^a\\.b$")}, No()},
      {"REGEXP_CONTAINS", {S("a'b"), S("'b$")}, Yes()},
      {"REGEXP_EXTRACT", {S("abc"), S("b.")}, S("bc")},
      {"REGEXP_EXTRACT", {S("abc"), S("x")}, kNullString},
      {"REGEXP_EXTRACT", {S("abc"), S("x*")}, S("")},
      {"REGEXP_EXTRACT", {S("abc"), S("a(.)c")}, S("b")},
      {"REGEXP_EXTRACT", {S("ac"), S("a(b)?c")}, kNullString},
      {"REGEXP_EXTRACT", {S("abcabd"), S("ab."), I(2), I(1)}, S("abd")},
      {"REGEXP_EXTRACT", {S("abcabd"), S("ab."), I(1), I(2)}, S("abd")},
      {"REGEXP_EXTRACT", {S("abc"), S("ab."), I(9)}, kNullString},
      {"REGEXP_EXTRACT_ALL", {S("a1b2"), S("[a-z](\\d)")}, Strings({S("1"), S("2")})},
      {"REGEXP_EXTRACT_ALL", {S("abcb"), S("b*")}, Strings({S(""), S("b"), S(""), S("b")})},
      {"REGEXP_EXTRACT_ALL", {S(""), S("b*")}, Strings({S("")})},
      {"REGEXP_EXTRACT_ALL", {S("abc"), S("x")}, Strings({})},
      {"REGEXP_INSTR", {S("añbc"), S("b.")}, I(3)},
      {"REGEXP_INSTR", {S("abc"), S("x")}, I(0)},
      {"REGEXP_REPLACE", {S("abab"), S("(a)"), S("<\\1>")}, S("<a>b<a>b")},
      {"REGEXP_REPLACE", {S("abc"), S(""), S("-")}, S("-a-b-c-")},
  });
  CheckErrors({
      {"REGEXP_CONTAINS", {S("abc"), S("(")}, "missing"},
      {"REGEXP_EXTRACT", {S("abc"), S("(a)(b)")}, "more than one capturing group"},
  });
  // Known when the text is made: a group that the pattern does not have.
  CHECK(absl::IsInvalidArgument(
      Evaluate("REGEXP_REPLACE", {S("abab"), S("(a)"), S("\\2")}, ArgumentForm::kLiterals).status()));
}

}  // namespace
}  // namespace logquery::emit
