// One table of all logs in ClickHouse, in Logflare's OTel layout: its statements, the export that fills it, and both languages over
// it, compared with the folder that was exported.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/parameter_binder.h"
#include "tests/clickhouse/both_layouts.h"
#include "tests/clickhouse/click_house.h"
#include "tests/support/random_logs.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr int kRows = 300;

// Rows at which a map of texts is hard: keys with dots, quotes and none, lists, numbers beyond 2^53, NULL, equal names.
constexpr const char* kOddRows[] = {
    R"({"id":"o1","timestamp":"2026-03-04T04:00:00.000001Z","project":"abc","event_message":"a 'b' \"c\" \\ ü","metadata":{"level":"error","a.b":"dotted","a":{"b":"nested"},"":"empty","it's":"quoted"}})",
    R"({"id":"o2","timestamp":"2026-03-04T04:00:01Z","project":"abc","metadata":{"big":9223372036854775807,"f":1e300,"t":true,"list":["x",1,null],"none":null,"rec":{}}})",
    R"({"id":"o3","timestamp":"2026-03-04T04:00:02Z","project":"abc","event_message":"no metadata"})",
    R"({"id":"o4","timestamp":"2026-03-04T04:00:03Z","project":"xyz","event_message":"zqx","metadata":{"level":"zqx","msg":"zqx","status":"zqx"}})",
};

struct OddRows : BothLayouts {
  OddRows() : BothLayouts(kRandomLogsNow, Fill) {}

  static void Fill(BothLayouts& both) {
    const RandomLogs logs{47, absl::ToUnixMicros(*ParseTimestamp(kRandomLogsNow)), kRows};
    for (const Table& each : logs.tables()) both.Load(each.name, logs.Lines(each));
    std::string odd;
    for (const char* row : kOddRows) odd += StrCat(row, "\n");
    both.Load("auth_logs", odd);
  }
};

// Each is one fragment, of which only the texts of times are written here.
constexpr const char* kWhole[] = {
    "select id, timestamp, event_message, severity_text, source, project from logs order by timestamp desc, id limit "
    "50",
    "select id, timestamp, event_message from logs where source = 'edge_logs' order by timestamp desc, id limit 100",
    "select source, count() n from logs group by source order by source",
    "select severity_text s, source, uniqExact(id) n, min(timestamp) a, max(timestamp) b from logs group by s, source "
    "order by "
    "s, source",
    "select toStartOfMinute(timestamp) t, severity_text s, count() n from logs where source in ('edge_logs', "
    "'auth_logs') group "
    "by t, s order by t, s",
    "select id, log_attributes['request.path'] path, log_attributes['response.status_code'] code from logs where "
    "source = "
    "'edge_logs' order by id limit 40",
    "select log_attributes['request.method'] m, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 500) "
    "e, "
    "count() n from logs where source = 'edge_logs' group by m order by m",
    "select id from logs where log_attributes['response.status_code'] in ('200', '404') order by id limit 70",
    "select id from logs where log_attributes['request.method'] != 'GET' and source = 'edge_logs' order by id limit 70",
    "select id, mapContains(log_attributes, 'request.path') has from logs order by id limit 60",
    "select id from logs where event_message like '%GET%' order by id limit 50",
    "select count() n from logs where match(event_message, '[0-9]{3}')",
    "select id, lower(log_attributes['level']) l, upper(source) s from logs where source = 'auth_logs' order by id "
    "limit 50",
    "select id, toInt64OrNull(log_attributes['big']) b, toUInt8OrZero(log_attributes['status']) s from logs where "
    "source = "
    "'auth_logs' order by id limit 50",
    "select log_attributes[''] y, log_attributes['it\\'s'] z, log_attributes['none'] n from "
    "logs where "
    "id in ('o1', 'o2') order by id",
    "select id, row_number() over (partition by source order by timestamp, id) n from logs order by id limit 80",
};

// These are computed here in part, on what the server returns.
constexpr const char* kPartly[] = {
    "select id, log_attributes from logs where id in ('o1', 'o2', 'o3') order by id",
    "select id, arrayStringConcat(arraySort(mapKeys(log_attributes)), ',') k from logs order by id limit 60",
    "select log_attributes[concat('request.', 'path')] p, count() n from logs group by p order by p",
    "select avg(toFloat64OrNull(log_attributes['response.origin_time'])) t, quantile(0.5)(toFloat64OrZero("
    "log_attributes['response.origin_time'])) q from logs where source = 'edge_logs'",
    "select id from logs where event_message ilike '%get%' and source = 'edge_logs' order by id limit 40",
    "select a.source s, a.n + b.n n from (select source, count() n from logs group by source) a left join (select "
    "source, "
    "count() n from logs where severity_text = 'ERROR' group by source) b on a.source = b.source order by s",
    "(select id, 'a' as k from logs where source = 'edge_logs' order by id limit 3) union all (select id, 'b' as k "
    "from logs "
    "where source = 'postgres_logs' order by id limit 3)",
    "select toStartOfHour(timestamp) as timestamp, count() n from logs where timestamp > '2026-03-04 04:00:00' group "
    "by "
    "timestamp order by timestamp",
    "select source, id from logs order by source, timestamp desc, id limit 2 by source",
    "select arrayJoin(mapKeys(log_attributes)) k, count() n from logs where source = 'auth_logs' group by k order by k",
    "select id, log_attributes['list'] l, log_attributes['f'] f, log_attributes['t'] t from logs where id = 'o2'",
};

