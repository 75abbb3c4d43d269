// The tables that say how dialects spell functions: they name what there is, once, and each function has a row for them.
#include "lib/emit/spellings.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/emit/explain/spellings.h"
#include "lib/engines/duckdb/dialect/spellings.h"

namespace logquery::emit {
namespace {

const rewrite::Overload& RowOf(std::string_view function, std::string_view signature) {
  for (const rewrite::Overload& overload : rewrite::FindFunction(function)->overloads) {
    if (overload.row->signature == signature) return overload;
  }
  FAIL("no such row: " << function << signature);
  return rewrite::FindFunction(function)->overloads[0];
}

TEST_CASE("a spelling applies to one overload, or to all overloads of a name") {
  constexpr Spelling kSpellings[] = {{"ABS(INT64)", "iabs($1)"}, {"ABS", "fabs($1)"}, {"LOWER", "lc($1)"}};
  const Spellings spellings({kSpellings});
  CHECK(spellings.problems().empty());
  CHECK(spellings.Of(RowOf("ABS", "(INT64) -> INT64")) == "iabs($1)");
  CHECK(spellings.Of(RowOf("ABS", "(FLOAT64) -> FLOAT64")) == "fabs($1)");
  CHECK(spellings.Of(RowOf("LOWER", "(STRING) -> STRING")) == "lc($1)");
  CHECK(spellings.Of(RowOf("UPPER", "(STRING) -> STRING")).empty());
  CHECK(spellings.Has(*rewrite::FindFunction("ABS")));
  CHECK_FALSE(spellings.Has(*rewrite::FindFunction("UPPER")));
}

TEST_CASE("templates name arguments, all of them, or those from one on") {
  CHECK(FillTemplate("f($2, $1)", Texts{"a", "b"}) == "f(b, a)");
  CHECK(FillTemplate("f($*)", Texts{"a", "b", "c"}) == "f(a, b, c)");
  CHECK(FillTemplate("f($1, [$2*])", Texts{"a", "b", "c"}) == "f(a, [b, c])");
  CHECK(FillTemplate("$$1", Texts{"a"}) == "$1");
  CHECK(FillTemplate("a$$b$1c$", Texts{"x"}) == "a$bxc$");
  CHECK(FillTemplate("$1", Texts{"a"}) == "a");
  CHECK(FillTemplate("f()", Texts{}) == "f()");
  CHECK(FillTemplate("", Texts{}) == "");
}

TEST_CASE("unknown and duplicate names in a spelling table are detected") {
  constexpr Spelling kSpellings[] = {{"LOWERCASE", "l($1)"}, {"ABS(STRING)", "a($1)"}, {"ABS", "a"}, {"ABS", "b"}};
  CHECK(Spellings({kSpellings}).problems() == std::vector<std::string>{"ABS stands twice",
                                                                       "the function table has no ABS(STRING)",
                                                                       "the function table has no LOWERCASE"});
}

TEST_CASE("the dialects' own tables have no such problems") {
  CHECK(DuckDbSpellings().problems() == std::vector<std::string>{});
  CHECK(GoogleSqlSpellings().problems() == std::vector<std::string>{});
}

}  // namespace
}  // namespace logquery::emit
