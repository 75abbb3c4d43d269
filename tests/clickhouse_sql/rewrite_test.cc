// Queries rewritten from one language to the other: their texts, their notes, and what is refused.
#include <catch2/catch_all.hpp>
#include <string>

#include "absl/strings/match.h"
#include "lib/clickhouse_sql/parser.h"
#include "lib/clickhouse_sql/printer.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"

namespace logquery::tools {
namespace {

std::string ToClickHouseText(const std::string& sql) {
  const absl::StatusOr<RewrittenSql> made = RewriteToClickHouse(sql, Catalog::DeclaredLogs());
  return made.ok() ? made->sql : made.status().ToString();
}

std::string ToBigQueryText(const std::string& sql) {
  const absl::StatusOr<RewrittenSql> made = RewriteToBigQuery(sql, Catalog::DeclaredLogs());
  return made.ok() ? made->sql : made.status().ToString();
}

TEST_CASE("a saved BigQuery query becomes ClickHouse SQL that a person would keep") {
  CHECK(ToClickHouseText("-- failed requests\n"
                         "select r.path, count(*) as n\n"
                         "from edge_logs\n"
                         "cross join unnest(metadata) as m\n"
                         "cross join unnest(m.request) as r\n"
                         "cross join unnest(m.response) as rs\n"
                         "where rs.status_code >= 500 and r.method = 'GET'\n"
                         "group by r.path\n"
                         "order by n desc\n"
                         "limit 5") ==
        "-- failed requests\n"
        "SELECT\n"
        "  if(mapContains(log_attributes, 'request.path'), log_attributes['request.path'], NULL) AS path,\n"
        "  count() AS n\n"
        "FROM logs\n"
        "WHERE source = 'edge_logs'\n"
        "  AND toInt64OrNull(log_attributes['response.status_code']) >= 500\n"
        "  AND log_attributes['request.method'] = 'GET'\n"
        "GROUP BY path\n"
        "ORDER BY n DESC\n"
        "LIMIT 5");
}

TEST_CASE("a column with an alias's name is qualified, because the alias wins in ClickHouse") {
  const std::string made = ToClickHouseText(
      "select timestamp_trunc(t.timestamp, hour) as timestamp, count(*) as n from auth_logs t "
      "where t.timestamp > '2026-03-01' group by timestamp order by timestamp");
  CHECK(absl::StrContains(made, "toStartOfHour(t.timestamp) AS timestamp"));
  CHECK(absl::StrContains(made, "t.timestamp > toDateTime64('2026-03-01 00:00:00', 6)"));
  CHECK(absl::StrContains(made, "GROUP BY timestamp"));
}

TEST_CASE("notes say where the meanings differ, with line and column") {
  const absl::StatusOr<RewrittenSql> made = RewriteToClickHouse(
      "select timestamp,\n  countif(event_message = 'x') / count(*) as share\nfrom auth_logs group by timestamp",
      Catalog::DeclaredLogs());
  REQUIRE(made.ok());
  bool division = false;
  for (const RewriteNote& note : made->notes) {
    if (!absl::StrContains(note.text, "division by zero")) continue;
    division = true;
    CHECK(note.line == 2);
    CHECK(note.column == 3);
  }
  CHECK(division);
}

TEST_CASE("a query without an equal in ClickHouse SQL is refused with its place") {
  struct Case {
    const char* sql;
    const char* message;
  };
  const Case cases[] = {
      {"select *\nfrom edge_logs", "at line 1, column 8"},
      {"select id,\n  metadata from edge_logs", "at line 2, column 3"},
      {"select m.request from function_edge_logs left join unnest(metadata) as m where m.request = m.request", ""},
      {"select m from function_edge_logs left join unnest(metadata) as m", "a record that may be absent"},
      {"select to_hex(md5('a')) as a from edge_logs", "the function TO_HEX"},
      {"select id from edge_logs tablesample system (10 percent)", ""},
      {"select format('%T', timestamp) as f from edge_logs", "the format element at '%T'"},
      {"select a.id from edge_logs a right join auth_logs b on a.id = b.id", "RIGHT and FULL JOIN"},
      {"select id from edge_logs e where 1 = (select count(*) from auth_logs a where a.id = e.id)",
       "reads a column of the query around it"},
      {"select array_agg(struct(id as a)) as s from edge_logs", "without GROUP BY"},
      {"select extract(hour from timestamp at time zone '+05:30') as h from edge_logs", "a zone that is no name"},
      {"select struct(1) as s", "a field of a STRUCT without a name"},
      {"select format('%t', id) as f from edge_logs", "the format element at '%t'"},
      {"select format('%d', 1.5) as f from edge_logs", ""},
      {"select m.path, count(*) as n from auth_logs cross join unnest(metadata) as m group by m.path",
       "write LEFT JOIN UNNEST(metadata), or a condition on one of its fields"},
      {"with logs as (select 1 as x) select x from logs", "the table's name"},
      {"from edge_logs |> extend 1 as x |> select id, x", "pipe operators in another order"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    const absl::StatusOr<RewrittenSql> made = RewriteToClickHouse(c.sql, Catalog::DeclaredLogs());
    REQUIRE_FALSE(made.ok());
    INFO(made.status().ToString());
    CHECK(absl::StrContains(made.status().message(), c.message));
  }
}

TEST_CASE("a record in the result is a tuple whose parts have names") {
  CHECK(
      ToClickHouseText("select m.context as c from storage_logs cross join unnest(metadata) as m order by id") ==
      "SELECT CAST(arrayFilter(r -> arrayExists(k -> startsWith(k, 'context.'), mapKeys(log_attributes)), "
      "[(if(mapContains(log_attributes, 'context.host'), log_attributes['context.host'], NULL), "
      "toInt64OrNull(log_attributes['context.pid']))]) AS Array(Tuple(host Nullable(String), pid Nullable(Int64)))) AS "
      "c\n"
      "FROM logs\n"
      "WHERE source = 'storage_logs'\n"
      "ORDER BY id");
  CHECK(absl::StrContains(
      ToClickHouseText("select array_agg(struct(id as a, 1 as n) order by timestamp desc limit 2) as l from edge_logs "
                       "group by event_message"),
      "arraySlice(arrayMap(x -> x.2, arrayReverseSort(x -> x.1, groupArray((timestamp, CAST((id, 1) AS Tuple(a String, "
      "n "
      "Int64)))))), 1, 2) AS l"));
}

TEST_CASE("FORMAT becomes printf, and SAFE. falls away before functions that do not fail") {
  CHECK(absl::StrContains(
      ToClickHouseText("select format('%s: %05d, %.1f%%', event_message, count(*), 1.5) as f from edge_logs group by "
                       "event_message"),
      "printf('%s: %05d, %.1f%%', event_message, count(), 1.5) AS f"));
  CHECK(absl::StrContains(ToClickHouseText("select safe.upper(id) as u, safe.substr(id, 1, -1) as n from edge_logs"),
                          "upperUTF8(id) AS u"));
}

TEST_CASE(
    "a division by a value that may be 0 is by nullIf, because ClickHouse may divide before it looks at a condition") {
  CHECK(absl::StrContains(
      ToClickHouseText(
          "select if(char_length(id) = 0, null, div(7, char_length(id))) as d, mod(7, 2) as m from edge_logs"),
      "if(lengthUTF8(id) = 0, NULL, intDiv(7, nullIf(lengthUTF8(id), 0))) AS d, 7 % 2 AS m"));
}

TEST_CASE("UNNEST of COALESCE with an empty list reads the record, as UNNEST of the record does") {
  const std::string plain =
      "select rs.status_code as c from function_edge_logs left join unnest(metadata) as m left join "
      "unnest(m.response) as rs";
  const std::string or_empty =
      "select rs.status_code as c from function_edge_logs left join unnest(coalesce(metadata, [])) as "
      "m left join unnest(ifnull(m.response, [])) as rs";
  CHECK(ToClickHouseText(or_empty) == ToClickHouseText(plain));
}

TEST_CASE("a query that is not valid over logs.all is InvalidArgument, as at the endpoint") {
  for (const char* sql : {"select id from nothing", "select nothing from edge_logs", "select", "delete from edge_logs",
                          "select count(* from edge_logs"}) {
    CAPTURE(sql);
    const absl::StatusOr<RewrittenSql> made = RewriteToClickHouse(sql, Catalog::DeclaredLogs());
    CHECK(made.status().code() == absl::StatusCode::kInvalidArgument);
  }
}

TEST_CASE("a saved ClickHouse query becomes BigQuery SQL over the log that it names") {
  const std::string made = ToBigQueryText(
      "select log_attributes['request.path'] as path, count() as n from logs where source = 'edge_logs' and "
      "log_attributes['request.method'] = 'GET' group by path order by n desc limit 5");
  INFO(made);
  CHECK(absl::StrContains(made, "IFNULL(request.path, '') AS path, COUNT(*) AS n"));
  CHECK(absl::StrContains(made, "FROM edge_logs"));
  CHECK(absl::StrContains(made, "LEFT JOIN UNNEST(m.request) AS request"));
  CHECK(absl::StrContains(made, "WHERE request.method = 'GET'"));
  CHECK(absl::StrContains(made, "GROUP BY path"));
}

TEST_CASE("a query without an equal in BigQuery SQL is refused with its place") {
  for (const char* sql :
       {"select a.log_attributes from (select log_attributes from logs) as a",
        "select mapKeys(map('a', event_message)) as k from logs where source in ('auth_logs', 'edge_logs')",
        "select [1, null] as l",
        "select substring(event_message, 2, 3) as s from logs where source = 'auth_logs'",
        "select extract(event_message, source) as s from logs",
        "select JSONExtractString(event_message, 'a.b') as s from logs",
        "select 1 in (null) as s",
        "select positionCaseInsensitive(event_message, 'ä') as p from logs",
        "select toInt8(300) as i",
        "select timestamp + 60 as t from logs",
        "select toDate('2026-03-04') + interval 1 hour as t",
        "select age('month', now(), now()) as a",
        "select timestamp as t from logs order by t with fill",
        "select timestamp as t from logs order by t with fill from now() step toIntervalDay(1)",
        "select path(nullIf(event_message, '')) as p from logs where source = 'auth_logs'",
        "select extractURLParameter(event_message, id) as p from logs where source = 'auth_logs'",
        "select extractURLParameter(event_message, 'a&b') as p from logs where source = 'auth_logs'",
        "select source, count() as n from logs where source = 'auth_logs' group by rollup(source)",
        "select upper(id) as i, count() as n from logs group by rollup(id)",
        "select id, count() as n from logs group by rollup(id) having n > 1",
        "select id, count() as n from logs group by rollup(id) order by length(id)",
        "select toDate(timestamp) as d, count() as n from logs group by cube(d)",
        "select minArray([1.5]) as s from logs",
        "select sumOrNullArray([1]) as s from logs",
        "select toStartOfHour(timestamp) as h, count() as n from logs group by h order by h with fill step 3600",
        "select id from logs order by 1 limit 1 by id",
        "select distinct id, source from logs limit 1 by source",
        "select arrayJoin([1, 2]) as a, row_number() over (order by a) as n",
        "select argMax(id, toFloat64OrNull(event_message)) as i from logs",
        "select leadInFrame(id) over (order by id) as n from logs",
        "select formatDateTime(toDateTime64('2026-03-04 05:06:07.1', 1), '%f') as f",
        "select toStartOfInterval(timestamp, interval 1 month) as m from logs",
        "select a.id from (select id from logs) a left join (select id from logs) b using (id)"}) {
    CAPTURE(sql);
    const absl::StatusOr<RewrittenSql> made = RewriteToBigQuery(sql, Catalog::DeclaredLogs());
    REQUIRE(made.status().code() == absl::StatusCode::kUnimplemented);
    CHECK(absl::StrContains(made.status().message(), "at line 1, column "));
  }
}

TEST_CASE("constructs of ClickHouse SQL are written with those of BigQuery SQL that have the same rows") {
  struct Case {
    const char* clickhouse;
    const char* bigquery;  // a part of it
  };
  const Case cases[] = {
      {"select quantile(0.95)(toFloat64OrNull(log_attributes['execution_time_ms'])) as p from logs where source = "
       "'function_edge_logs'",
       "WITH(list AS ARRAY_AGG(CAST(m.execution_time_ms AS FLOAT64) IGNORE NULLS), (SELECT PERCENTILE_CONT(element, "
       "0.95) "
       "OVER () FROM UNNEST(list) AS element LIMIT 1)) AS p"},
      {"select source, id from logs order by timestamp limit 2 by source",
       "QUALIFY ROW_NUMBER() OVER (PARTITION BY source ORDER BY timestamp) <= 2"},
      {"select id from logs where source = 'auth_logs' order by timestamp limit 3 with ties",
       "QUALIFY RANK() OVER (ORDER BY timestamp) <= 3"},
      {"select argMax(id, timestamp) as last from logs where source = 'auth_logs' group by event_message",
       "ANY_VALUE(id HAVING MAX timestamp) AS last"},
      {"select groupUniqArray(event_message) as l from logs where source = 'auth_logs' group by id",
       "ARRAY_AGG(DISTINCT event_message) AS l"},
      {"select splitByChar('/', event_message)[2] as p from logs where source = 'auth_logs'",
       "IFNULL(SPLIT(event_message, '/')[SAFE_OFFSET(1)], '') AS p"},
      {"select arrayJoin(splitByChar(',', event_message)) as part, count() as n from logs where source = 'auth_logs' "
       "group by "
       "part",
       "CROSS JOIN UNNEST(SPLIT(event_message, ',')) AS part"},
      {"select arrayMap(x -> x * 2, [1, 2]) as l",
       "ARRAY(SELECT x * 2 FROM UNNEST([1, 2]) AS x WITH OFFSET AS place ORDER BY "
       "place) AS l"},
      {"select lag(id) over (order by timestamp) as before from logs where source = 'auth_logs'",
       "LAG(id, 1, '') OVER (ORDER BY timestamp) AS before"},
      {"select dateDiff('hour', timestamp, now()) as h from logs where source = 'auth_logs'",
       "TIMESTAMP_DIFF(TIMESTAMP_TRUNC(TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), SECOND), HOUR), TIMESTAMP_TRUNC(timestamp, "
       "HOUR), "
       "HOUR) AS h"},
      {"select formatDateTime(timestamp, '%H:%i') as t from logs where source = 'auth_logs'",
       "FORMAT_TIMESTAMP('%H:%M', timestamp) AS t"},
      {"select project, log_attributes['project'] as p from logs where source = 'edge_logs'", "@project"},
      {"select id from logs where source = 'nothing'", "WHERE FALSE"},
      {"select source, log_attributes from logs where source in ('auth_logs', 'pgbouncer_logs')",
       "JSON_STRIP_NULLS(JSON_OBJECT(['project', 'host'], [@project, m.host])) AS log_attributes FROM pgbouncer_logs "
       "AS "
       "t"},
      {"select arrayJoin(mapKeys(log_attributes)) as k from logs where source in ('auth_logs', 'pgbouncer_logs')",
       "CROSS JOIN UNNEST(logs.attribute_keys) AS k"},
      {"select source as s, id, count() as n from logs group by rollup(s, id) order by s, id",
       "SELECT IFNULL(logs.source, '') AS s, IFNULL(logs.id, '') AS id, COUNT(*) AS n"},
      {"select source as s, id, count() as n from logs group by rollup(s, id) order by s, id",
       "GROUP BY ROLLUP(logs.source, logs.id)\nHAVING COUNT(*) > 0\nORDER BY s, 2"},
      {"select queryString(event_message) as q from logs where source = 'auth_logs'",
       "IFNULL(REGEXP_EXTRACT(event_message, r'\\?([^#]*)'), '') AS q"},
      {"select extractURLParameter(event_message, 'a-b') as q from logs where source = 'auth_logs'",
       "IFNULL(REGEXP_EXTRACT(event_message, r'^[^?#]*[?#](?:|(?s:.*?)[?#&])a\\-b=([^&#]*)'), '') AS q"},
      {"select uniqExactArray(splitByChar(' ', event_message)) as u from logs where source = 'auth_logs'",
       "WITH(list AS ARRAY_CONCAT_AGG(SPLIT(event_message, ' ')), (SELECT COUNT(DISTINCT element) FROM UNNEST(list) AS "
       "element)) AS u"},
      {"select arrayJoin([1.5, nan, null]) as x order by x",
       "UNNEST([1.5, CAST('nan' AS FLOAT64), NULL]) AS x\nORDER BY IFNULL(IS_NAN(x), TRUE), x NULLS LAST"},
      {"select log_attributes['context.mfa'] as m from logs where source = 'realtime_logs'",
       "IF(ARRAY_LENGTH(context.mfa) > 0, TO_JSON_STRING(context.mfa), '') AS m"},
      {"select arrayJoin(mapKeys(log_attributes)) as key, count() as n from logs where source = 'pgbouncer_logs' group "
       "by key",
       "CROSS JOIN UNNEST(ARRAY(SELECT element FROM UNNEST(['project', IF(m.host IS NULL, NULL, 'host')]) AS element "
       "WHERE "
       "element IS NOT NULL)) AS key"},
      {"select substring(event_message, 1, 8) as s from logs where source = 'auth_logs'",
       "SAFE_CONVERT_BYTES_TO_STRING(SUBSTR(CAST(event_message AS BYTES), 1, 8)) AS s"},
      {"select replaceRegexpOne(event_message, '^/[a-z]+', '') as s from logs where source = 'auth_logs'",
       "REGEXP_REPLACE(event_message, '^/[a-z]+', '') AS s"},
      {"select replaceRegexpOne(event_message, '(a)b', '[\\\\0 \\\\1]') as s from logs where source = 'auth_logs'",
       R"(REGEXP_REPLACE(event_message, '(?s)\\A(.*?)((a)b)', '\\1[\\2 \\3]') AS s)"},
      {"select extract(event_message, '(a)(b)') as s from logs where source = 'auth_logs'",
       "IFNULL(REGEXP_EXTRACT(event_message, '(a)(?:b)'), '') AS s"},
      {"select countMatches(event_message, '(a)') as n from logs where source = 'auth_logs'",
       "ARRAY_LENGTH(REGEXP_EXTRACT_ALL(event_message, '(?:a)')) AS n"},
      {"select JSONExtractString(event_message, 'a', 'b') as s from logs where source = 'auth_logs'",
       "IF(JSON_TYPE(JSON_QUERY(SAFE.PARSE_JSON(event_message, wide_number_mode => 'round'), '$.a.b')) = 'string', "},
      {"select log_attributes from logs where source = 'pgbouncer_logs'",
       "JSON_STRIP_NULLS(JSON_OBJECT(['project', 'host'], [@project, m.host])) AS log_attributes"},
      {"select arraySort(groupUniqArray(id)) as l from logs where source = 'auth_logs' group by event_message",
       "WITH(list AS ARRAY_AGG(DISTINCT id), ARRAY(SELECT element FROM UNNEST(list) AS element ORDER BY element)) AS "
       "l"},
      {"select addMonths(timestamp, 1) as t from logs where source = 'auth_logs'",
       "TIMESTAMP(DATETIME_ADD(DATETIME(timestamp), INTERVAL 1 MONTH)) AS t"},
      {"select toDate(timestamp) - 1 as d from logs where source = 'auth_logs'",
       "DATE_SUB(DATE(timestamp), INTERVAL 1 DAY) AS d"},
      {"select formatDateTime(toDateTime64('2026-03-04 05:06:07.123456', 6), '%T.%f') as t",
       "CONCAT(FORMAT_TIMESTAMP('%T.', TIMESTAMP '2026-03-04 05:06:07.123456'), SUBSTR(FORMAT_TIMESTAMP('%E6S', "
       "TIMESTAMP "
       "'2026-03-04 05:06:07.123456'), 4)) AS t"},
      {"select toInt32OrDefault(event_message, toInt32(-5)) as i from logs where source = 'auth_logs'", ", -5) AS i"},
      {"select 2 not in (1, null) as a", "CAST(2 NOT IN (1) AS INT64) AS a"},
      {"select length(event_message) / length(id) as x from logs where source = 'auth_logs' order by x",
       "ORDER BY IS_NAN(x), x"},
      {"select length(event_message) / 2 as x from logs where source = 'auth_logs' order by x", "ORDER BY x"},
      {"select toStartOfHour(logs.timestamp) as h, count() as n, max(id) as i from logs where source = 'auth_logs' "
       "group by h "
       "order by h desc with fill step toIntervalHour(-1)",
       "SELECT h, 0 AS n, '' AS i\nFROM UNNEST(GENERATE_TIMESTAMP_ARRAY((SELECT MAX(h) FROM filled), (SELECT MIN(h) "
       "FROM "
       "filled), INTERVAL -1 HOUR)) AS h\nWHERE h NOT IN (SELECT h FROM filled)\nORDER BY h DESC"},
      {"select toDateTime('2026-03-04T05:06:07.9Z') as t", "TIMESTAMP '2026-03-04 05:06:07' AS t"},
      {"select a.s, b.n from (select source as s from logs) a left join (select source as s, count() as n from logs "
       "group by "
       "s) b on a.s = b.s",
       "IFNULL(b.n, 0)"},
      {"select LOWER(id) as i, COUNT(*) as n from logs where source = 'auth_logs' group by id order by all",
       "ORDER BY 1, 2"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.clickhouse);
    const std::string made = ToBigQueryText(c.clickhouse);
    INFO(made);
    CHECK(absl::StrContains(made, c.bigquery));
  }
}

TEST_CASE("a query that would grow without limit is refused") {
  std::string round = "1.5", again = "1.5";
  for (int i = 0; i < 60; ++i) {
    round = "round(" + round + ", 2)";
    again = "round(toFloat64OrZero(toString(1)) + " + again + ", 2)";
  }
  const absl::StatusOr<RewrittenSql> there =
      RewriteToClickHouse("select " + round + " as r from edge_logs", Catalog::DeclaredLogs());
  CHECK(absl::StrContains(there.status().message(), "more than 65536 bytes"));
  const absl::StatusOr<RewrittenSql> back =
      RewriteToBigQuery("select " + again + " as r from logs where source = 'edge_logs'", Catalog::DeclaredLogs());
  INFO(back.status().ToString());
  CHECK(absl::StrContains(back.status().message(), "more than 65536 bytes"));
}

TEST_CASE("a text of the ClickHouse printer is parsed to the same tree") {
  for (const char* sql :
       {"SELECT 1 + 2 * 3 - (4 - 5) AS a, NOT (x = 1 OR y) AND z, -x, (-1) % 2, a[1], t.1, [1, 2], (1, 'a')",
        "SELECT CASE WHEN a THEN 1 ELSE 2 END, CASE x WHEN 1 THEN 'a' END, x BETWEEN 1 AND 2, x NOT IN (1, 2), y LIKE "
        "'a\\\\%'",
        "SELECT quantile(0.5)(x), count(DISTINCT x), arrayMap(x -> x + 1, [1]), sum(x) OVER (PARTITION BY a ORDER BY b "
        "DESC "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
        "WITH a AS (SELECT 1 AS x), 2 AS two SELECT DISTINCT x FROM a AS `order` LEFT JOIN (SELECT 1 AS y) AS b ON x = "
        "y "
        "WHERE (SELECT count() FROM a) > 1 GROUP BY ROLLUP(x) HAVING x > 1 ORDER BY x NULLS FIRST LIMIT 1 BY x LIMIT 2 "
        "OFFSET 3",
        "SELECT 1 AS x UNION ALL (SELECT 2 AS x LIMIT 1)",
        "SELECT `a b`.`c``d`, 'it\\'s', '\\n', x IS NOT NULL, x::Int32"}) {
    CAPTURE(sql);
    const auto first = clickhouse_sql::ParseQuery(sql, {});
    REQUIRE(first.ok());
    const std::string once = clickhouse_sql::Print(**first);
    CAPTURE(once);
    const auto second = clickhouse_sql::ParseQuery(once, {});
    REQUIRE(second.ok());
    CHECK(clickhouse_sql::Print(**second) == once);
  }
}

}  // namespace
}  // namespace logquery::tools