// Over the views, which have the declared fields by their types.
constexpr const char* kBigQuery[] = {
    "select id, timestamp, event_message from edge_logs order by timestamp desc, id limit 40",
    "select r.method, rs.status_code, count(*) as n from edge_logs cross join unnest(metadata) m cross join "
    "unnest(m.request) r "
    "cross join unnest(m.response) rs where rs.status_code >= 400 group by 1, 2 order by 1, 2",
    "select avg(rs.origin_time) as t, max(rs.origin_time) as most from edge_logs cross join unnest(metadata) m cross "
    "join "
    "unnest(m.response) rs",
    "select t.id, m.level, m.msg from auth_logs t cross join unnest(metadata) m where m.level is not null order by "
    "t.id limit 40",
    "select p.error_severity, count(*) as n from postgres_logs t cross join unnest(metadata) m cross join "
    "unnest(m.parsed) p "
    "where p.error_severity is not null group by 1 order by 1",
    "select r.path, h.user_agent from edge_logs t cross join unnest(metadata) m cross join unnest(m.request) r cross "
    "join "
    "unnest(r.headers) h where h.user_agent is not null order by t.id limit 30",
    "select f.function_id, count(*) as n from function_edge_logs t cross join unnest(metadata) f where f.function_id "
    "is not null "
    "group by 1 order by 1",
};

TEST_CASE("a table of all logs answers ClickHouse SQL as the folder that was exported into it", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  OddRows both;
  CHECK(both.server.Ask(
            "SELECT count() FROM logs.otel_logs WHERE project = 'abc' AND source = 'auth_logs' AND id LIKE 'o_'") ==
        "3");
  for (const char* sql : kWhole) both.CheckSame("logs.all.otel", sql);
  for (const char* sql : kPartly) both.CheckSame("logs.all.otel", sql);
}

TEST_CASE("a query in ClickHouse SQL is one fragment there, which reads the rows of its project alone",
          "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  OddRows both;
  for (const char* sql : kWhole) {
    CAPTURE(sql);
    const QueryExplanation explained = both.Explained(sql);
    REQUIRE(explained.parts.size() == 1);
    const std::string& text = explained.parts[0].text;
    CAPTURE(text, explained.parts[0].then_here);
    CHECK(absl::StrContains(text, "`project` = {"));
    const std::string& here = explained.parts[0].then_here;
    CHECK((here.empty() || absl::StrContains(here, "ANSWER TEXT")));
  }
  for (const char* sql : kPartly) {
    for (const QueryExplanation::Part& part : both.Explained(sql).parts) {
      CAPTURE(sql, part.text);
      CHECK(absl::StrContains(part.text, "`project` = {"));
    }
  }
}

TEST_CASE("a token's project restricts a table of all logs whatever the call asks for", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  OddRows both;
  Principal principal;
  principal.project_scope = "xyz";
  const auto target = both.table_service->Find(principal, "logs.all.otel");
  REQUIRE(target.ok());
  const auto foreign = both.table_service->Run(*target, BothLayouts::Request("", "select count() n from logs"));
  REQUIRE(foreign.ok());
  CHECK(foreign->body == R"({"result":[{"n":0}]})");
}

TEST_CASE("views of a table of all logs answer BigQuery SQL as the folder does", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  OddRows both;
  for (const char* sql : kBigQuery) both.CheckSame("logs.all", sql);
}

TEST_CASE("a table of all logs that lacks columns, or may have NULL in them, is refused with all problems",
          "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  ClickHouse server;
  server.Sql(
      "CREATE TABLE logs.odd (id String, timestamp DateTime64(9), event_message Nullable(String), source String, "
      "project String, "
      "log_attributes Map(String, UInt64)) ENGINE = Memory");
  ClickHouseTable mapping;
  mapping.name = mapping.table = "odd";
  mapping.layout = "otel";
  const auto refused = OpenClickHouse(server.Options({mapping}));
  CHECK(absl::IsFailedPrecondition(refused.status()));
  const std::string message(refused.status().message());
  CAPTURE(message);
  CHECK(absl::StrContains(message, "has no column severity_text"));
  CHECK(absl::StrContains(message, "has the column event_message of type Nullable(String)"));
  CHECK(absl::StrContains(message, "has the column log_attributes of type Map(String, UInt64)"));

  ClickHouseTable other = mapping;
  other.name = "another";
  CHECK(absl::IsInvalidArgument(OpenClickHouse(server.Options({mapping, other})).status()));
  other.layout = "wide";
  CHECK(absl::IsInvalidArgument(OpenClickHouse(server.Options({other})).status()));
  other.layout = "otel";
  other.fields = {{"metadata.level", "level"}};
  CHECK(absl::IsInvalidArgument(OpenClickHouse(server.Options({other})).status()));
  mapping.name = "cloudflare.logs.prod";
  CHECK(absl::IsInvalidArgument(OpenClickHouse(server.Options({mapping})).status()));
}

}  // namespace
}  // namespace logquery::testing
