// Errors of names and of clauses: what is wrong, where, and what may have been meant.
#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <string>

#include "lib/base/strings.h"
#include "lib/sql/parser.h"
#include "logquery/error.h"
#include "tests/rewrite/resolved_text.h"

namespace logquery::rewrite {
namespace {

TEST_CASE("a parameter that is compared with another type is named, with its own") {
  const auto plan =
      ResolveText("SELECT LENGTH(id) > @least AS longer FROM `postgres.logs`", {{"least", Type::String()}});
  REQUIRE_FALSE(plan.ok());
  CHECK(base::Message(plan.status()).find("the parameter @least is declared as STRING; declare the type") !=
        std::string_view::npos);
}

TEST_CASE("an unknown name is taken for a text only where one is compared") {
  for (const char* sql :
       {"SELECT id FROM `postgres.logs` WHERE timestamp = error", "SELECT id FROM `postgres.logs` WHERE error = id",
        "SELECT id FROM `postgres.logs` WHERE id = LOWER(error)",
        "SELECT id FROM `postgres.logs` WHERE id = error.code", "SELECT id FROM `postgres.logs` WHERE id = `it's`",
        "SELECT error FROM `postgres.logs`"}) {
    CAPTURE(sql);
    const auto plan = ResolveText(sql);
    REQUIRE_FALSE(plan.ok());
    const std::string message(base::Message(plan.status()));
    CHECK(message.find("unknown name") != std::string::npos);
    CHECK(message.find("in quotes") == std::string::npos);
  }
}

TEST_CASE("an unresolvable name is an error with its position and the nearest names") {
  struct Case {
    const char* sql;
    const char* message;
  };
  const Case cases[] = {
      {"SELECT event_mesage FROM `postgres.logs`", "unknown name event_mesage"},
      {"SELECT COUNT(*) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM `postgres.logs`",
       "a window frame ends before it begins"},
      {"SELECT COUNT(*) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED FOLLOWING AND UNBOUNDED FOLLOWING) FROM "
       "`postgres.logs`",
       "can't begin at UNBOUNDED FOLLOWING"},
      {"SELECT COUNT(*) OVER (ORDER BY id ROWS 1 FOLLOWING) FROM `postgres.logs`", "it can't begin at FOLLOWING"},
      {"SELECT CAST(b'a' AS STRING FORMAT 5)", "FORMAT wants STRING, not INT64"},
      {"SELECT 1 AS `a\\x00b`", "has the character U+0000, which no name may have"},
      {"SELECT t.metadta FROM `postgres.logs` AS t", "t has no column metadta"},
      {"SELECT m.hosst FROM `postgres.logs`, UNNEST(metadata) AS m", "there is no field hosst"},
      {"SELECT path FROM `cloudflare.logs.prod`",
       "unknown name path; metadata.request.path is read by LEFT JOIN UNNEST(metadata) AS r1 LEFT JOIN "
       "UNNEST(r1.request) "
       "AS r2, as r2.path"},
      {"SELECT needle FROM (SELECT STRUCT(STRUCT(1 AS needle) AS `in`) AS s)",
       "unknown name needle; s.`in`.needle is read as s.`in`.needle"},
      {"SELECT no_such_field FROM `cloudflare.logs.prod`", "unknown name no_such_field"},
      {"SELECT msg FROM `postgres.logs` AS t CROSS JOIN (SELECT 1 AS message)", "column 8; did you mean message?"},
      {"SELECT id FROM `postgres.logs` WHERE event_message = error",
       "unknown name error at line 1, column 54; a text is written in quotes: 'error'"},
      {"SELECT id FROM `postgres.logs` WHERE id != event_mesage",
       "a text is written in quotes: 'event_mesage'; did you mean event_message?"},
      {"SELECT id FROM `postgres.logs` WHERE id IN ('a', GET)", "a text is written in quotes: 'GET'"},
      {"SELECT id FROM `postgres.logs` WHERE id NOT LIKE b_c", "a text is written in quotes: 'b_c'"},
      // A field is read by its record, whatever it is compared with.
      {"SELECT id FROM `cloudflare.logs.prod` WHERE id = path",
       "unknown name path at line 1, column 50; metadata.request"},
      {"SELECT m.zzzzzzzz FROM `postgres.logs`, UNNEST(metadata) AS m", "there is no field zzzzzzzz; there are "},
      {"SELECT id FROM edge_logs",
       "unknown table edge_logs: that is the name of a log, whose table is `cloudflare.logs.prod`"},
      {"SELECT metadata.host FROM `postgres.logs`",
       "can't read the field host of metadata, which is an array of records; write LEFT JOIN UNNEST(metadata) AS r "
       "into "
       "FROM, and r.host here"},
      {"SELECT t.metadata.host FROM `postgres.logs` AS t", "write LEFT JOIN UNNEST(t.metadata) AS r into FROM"},
      {"SELECT [STRUCT(1 AS a)].a", "take an element first: [OFFSET(0)].a"},
      {"SELECT id FROM postgres_log", "unknown table postgres_log"},
      {"SELECT TIMESTAMP_TRUNCATE(timestamp, HOUR) FROM `postgres.logs`", "unknown function TIMESTAMP_TRUNCATE"},
      {"SELECT STARTS_WITH(id) FROM `postgres.logs`", "STARTS_WITH does not take (STRING)"},
      {"SELECT id > 5 FROM `postgres.logs`", "no operator > takes STRING, INT64"},
      {"SELECT id FROM `postgres.logs` WHERE id = 5", "write the number as a text, '5', or CAST the text"},
      {"SELECT id FROM `postgres.logs` WHERE id IN ('a', 5)", "write the number as a text, '5', or CAST the text"},
      {"SELECT id FROM `postgres.logs` WHERE timestamp > 5", "TIMESTAMP, INT64; a time is written as a text"},
      {"SELECT timestamp - 3600 FROM `postgres.logs`", "a span of time is written INTERVAL 1 HOUR"},
      {"SELECT id FROM `gotrue.logs.prod`, UNNEST(metadata) AS m WHERE m.args = 'a'",
       "ARRAY<STRING>, STRING at line 1, column 64; write 'a' IN UNNEST(m.args) to compare with each element"},
      {"SELECT id FROM `gotrue.logs.prod`, UNNEST(metadata) AS m WHERE id != m.args",
       "; write id NOT IN UNNEST(m.args)"},
      {"SELECT id FROM `gotrue.logs.prod`, UNNEST(metadata) AS m WHERE id IN (m.args)", "; write id IN UNNEST(m.args)"},
      {"SELECT id FROM `gotrue.logs.prod`, UNNEST(metadata) AS m WHERE m.args IN ('a', 'b')",
       "; write EXISTS (SELECT 1 FROM UNNEST(m.args) AS x WHERE x IN ('a', …))"},
      {"SELECT id FROM `gotrue.logs.prod`, UNNEST(metadata) AS m WHERE m.args LIKE '%a'",
       "; write EXISTS (SELECT 1 FROM UNNEST(m.args) AS x WHERE x LIKE '%a')"},
      {"SELECT id FROM `gotrue.logs.prod`, UNNEST(metadata) AS m WHERE m.args = CONCAT(id, id, id, id, id, id, id, id, "
       "id)",
       "; write value IN UNNEST(m.args)"},
      {"SELECT id FROM `postgres.logs` WHERE event_message = METADATA", "; a text is written in quotes: 'METADATA'"},
      {"SELECT id FROM `postgres.logs` WHERE metadata = 'x'", "; name a field of the record"},
      {"SELECT id FROM `postgres.logs` WHERE ARRAY_CONTAINS(metadata, 'a')",
       "unknown function ARRAY_CONTAINS at line 1, column 38; write value IN UNNEST(array)"},
      {"SELECT first(id) FROM `postgres.logs`", "; write MIN_BY(x, time), the value of the earliest row"},
      {"SELECT id FROM `postgres.logs` WHERE event_message.contains('x')",
       "; write CONTAINS_SUBSTR(event_message, 'part') for a part of a text, or value IN UNNEST(event_message)"},
      {"SELECT id.length() FROM `postgres.logs`", "unknown function id.length at line 1, column 8; write LENGTH(id)"},
      {"SELECT metadata.n FROM (SELECT 1 AS n)", "unknown name metadata at line 1, column 8; the field n is read as n"},
      {"SELECT metadata.x FROM (SELECT 1 AS n, 2 AS m)", "unknown name metadata at line 1, column 8; there are n, m"},
      {"SELECT m.host FROM `postgres.logs`", "unknown name m at line 1, column 8; metadata.host is read by LEFT JOIN"},
      {"SELECT id + 'x' FROM `postgres.logs`", "no operator + takes STRING, STRING; texts are joined by ||"},
      {"SELECT id FROM `postgres.logs` WHERE id AND TRUE", "BOOL"},
      {"SELECT TRUE > id FROM `postgres.logs`", "no operator > takes BOOL, STRING; CAST one to the other's type"},
      {"SELECT UPPER(id) AS m FROM `postgres.logs` WHERE m = 'X'", "WHERE can't see m, which SELECT names after it"},
      {"SELECT COUNT(*) AS n FROM `postgres.logs` WHERE LENGTH(id) > n", "write the condition into HAVING"},
      {"SELECT TIMESTAMP_TRUNC(timestamp, HOURS) FROM `postgres.logs`", "unknown date part HOURS"},
      {"SELECT TIMESTAMP_TRUNC(timestamp, 'hour') FROM `postgres.logs`", "a date part has no quotes; write HOUR"},
      {"SELECT DATE_TRUNC('day', timestamp) FROM `postgres.logs`", "DATE_TRUNC(timestamp, DAY)"},
      {"SELECT id, COUNT(*) FROM `postgres.logs`",
       "id is neither in GROUP BY nor aggregated; add it there, or write ANY_VALUE(id)"},
      {"SELECT m.host FROM `postgres.logs`, UNNEST(metadata) AS m GROUP BY id",
       "m.host is neither in GROUP BY nor aggregated"},
      {"SELECT id FROM `postgres.logs` WHERE COUNT(*) > 1",
       "the aggregate COUNT is not allowed in WHERE; a condition on it stands in HAVING"},
      {"SELECT CASE WHEN TRUE THEN 1 WHEN FALSE THEN 2 ELSE 'b' END",
       "the results of this CASE have no type in common, but are INT64 and STRING; cast them to one"},
      {"SELECT [1, DATE '2026-01-31', 'b', TRUE]",
       "no type in common, but are INT64, DATE, STRING and BOOL; cast them to one"},
      {"SELECT NOW()", "unknown function NOW at line 1, column 8; did you mean CURRENT_TIMESTAMP?"},
      {"SELECT to_char(timestamp, 'YYYY') FROM `postgres.logs`", "did you mean FORMAT_TIMESTAMP or FORMAT?"},
      {"SELECT SUM(COUNT(*)) FROM `postgres.logs`", "can't stand inside another aggregate"},
      {"SELECT a.id FROM `postgres.logs` AS a, `gotrue.logs.prod` AS a", "the alias a is used twice"},
      {"SELECT id FROM `postgres.logs` AS a, `gotrue.logs.prod` AS b",
       "the name id is ambiguous: a and b have it; write a.id or b.id"},
      {"WITH one AS (SELECT 1 AS n), two AS (SELECT 2 AS n, 3 AS m), three AS (SELECT 4 AS N) SELECT N "
       "FROM one, two, three WHERE m = 3",
       "the name N is ambiguous: one, two and three have it; write one.N or three.N"},
      {"SELECT host FROM `postgres.logs` AS t, UNNEST(t.metadata) AS m, UNNEST(t.metadata) AS n",
       "the name host is ambiguous: m and n have it; write m.host or n.host"},
      {"WITH `a.b` AS (SELECT 1 AS n), c AS (SELECT 2 AS n) SELECT n FROM `a.b` AS `a.b`, c",
       "the name n is ambiguous: `a.b` and c have it; write `a.b`.n or c.n"},
      {"SELECT a.id FROM `postgres.logs` AS a, `gotrue.logs.prod` AS b WHERE EXISTS (SELECT 1 WHERE id = 'x')",
       "the name id is ambiguous: a and b have it"},
      {"SELECT n FROM (SELECT 1 AS n), (SELECT 2 AS n)",
       "the name n is ambiguous: several tables or records here have it"},
      {"WITH one AS (SELECT 1 AS n), two AS (SELECT 1 AS n) SELECT 1 FROM (one CROSS JOIN two) JOIN one AS three USING "
       "(n)",
       "the column n of USING is ambiguous: several tables on the left have it (one, two); write ON with the alias of "
       "one"},
      {"SELECT x FROM `postgres.logs`, UNNEST(id) AS x", "UNNEST wants an array, not a value of type STRING"},
      {"SELECT id, id FROM `postgres.logs`", "two columns of the result are named id"},
      {"SELECT @nobody", "unknown parameter @nobody; the query has no parameters"},
      {"SELECT DATE '2026-02-30'", "is not a DATE"},
      {"SELECT 9223372036854775808", "out of the range of INT64"},
      {"SELECT CAST(TRUE AS DATE)", "can't cast BOOL to DATE"},
      {"SELECT id FROM `postgres.logs` LIMIT -1", ""},
      {"SELECT id FROM `postgres.logs` ORDER BY metadata", "can't order by a value of type"},
      {"SELECT (SELECT 1, 2)", "has to give one column, not 2"},
      {"SELECT 1 UNION ALL SELECT 1, 2", "this query gives 2 columns, the first of the set operation 1"},
      {"SELECT * FROM read_csv('x.csv')", "table functions are not allowed"},
      {"WITH a AS (SELECT 1 AS x), a AS (SELECT 2 AS x) SELECT x FROM a", "is defined twice"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    auto plan = ResolveText(c.sql);
    REQUIRE_FALSE(plan.ok());
    CHECK(plan.status().code() == absl::StatusCode::kInvalidArgument);
    // With the place, which stands before the advice, or without it.
    const std::string message(base::Message(plan.status()));
    const std::string bare = std::regex_replace(message, std::regex(" at line \\d+, column \\d+"), "");
    CAPTURE(message);
    CHECK((message.find(c.message) != std::string::npos || bare.find(c.message) != std::string::npos));
    CHECK(GetErrorDetails(plan.status()).line == 1);
    CHECK(GetErrorDetails(plan.status()).column >= 1);
  }
}

TEST_CASE("a table that the catalog lacks is an error with a reason of its own, with place and similar names") {
  for (const char* sql : {"SELECT id FROM postgres_log", "SELECT id FROM edge_logs",
                          "WITH a AS (SELECT id FROM `postgres.log`) SELECT id FROM a"}) {
    CAPTURE(sql);
    const ErrorDetails details = GetErrorDetails(ResolveText(sql).status());
    CHECK(details.reason == ErrorReason::kUnknownTable);
    CHECK(details.column > 1);
    CHECK_FALSE(details.nearest.empty());
  }
  for (const char* sql : {"SELECT `unknown table` FROM `postgres.logs`", "SELECT t.* FROM `postgres.logs` AS a"}) {
    CAPTURE(sql);
    REQUIRE_FALSE(ResolveText(sql).ok());
    CHECK(GetErrorDetails(ResolveText(sql).status()).reason == ErrorReason::kNone);
  }
}

TEST_CASE("LIMIT and OFFSET are numbers that are neither NULL nor negative, also where they are cast") {
  const std::string select = "SELECT id FROM `postgres.logs` ";
  for (const char* fine : {"LIMIT 0", "LIMIT CAST('7' AS INT64)", "LIMIT @n OFFSET CAST(2 AS INT64)",
                           "LIMIT CAST(CAST(5 AS STRING) AS INT64)", "LIMIT CAST(@p AS INT64)"}) {
    CAPTURE(fine);
    CHECK(SchemaOf(select + fine) == "id STRING");
  }
  for (const char* wrong : {"LIMIT NULL", "LIMIT CAST(NULL AS INT64)", "LIMIT -1", "LIMIT CAST(-5 AS INT64)"}) {
    CAPTURE(wrong);
    CHECK(SchemaOf(select + wrong).find("LIMIT can't be negative or NULL at line 1, column 38") == 0);
  }
  CHECK(SchemaOf(select + "LIMIT 1 OFFSET CAST(NULL AS INT64)").find("OFFSET can't be negative or NULL") == 0);
  CHECK(SchemaOf("SELECT * FROM (SELECT id FROM `postgres.logs` LIMIT CAST(NULL AS INT64))")
            .find("LIMIT can't be negative or NULL at line 1, column 53") == 0);
  CHECK(SchemaOf(select + "LIMIT 1 + 1").find("LIMIT wants an integer literal or an INT64 parameter") == 0);
}

TEST_CASE("an error names what may have been meant") {
  auto plan = ResolveText("SELECT\n  event_mesage FROM `postgres.logs`");
  REQUIRE_FALSE(plan.ok());
  const ErrorDetails details = GetErrorDetails(plan.status());
  CHECK(details.line == 2);
  CHECK(details.column == 3);
  REQUIRE_FALSE(details.nearest.empty());
  CHECK(details.nearest[0] == "event_message");
}

TEST_CASE("no error suggests a field that rows have taught, as they may be another project's") {
  std::vector<Table> tables = Catalog::DeclaredLogs().tables();
  for (Table& table : tables) {
    if (table.log != "postgres_logs") continue;
    std::vector<Field>& columns = table.columns;
    columns.push_back({"merger", Type::String()});
    table.learned_columns.push_back({{"merger"}, "merger", HotColumn::Holds::kValue});
    for (Field& column : columns) {
      if (column.name != "metadata") continue;
      std::vector<Field> fields = column.type.fields();
      fields.push_back({"takeover", Type::Record({{"price", Type::Int64()}})});
      column.type = Type::Record(std::move(fields));
      table.learned_columns.push_back({{"metadata", "takeover", "price"}, "metadata.takeover.price", {}});
    }
  }
  const Catalog catalog(std::move(tables), 1);
  const auto error = [&catalog](const std::string& text) {
    auto query = sql::ParseQuery(text, {});
    ResolveOptions options;
    options.catalog = &catalog;
    const absl::Status status = Resolve(**query, text, options).status();
    return base::StrCat(base::Message(status), base::Join(GetErrorDetails(status).nearest, ","));
  };
  for (const char* sql :
       {"SELECT mergr FROM `postgres.logs`", "SELECT t.mergr FROM `postgres.logs` AS t",
        "SELECT m.takeove FROM `postgres.logs` CROSS JOIN UNNEST(metadata) AS m",
        "SELECT m.zzz FROM `postgres.logs` CROSS JOIN UNNEST(metadata) AS m", "SELECT price FROM `postgres.logs`",
        "FROM `postgres.logs` |> DROP mergr", "SELECT * EXCEPT (mergr) FROM `postgres.logs`",
        "SELECT m.takeover[SAFE_OFFSET(0)].prices FROM `postgres.logs` CROSS JOIN UNNEST(metadata) AS m"}) {
    CAPTURE(sql);
    const std::string message = error(sql);
    CAPTURE(message);
    for (const char* taught :
         {"merger", "takeover ", "takeover,", "takeover?", "price,", "price?", "metadata.takeover"}) {
      CHECK(message.find(taught) == std::string::npos);
    }
  }
  CHECK(error("SELECT event_messag FROM `postgres.logs`").find("did you mean event_message?") != std::string::npos);
  CHECK(error("SELECT merger FROM `postgres.logs`").empty());
}

}  // namespace
}  // namespace logquery::rewrite
