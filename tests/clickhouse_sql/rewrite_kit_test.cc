// The query kit, rewritten from BigQuery's SQL to ClickHouse's: both forms return the same rows, or the query is refused.
#include <catch2/catch_all.hpp>
#include <fstream>
#include <random>
#include <string>

#include "lib/base/strings.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"
#include "tests/clickhouse_sql/both_forms.h"

namespace logquery {
namespace {

TEST_CASE("the query kit's queries are rewritten in ClickHouse SQL and return the same rows", "[slow]") {
  KitRows rows;
  std::ifstream kit(testing::SourcePath("tests/engines/kit/queries.jsonl"));
  int rewritten = 0, valid = 0, invalid = 0;
  std::vector<std::string> refused;
  for (std::string line; std::getline(kit, line);) {
    const nlohmann::json query = nlohmann::json::parse(line);
    const std::string sql = query["sql"].get<std::string>();
    ParameterTexts parameters;
    for (const auto& [name, value] : query["params"].items()) {
      if (name != "sql") parameters.emplace_back(name, value.get<std::string>());
    }
    const std::string id = query["id"].get<std::string>();
    CAPTURE(id, sql);
    // These read sign-ins and connections, all of which have metadata in the kit's rows.
    tools::RewriteOptions options;
    options.rows_have_metadata =
        id == "safe-cast-duration" || id == "pg-casts" || id == "named-window" || id == "star-one";
    const absl::StatusOr<tools::RewrittenSql> made = tools::RewriteToClickHouse(sql, Catalog::DeclaredLogs(), options);
    if (query.contains("error")) {
      ++invalid;
      // Errors that show only at run time are rewritten; the text must not return rows that the original does not.
      if (!made.ok()) CHECK(made.status().code() != absl::StatusCode::kInternal);
      continue;
    }
    ++valid;
    if (!made.ok()) {
      INFO(made.status().ToString());
      CHECK(made.status().code() == absl::StatusCode::kUnimplemented);
      refused.push_back(id);
      continue;
    }
    CAPTURE(made->sql);
    parameters.emplace_back("sql", sql);
    const std::string bigquery = rows.Body("logs.all", parameters);
    parameters.back().second = made->sql;
    const std::string clickhouse = rows.Body("logs.all.otel", parameters);
    // Estimates of the two languages differ by their kinds.
    if (line.find("\"between\"") != std::string::npos && id == "count-distinct") continue;
    CHECK(Difference(bigquery, clickhouse, query.value("ordered", true)).empty());
    ++rewritten;
  }
  INFO(base::Join(refused, ", "));
  CHECK(valid == 80);
  CHECK(invalid == 19);
  CHECK(rewritten >= 77);
}

TEST_CASE("the ClickHouse kit's queries are rewritten in BigQuery SQL and return the same rows", "[slow]") {
  KitRows rows;
  std::ifstream kit(testing::SourcePath("tests/clickhouse_sql/kit/queries.jsonl"));
  int rewritten = 0, valid = 0;
  std::vector<std::string> refused;
  for (std::string line; std::getline(kit, line);) {
    const nlohmann::json query = nlohmann::json::parse(line);
    if (query.contains("error")) continue;
    ++valid;
    const std::string sql = query["sql"].get<std::string>();
    ParameterTexts parameters = {{"project", query["project"].get<std::string>()}, {"project_tier", "ENTERPRISE"}};
    for (const auto& [name, value] : query["params"].items()) parameters.emplace_back(name, value.get<std::string>());
    const std::string id = query["id"].get<std::string>();
    CAPTURE(id, sql);
    const absl::StatusOr<tools::RewrittenSql> made = tools::RewriteToBigQuery(sql, Catalog::DeclaredLogs());
    if (!made.ok()) {
      INFO(made.status().ToString());
      // A query that our own endpoint does not take is refused as the endpoint does it.
      parameters.emplace_back("sql", sql);
      const bool taken = rows.Body("logs.all.otel", parameters).starts_with("{\"result\"");
      CHECK(made.status().code() == (taken ? absl::StatusCode::kUnimplemented : absl::StatusCode::kInvalidArgument));
      refused.push_back(id);
      continue;
    }
    CAPTURE(made->sql);
    parameters.emplace_back("sql", sql);
    const std::string clickhouse = rows.Body("logs.all.otel", parameters);
    parameters.back().second = made->sql;
    const std::string bigquery = rows.Body("logs.all", parameters);
    CHECK(Difference(clickhouse, bigquery, query.value("ordered", true), false).empty());
    ++rewritten;
  }
  INFO(base::Join(refused, ", "));
  CHECK(valid == 154);
  CHECK(rewritten >= 149);
}

TEST_CASE("rewritten functions have the same values for stored rows", "[slow]") {
  KitRows rows;
  const char* const queries[] = {
      "select id, positionCaseInsensitive(event_message, 'E') as a, replaceRegexpOne(event_message, '[aeiou](.)', "
      "'<\\\\1\\\\0>') as b, countMatches(event_message, '[a-z]+') as c, extract(event_message, '([a-z])([0-9])') as "
      "d, "
      "extractAll(event_message, '([a-z])([0-9])') as e, replaceRegexpOne(event_message, 'x*', '-') as f from logs "
      "order by id",
      "select id, JSONExtractString(event_message, 'path') as a, JSONExtractString(event_message, 'status') as b, "
      "JSONExtractString(event_message, 'x', 'y') as c from logs order by id",
      "select id, log_attributes from logs where source = 'edge_logs' order by id",
      "select id, log_attributes from logs where source = 'postgres_logs' order by id",
      "select id, log_attributes from logs where source = 'auth_logs' order by id",
      "select id, log_attributes from logs where source = 'function_edge_logs' order by id",
      "select id, log_attributes from logs where source = 'realtime_logs' order by id",
      "select id, source, log_attributes from logs order by id",
      "select id, arraySort(mapKeys(log_attributes)) as keys from logs where source in ('auth_logs', 'edge_logs') and "
      "has(mapKeys(log_attributes), 'level') order by id",
      "select arrayJoin(mapKeys(log_attributes)) as k, count() as n from logs group by k order by k",
      "select log_attributes['request.url'] as url, path(url) as a, domain(url) as b, domainWithoutWWW(url) as c, "
      "protocol(url) as d, queryString(url) as e, cutQueryString(url) as f, decodeURLComponent(url) as g, "
      "extractURLParameter(url, 'select') as h, path(event_message) as i, domain(event_message) as j from logs where "
      "source = 'edge_logs' order by id",
      "select source, severity_text, count() as n, max(timestamp) as t from logs group by cube(source, severity_text) "
      "order by source, severity_text, n",
      "select toStartOfDay(logs.timestamp) as day, log_attributes['level'] as level, min(id) as i from logs where "
      "source = 'auth_logs' group by rollup(1, level) order by day, level, i",
      "select nullIf(severity_text, 'INFO') as s, count() as n from logs where source in ('auth_logs', 'edge_logs') "
      "group by rollup(s) order by s, n",
      "select maxArray(arrayMap(x -> length(x), splitByChar(' ', event_message))) as a, minArray([length(id), 3]) as "
      "b, "
      "uniqExactArrayIf(mapKeys(log_attributes), severity_text = 'ERROR') as c, sumArrayIf([length(id), 2], source = "
      "'auth_logs') as d, source from logs group by source order by source",
      "select sumArray([1, 2]) as a, maxArrayIf([7], source = 'none') as b, uniqArray(['x', 'y']) as c, "
      "uniqExactArrayIf(['x'], 0) as d from logs",
      "select arrayJoin([1, null, 3]) as x, arrayJoin(['a', null]) as y order by x, y",
      "select id, addMonths(timestamp, 11) as a, subtractQuarters(timestamp, 1) as b, timestamp + interval 1 year as "
      "c, "
      "addDays(toDate(timestamp), -40) as d, toDate(timestamp) + interval 1 month as e, toDateTime('2024-02-29 "
      "23:59:59') + "
      "interval 1 year as f, age('hour', toDateTime('2026-03-04 03:59:00'), toStartOfMinute(timestamp)) as g, "
      "formatDateTime(timestamp, '%j %T') as h, addWeeks(timestamp, 2) as i from logs order by id",
      "select toFloat64OrZero(log_attributes['status']) / toFloat64OrZero(log_attributes['duration']) as x, id from "
      "logs where "
      "source = 'auth_logs' order by x, id",
      "select toFloat64OrZero(log_attributes['status']) / toFloat64OrNull(log_attributes['duration']) as x, id from "
      "logs where "
      "source = 'auth_logs' order by x desc, id",
      "select event_message as m, arraySort(groupUniqArray(source)) as l, "
      "arrayReverseSort(arrayDistinct(groupArray(source))) "
      "as k, arrayMap(x -> upper(x), arraySort(groupUniqArray(source))) as u from logs group by m order by m",
      "select toStartOfMinute(logs.timestamp) as t, count() as n, min(id) as i from logs where source = 'auth_logs' "
      "group by t "
      "order by t with fill step toIntervalMinute(30) limit 900",
      "select logs.timestamp as t, id as i from logs where source = 'pgbouncer_logs' order by t desc with fill step "
      "toIntervalHour(-1) limit 900",
      "select logs.timestamp as t from logs where id = 'none' order by t with fill step toIntervalHour(1)",
      "select toInt32OrDefault(log_attributes['status'], toInt32(-1)) as a, "
      "toFloat64OrDefault(log_attributes['status'], 0.5) "
      "as b, trim(event_message) as c, status in ('200', null) as d, null != status as e, log_attributes['status'] as "
      "status "
      "from logs where source = 'auth_logs' order by id",
  };
  for (const std::string sql : queries) {
    CAPTURE(sql);
    const absl::StatusOr<tools::RewrittenSql> made = tools::RewriteToBigQuery(sql, Catalog::DeclaredLogs());
    INFO(made.status().ToString());
    REQUIRE(made.ok());
    CAPTURE(made->sql);
    ParameterTexts parameters = {{"project", "qezklcgaadtqfksmhuwt"}, {"project_tier", "ENTERPRISE"}, {"sql", sql}};
    const std::string clickhouse = rows.Body("logs.all.otel", parameters);
    parameters.back().second = made->sql;
    const std::string bigquery = rows.Body("logs.all", parameters);
    CHECK(Difference(clickhouse, bigquery, /*ordered=*/true, /*named=*/false).empty());
    CHECK(clickhouse.size() > 12);
  }
}

TEST_CASE("rewritten URL functions have the same values for any text") {
  ServedRows rows(BothEndpoints());
  std::vector<std::string> urls = {"",
                                   "//",
                                   "://h.co",
                                   "http://h.co",
                                   "http://h",
                                   "http://h.co/a//b",
                                   "a/b//c",
                                   "x//y",
                                   "a.b://x/y",
                                   "HTTP://www.H.co:80/?q#f",
                                   "https://u:p@h.co/x",
                                   "https://u.x@h/x",
                                   "//h.co?a=1&b=2",
                                   "h.co./x",
                                   "https://h.co#a?b",
                                   "x?a=1#b?c",
                                   "?q=%41%f0%9f%9a%80%C3%28%4",
                                   "é://h.co/ä?é=1"};
  const uint64_t seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::vector<std::string> pieces = {
      "http", ":", "/", "//", "://", ".", "www.", "a", "B",  "?", "#",   "&", "=", "q=", "@", "%41",  "%c3", "%",
      "-",    "+", "~", " ",  "é",   "<", "[",    "|", "\n", "q", "%zz", ";", "^", "1",  "€", "%%41", "%é4", "A:"};
  for (int i = 0; i < 600; ++i) {
    std::string url;
    for (size_t n = random() % 12; n > 0; --n) url += pieces[random() % pieces.size()];
    urls.push_back(std::move(url));
  }
  std::vector<std::string> list;
  for (const std::string& url : urls) list.push_back(base::StrCat("'", url, "'"));
  const std::string sql = base::StrCat(
      "select arrayJoin([", base::Join(list, ", "),
      "]) as u, path(u) as a, domain(u) as b, domainWithoutWWW(u) as c, protocol(u) as d, queryString(u) as e, "
      "cutQueryString(u) as f, decodeURLComponent(u) as g, extractURLParameter(u, 'q') as h, "
      "extractURLParameter(u, 'a.B') as i, count() as n group by u order by u limit 1000");
  const absl::StatusOr<tools::RewrittenSql> made = tools::RewriteToBigQuery(sql, Catalog::DeclaredLogs());
  INFO(made.status().ToString());
  REQUIRE(made.ok());
  ParameterTexts parameters = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", sql}};
  const std::string clickhouse = rows.Body("logs.all.otel", parameters);
  parameters.back().second = made->sql;
  CHECK(Difference(clickhouse, rows.Body("logs.all", parameters), /*ordered=*/true, /*named=*/false).empty());
  CHECK(clickhouse.size() > 10'000);
}

}  // namespace
}  // namespace logquery
