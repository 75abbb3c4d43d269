#include "lib/clickhouse_sql/parser.h"

#include <catch2/catch_all.hpp>
#include <string>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/lexer.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "logquery/error.h"

namespace logquery::clickhouse_sql {
namespace {

std::string Repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// The canonical texts of the items of one SELECT.
std::string Items(std::string_view sql) {
  const absl::StatusOr<QueryPtr> query = ParseQuery(sql, {});
  if (!query.ok()) return std::string(base::Message(query.status()));
  std::vector<std::string> texts;
  for (const ExprPtr& item : (*query)->parts[0].select->items) texts.push_back(CanonicalText(*item));
  return base::Join(texts, " | ");
}

absl::Status StatusOf(std::string_view sql) { return ParseQuery(sql, {}).status(); }

TEST_CASE("a flat SELECT has its clauses") {
  const auto query = ParseQuery(
      "-- newest\nSELECT id, count() n FROM logs l WHERE source = 'edge_logs' GROUP BY id HAVING n > 1 ORDER BY n DESC "
      "LIMIT 2 BY id LIMIT 5, 10;",
      {});
  REQUIRE(query.ok());
  const Select& select = *(*query)->parts[0].select;
  CHECK(select.items[1]->alias == "n");
  CHECK(select.from->alias == "l");
  CHECK(select.group_by.size() == 1);
  CHECK(select.order_by[0].descending);
  CHECK(select.limit_by.size() == 1);
  CHECK(select.offset->text == "5");
  CHECK(select.limit->text == "10");
}

TEST_CASE("operators are the functions that they stand for") {
  struct Case {
    const char* sql;
    const char* items;
  };
  const Case cases[] = {
      {"select 1 + 2 * 3", "plus(1, multiply(2, 3))"},
      {"select -7 % 3, -x", "modulo(-7, 3) | negate(x)"},
      {"select a and b and not c or d", "or(and(a, b, not(c)), d)"},
      {"select x between 1 and 2 and y", "and(and(greaterOrEquals(x, 1), lessOrEquals(x, 2)), y)"},
      {"select x is not null, x not in (1, 2), x not ilike 'a'", "isNotNull(x) | notIn(x, (1, 2)) | notILike(x, 'a')"},
      {"select case when a then 1 end, case x when 1 then 2 else 3 end",
       "multiIf(a, 1, NULL) | caseWithExpression(x, 1, 2, 3)"},
      {"select a ? b : c, x::Int32, cast(x as DateTime64(6, 'UTC'))",
       "if(a, b, c) | CAST(x, 'Int32') | CAST(x, 'DateTime64(6, \\'UTC\\')')"},
      {"select m['a.b'], (1, 'x').2, [1, 2][1]",
       "arrayElement(m, 'a.b') | tupleElement((1, 'x'), 2) | arrayElement([1, 2], 1)"},
      {"select interval 24 hour, INTERVAL '7 days'", "toIntervalHour(24) | toIntervalDay(7)"},
      {"select arrayMap((x, y) -> x + y, a, b)", "arrayMap(lambda(tuple(x, y), plus(x, y)), a, b)"},
      {"select quantile(0.95)(x), count(*), count(distinct y)", "quantile(0.95)(x) | count() | countDistinct(y)"},
      {"select a || 'b' || c, 7 div 2, 7 mod 4", "concat(a, 'b', c) | intDiv(7, 2) | modulo(7, 4)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    CHECK(Items(c.sql) == c.items);
  }
}

TEST_CASE("texts keep a backslash before a letter that is no escape") {
  const auto tokens = Lex(R"('it''s' 'it\'s' 'a\tb' '\x41' 'a\qb' 'a\%b' "n" `m`)");
  REQUIRE(tokens.ok());
  std::vector<std::string> texts;
  for (const Token& token : *tokens) texts.push_back(token.text);
  CHECK(texts == std::vector<std::string>{"it's", "it's", "a\tb", "A", "a\\qb", "a\\%b", "n", "m", ""});
}

TEST_CASE("a union has its parts; ORDER BY and LIMIT belong to the last one") {
  const auto query = ParseQuery("select 1 as x union all (select 2 limit 1) union distinct select 3 limit 4", {});
  REQUIRE(query.ok());
  REQUIRE((*query)->parts.size() == 3);
  CHECK((*query)->parts[1].query != nullptr);
  CHECK((*query)->parts[2].distinct);
  CHECK((*query)->parts[2].select->limit->text == "4");
  CHECK((*query)->parts[0].select->limit == nullptr);
}

TEST_CASE("a statement that is no SELECT is refused by its name, with line and column") {
  struct Case {
    const char* sql;
    const char* word;
    int column;
  };
  const Case cases[] = {
      {"drop table logs", "drop", 1},
      {"explain select 1", "explain", 1},
      {"select 1; select 2", "one statement", 11},
      {"select 1 format JSON", "FORMAT", 10},
      {"select 1 settings max_threads = 1", "SETTINGS", 10},
      {"select 1 from logs into outfile 'x'", "INTO OUTFILE", 20},
      {"select 1 from url('http://x')", "table function url", 15},
      {"select 1 from system.one", "system.one", 15},
      {"select 1 union select 2", "UNION ALL", 10},
      {"select {p:String}", "parameters", 8},
      {"select 'x", "no closing '", 8},
      {"select 1 group by", "GROUP BY", 0},
      {"select id, from from logs where", "expected", 12},
      {"", "empty", 1},
      {"select 1 from logs group by 1 with totals", "WITH TOTALS", 31},
      {"select \x01", "unexpected character", 8},
      {"select /* x", "no end", 8},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    const absl::Status status = StatusOf(c.sql);
    INFO(status);
    if (c.column == 0) {
      CHECK(absl::IsInvalidArgument(status));
      continue;
    }
    REQUIRE(absl::IsInvalidArgument(status));
    CHECK(absl::StrContains(base::ToLower(base::Message(status)), base::ToLower(c.word)));
    CHECK(GetErrorDetails(status).line == 1);
    CHECK(GetErrorDetails(status).column == c.column);
  }
}

TEST_CASE("depth, size and counts are limited") {
  const auto refused = [](const std::string& sql, std::string_view limit) {
    const absl::Status status = StatusOf(sql);
    INFO(sql.substr(0, 40));
    INFO(status);
    CHECK(absl::IsInvalidArgument(status));
    CHECK(absl::StrContains(status.message(), base::ToAbsl(limit)));
  };
  refused("select " + Repeated("(", 5'000) + "1" + Repeated(")", 5'000), "max_depth");
  refused("select " + Repeated("not ", 5'000) + "1", "max_depth");
  refused("select " + Repeated("- ", 5'000) + "x", "max_depth");
  refused("select 1" + Repeated(" + 1", 5'000), "max_depth");
  refused("select " + Repeated("f(", 5'000) + "1" + Repeated(")", 5'000), "max_depth");
  refused("select " + Repeated("case when ", 5'000) + "1", "max_depth");
  refused("select x" + Repeated("[1]", 5'000), "max_depth");
  refused("select " + Repeated("(select ", 3'000), "max_");
  refused("select 1" + Repeated(", 1", 2'000), "max_columns");
  refused("select 1 from logs" + Repeated(", logs", 100), "max_joins");
  refused("select 1" + Repeated(" union all select 1", 500), "max_selects");
  refused(std::string(70'000, ' '), "max_bytes");
  CHECK(StatusOf("select 1 from logs where 1" + Repeated(" and x = 'a' or y", 2'000)).ok());
  CHECK(StatusOf("select 1 from logs where x in ('a'" + Repeated(", 'b'", 5'000) + ")").ok());
}

// Counts tokens instead of time: each is looked at a bounded number of times if the result has as many.
TEST_CASE("long chains and lists are parsed in one pass") {
  const std::string chain = "select 1 from logs where x = 'a'" + Repeated(" or x = 'a'", 4'000);
  const auto query = ParseQuery(chain, {});
  REQUIRE(query.ok());
  CHECK((*query)->parts[0].select->where->args.size() == 4'001);
  CHECK((*query)->parts[0].select->where->depth == 3);
}

}  // namespace
}  // namespace logquery::clickhouse_sql
