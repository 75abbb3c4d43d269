#include "lib/sql/parser.h"

#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "logquery/error.h"
#include "tests/sql/case_file.h"
#include "tests/support/thread_time.h"

namespace logquery::sql {
namespace {

QueryPtr Parse(std::string_view text) {
  absl::StatusOr<QueryPtr> query = ParseQuery(text, {});
  INFO(text);
  REQUIRE(query.status() == absl::OkStatus());
  return *std::move(query);
}

const Select& SelectOf(const Query& query) {
  REQUIRE(query.body->kind == BodyKind::kSelect);
  return As<Select>(*query.body);
}

std::string ErrorOf(std::string_view text, const ParseLimits& limits = {}) {
  const absl::StatusOr<QueryPtr> query = ParseQuery(text, limits);
  return query.ok() ? "no error" : std::string(base::Message(query.status()));
}

std::string Repeat(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST_CASE("a query becomes a tree") {
  const QueryPtr query =
      Parse("select id, m.level as lvl from auth_logs t, unnest(t.metadata) m where id = @id limit 5;");

  const Select& select = SelectOf(*query);
  REQUIRE(select.items.size() == 2);
  CHECK(select.items[1].alias->text == "lvl");
  const auto& join = As<JoinItem>(*select.from);
  CHECK(join.type == JoinItem::Type::kComma);
  CHECK(join.left->alias->text == "t");
  CHECK(As<UnnestItem>(*join.right).arrays.size() == 1);
  CHECK(As<ParameterExpr>(*As<Binary>(*select.where).right).name == "id");
  CHECK(As<Literal>(*query->limit).text == "5");
}

TEST_CASE("an error says what was expected, what was found, and where") {
  const absl::StatusOr<QueryPtr> query = ParseQuery("select id\nfrom where timestamp > 0", {});

  CHECK(query.status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(base::Message(query.status()) ==
        "Syntax error: expected a table name, UNNEST(…) or a subquery after FROM but found keyword WHERE at line 2, "
        "column 6");
  const ErrorDetails details = GetErrorDetails(query.status());
  CHECK(details.line == 2);
  CHECK(details.column == 6);
  CHECK(details.snippet == "from where timestamp > 0\n     ^");
}

TEST_CASE("golden cases of the parser") {
  CheckCases("parse_cases.txt", [](const std::string& input) {
    const absl::StatusOr<QueryPtr> query = ParseQuery(input, {});
    return query.ok() ? Print(**query) : std::string(base::Message(query.status()));
  });
}

TEST_CASE("golden cases of errors") {
  CheckCases("error_cases.txt", [](const std::string& input) {
    const absl::StatusOr<QueryPtr> query = ParseQuery(input, {});
    if (query.ok()) return base::StrCat("no error: ", Print(**query));
    CHECK(query.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(GetErrorDetails(query.status()).line > 0);
    return std::string(base::Message(query.status()));
  });
}

TEST_CASE("golden cases: queries over logs") {
  CheckCases("log_query_cases.txt", [](const std::string& input) {
    const absl::StatusOr<QueryPtr> query = ParseQuery(input, {});
    return query.ok() ? Print(**query) : std::string(base::Message(query.status()));
  });
}

TEST_CASE("each ON clause belongs to the join that it closes") {
  const auto joins = [](std::string_view from) {
    const QueryPtr query = Parse(base::StrCat("select 1 from ", from));
    return Print(*query).substr(std::string_view("SELECT 1 FROM ").size());
  };
  CHECK(joins("a join b on x join c on y") == "a JOIN b ON x JOIN c ON y");
  CHECK(joins("a join b join c on x on y") == "a JOIN (b JOIN c ON x) ON y");
  CHECK(joins("a join b join c on x join d on y on z") == "a JOIN (b JOIN c ON x JOIN d ON y) ON z");
  CHECK(joins("a join b join c join d on x on y on z") == "a JOIN (b JOIN (c JOIN d ON x) ON y) ON z");
  // An array needs none, and takes none away from its neighbours.
  CHECK(joins("a left join unnest(a.x) left join c on y") == "a LEFT JOIN UNNEST(a.x) LEFT JOIN c ON y");
  CHECK(joins("a left join unnest(a.x) m left join unnest(m.y) n") ==
        "a LEFT JOIN UNNEST(a.x) AS m LEFT JOIN UNNEST(m.y) AS n");

  const QueryPtr query = Parse("select 1 from a left join unnest(a.x) left join c on y");
  const auto& outer = As<JoinItem>(*SelectOf(*query).from);
  CHECK(outer.on != nullptr);
  CHECK(outer.left->kind == FromKind::kJoin);
  CHECK(outer.right->kind == FromKind::kTable);
}

TEST_CASE("a parenthesis holds a query, an expression or a join") {
  const auto shape = [](std::string_view text) { return Print(*Parse(text)); };
  CHECK(shape("select (select 1)") == "SELECT (SELECT 1)");
  CHECK(shape("select ((select 1))") == "SELECT ((SELECT 1))");
  CHECK(shape("select ((select 1) + 1)") == "SELECT (SELECT 1) + 1");
  CHECK(shape("select ((select 1), 2)") == "SELECT ((SELECT 1), 2)");
  CHECK(shape("select (((select 1) union all (select 2)) limit 1)") ==
        "SELECT (((SELECT 1) UNION ALL (SELECT 2)) LIMIT 1)");
  CHECK(shape("select (with(a as 1, a))") == "SELECT WITH(a AS 1, a)");
  CHECK(shape("select (with a as (select 1) select * from a)") == "SELECT (WITH a AS (SELECT 1) SELECT * FROM a)");
  CHECK(shape("select * from ((select 1) as a cross join b)") == "SELECT * FROM ((SELECT 1) AS a CROSS JOIN b)");
  CHECK(shape("select * from ((select 1) left join b on c)") == "SELECT * FROM ((SELECT 1) LEFT JOIN b ON c)");
  CHECK(shape("select * from ((select 1 as a) left union all by name (select 2 as a))") ==
        "SELECT * FROM ((SELECT 1 AS a) LEFT UNION ALL BY NAME (SELECT 2 AS a))");
  CHECK(shape("select 1 in ((select 2)), 1 in ((select 2), 3)") == "SELECT 1 IN ((SELECT 2)), 1 IN ((SELECT 2), 3)");
  CHECK(shape("(from a |> limit 1) union all (select 1)") == "(FROM a |> LIMIT 1) UNION ALL (SELECT 1)");
}

TEST_CASE("each limit is named when it is exceeded, and allows the value just below") {
  struct Case {
    std::string passes;
    std::string fails;
    const char* message;
  };
  const Case cases[] = {
      {"select " + Repeat("(", 200) + "1" + Repeat(")", 200), "select " + Repeat("(", 201) + "1" + Repeat(")", 201),
       "more than 200 levels of nesting at line 1, column 208"},
      {Repeat("(select ", 200) + "1" + Repeat(")", 200), Repeat("(select ", 201) + "1" + Repeat(")", 201),
       "more than 200 levels of nesting at line 1, column 1601"},
      {"select " + Repeat("f(", 200) + "1" + Repeat(")", 200), "select " + Repeat("f(", 201) + "1" + Repeat(")", 201),
       "more than 200 levels of nesting at line 1, column 409"},
      {"select " + Repeat("case when ", 200) + "1" + Repeat(" then 2 end", 200), "select " + Repeat("case when ", 201),
       "more than 200 levels of nesting at line 1, column 2008"},
      {"select " + Repeat("not ", 200) + "a", "select " + Repeat("not ", 201) + "a",
       "more than 200 levels of nesting at line 1, column 808"},
      {"select " + Repeat("- ", 200) + "1", "select " + Repeat("- ", 201) + "1",
       "more than 200 levels of nesting at line 1, column 408"},
      {"select 1" + Repeat("+1", 500), "select 1" + Repeat("+1", 501),
       "more than 500 operators in a row at line 1, column 1011"},
      {"select a" + Repeat("[0]", 500), "select a" + Repeat("[0]", 501),
       "more than 500 operators in a row at line 1, column 1512"},
      {"select (1" + Repeat("+1", 250) + ")" + Repeat("*2", 250),
       "select (1" + Repeat("+1", 250) + ")" + Repeat("*2", 251),
       "more than 500 operators in a row at line 1, column 1013"},
      {"select 1" + Repeat(",1", 999), "select 1" + Repeat(",1", 1000),
       "more than 1000 columns in one list at line 1, column 2008"},
      {"with a as (select 1)" + Repeat(", a as (select 1)", 99) + " select 1",
       "with a as (select 1)" + Repeat(", a as (select 1)", 100) + " select 1",
       "more than 100 queries in WITH at line 1, column 1706"},
      {"select 1 from a" + Repeat(", a", 32), "select 1 from a" + Repeat(", a", 33),
       "more than 32 joins at line 1, column 115"},
      {"select 1 from a" + Repeat(", unnest(a)", 200), "select 1 from a" + Repeat(", unnest(a)", 201),
       "more than 200 joins with UNNEST at line 1, column 2227"},
      {"from a" + Repeat(" |> as a", 200), "from a" + Repeat(" |> as a", 201),
       "more than 200 pipe operators in a row at line 1, column 1608"},
      {"select '" + std::string(65'527, 'x') + "'", "select '" + std::string(65'528, 'x') + "'",
       "the query has 65537 bytes, more than the 65536 allowed"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.message, c.fails.substr(0, 60));
    CHECK(ErrorOf(c.passes) == "no error");
    CHECK(ErrorOf(c.fails) == c.message);
  }
}

TEST_CASE("limits can be set") {
  ParseLimits limits;
  limits.max_joins = 1;
  CHECK(ErrorOf("select 1 from a, b", limits) == "no error");
  CHECK(ErrorOf("select 1 from a, b where (select 1 from c, d) = 1", limits) ==
        "more than 1 joins at line 1, column 45");
}

TEST_CASE("chains that are one node may be as long as the query's text") {
  const QueryPtr query = Parse("select a" + Repeat(" and a", 10'000));
  CHECK(As<Nary>(*SelectOf(*query).items[0].expr).operands.size() == 10'001);
  CHECK(ErrorOf("select a" + Repeat("||a", 20'000)) == "no error");
  CHECK(ErrorOf("select a in (1" + Repeat(",1", 30'000) + ")") == "no error");
}

// Measured 1 to 6 ms each; the bound leaves room for sanitizers and busy machines.
TEST_CASE("no text of 64 KiB takes long") {
  for (const char* part : {"(",
                           "[",
                           "((",
                           "select ",
                           "case ",
                           "not ",
                           "- ",
                           "+1",
                           "a.",
                           "a[",
                           "f(",
                           "'''\\'",
                           "''''",
                           "``",
                           "/*",
                           "@{",
                           "interval ",
                           "x->",
                           "array<",
                           "(select ",
                           ",",
                           "a join b on ",
                           "from ",
                           "(a,",
                           "\n",
                           "é",
                           "|>",
                           "a as b,",
                           "with a as (",
                           "case when 1 then ",
                           "union all select 1 "}) {
    CAPTURE(part);
    const auto seconds = [&part](size_t bytes) {
      std::string text = "select ";
      while (text.size() + std::string_view(part).size() <= bytes) text += part;
      return testing::ShortestSeconds(3, [&text] { (void)ErrorOf(text); });
    };
    // A parser in proportion to the square of the text needs a 64th of the time for an eighth of the text.
    CHECK(seconds(65'536) < 30 * seconds(8'192) + 0.002);
  }
}

}  // namespace
}  // namespace logquery::sql
