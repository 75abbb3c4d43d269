// Facts that SQL text carries: those of a whole follow from its parts'.
#include "lib/emit/sql.h"

#include <catch2/catch_all.hpp>

#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {
namespace {

Sql Column(const char* name) { return Sql(std::string(name), {.simple = true, .reads_column = true}); }

TEST_CASE("a composed text has the combined facts of its parts") {
  const Sql sum = Cat("(", Column("t1.n"), " + ", 1, ")");
  CHECK(sum == "(t1.n + 1)");
  CHECK(sum.facts().reads_column);
  CHECK_FALSE(sum.facts().simple);
  CHECK_FALSE(Cat("(", Sql::Simple("1"), ")").facts().reads_column);

  const Sql first = FreshName({sum});
  CHECK(first == "lq1_");
  const Sql lambda = Cat("lambda ", first, ": ", first, " + ", sum);
  CHECK(FreshName({sum, lambda}) == "lq2_");
  CHECK(JoinTexts({sum, lambda}, ", ").facts().variables == 1);
}

TEST_CASE("names, filters and operators inside a quoted value are not taken for SQL") {
  const Sql text = Quote("t1.n || lq7_ FILTER (WHERE list_extract(");
  CHECK(text.facts().simple);
  CHECK_FALSE(text.facts().reads_column);
  CHECK_FALSE(text.facts().many_types);
  CHECK_FALSE(text.facts().filters);
  CHECK(FreshName({text}) == "lq1_");
}

TEST_CASE("an expensive operand is evaluated once, and columns are inlined") {
  const auto twice = [](const Texts& a) { return Cat("(", a[0], " + ", a[0], " + ", a[1], ")"); };
  CHECK(Once({Column("t1.n"), Sql::Simple("2")}, twice) == "(t1.n + t1.n + 2)");
  const Sql cost = Cat("f(", Column("t1.m"), ")");
  const Sql once = Once({cost, Column("t1.n")}, twice);
  CHECK(once == "list_transform([row(f(t1.m), t1.n)], lambda lq1_: (lq1_[1] + lq1_[1] + lq1_[2]))[1]");
  CHECK(once.facts().many_types);
  CHECK(once.facts().variables == 1);
  CHECK(Once({once, Sql::Simple("2")}, twice).facts().variables == 2);
}

TEST_CASE("a cast is as simple as its operand") {
  CHECK(FillTemplate("CAST($1 AS DOUBLE)", Texts{Column("t1.n")}).facts().simple);
  CHECK_FALSE(FillTemplate("CAST($1 AS DOUBLE)", Texts{Cat("f(", Column("t1.n"), ")")}).facts().simple);
  CHECK_FALSE(FillTemplate("CAST($1 + $2 AS DOUBLE)", Texts{Column("t1.n"), Column("t1.m")}).facts().simple);
}

}  // namespace
}  // namespace logquery::emit
