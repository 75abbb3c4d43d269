// Definitions in the form that Logflare users have theirs in give the rows that the built-in ones give.
#include <catch2/catch_test_macros.hpp>

#include "logquery/testing/fake_clock.h"
#include "tests/reference/log_data.h"
#include "tests/reference/reference.h"

namespace logquery::reference {
namespace {

constexpr char kCallsSettings[] = R"({
  "id": "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d01", "name": "calls.by-bucket", "max_rows": 1000, "caching": 900,
  "query_sandboxing": false, "redact_pii": false,
  "parameters": [{"name": "interval", "type": "STRING"}, {"name": "project", "type": "STRING", "required": true},
                 {"name": "function_id", "type": "STRING"}]})";

constexpr char kCalls[] = R"(
with steps as (
  select (
    case
      when @interval = '5min' then `p.logflare.generate_timestamp_trunc_array`(5, "minute_second")
      when @interval = '15min' then `p.logflare.generate_timestamp_trunc_array`(15, "minute_minute")
      when @interval = '1hr' then `p.logflare.generate_timestamp_trunc_array`(1, "hour_minute")
      when @interval = '7day' then `p.logflare.generate_timestamp_trunc_array`(7, "day_day")
      else `p.logflare.generate_timestamp_trunc_array`(1, "day_hour")
    end
  ) as starts
),
slots as (
  select slot from steps, unnest(`steps`.starts) as slot
),
figures as (
  SELECT
    slots.slot as timestamp,
    COUNT(id) as count,
    COUNTIF(r.status_code >= 400) as error_count,
    COUNTIF(r.status_code >= 200 AND r.status_code < 300) as good_count,
    min(m.execution_time_ms) as min_execution_time,
    max(m.execution_time_ms) as max_execution_time,
    avg(m.execution_time_ms) as avg_execution_time,
    APPROX_QUANTILES(m.execution_time_ms, 100) as hundredths,
  FROM
    steps, slots left join `deno-relay-logs` on slots.slot = (
      CASE
        WHEN @interval = '5min' THEN timestamp_trunc(timestamp, second)
        WHEN @interval = '15min' THEN timestamp_trunc(timestamp, minute)
        WHEN @interval = '1hr' THEN timestamp_trunc(timestamp, minute)
        WHEN @interval = '7day' THEN timestamp_trunc(timestamp, day)
        ELSE timestamp_trunc(timestamp, hour)
      END)
    CROSS JOIN UNNEST(metadata) as m
    LEFT JOIN UNNEST(m.response) as r ON TRUE
  WHERE
    m.project_ref = @project
    AND CASE WHEN COALESCE(@function_id, '') = '' THEN TRUE ELSE m.function_id = @function_id END
    AND timestamp >= steps.starts[offset(0)]
  GROUP BY
    timestamp
  ORDER BY
    timestamp ASC
)
select
  timestamp,
  min_execution_time,
  max_execution_time,
  avg_execution_time,
  hundredths[offset(95)] as p95_execution_time,
  hundredths[offset(99)] as p99_execution_time,
  count,
  error_count,
from
  figures
ORDER BY timestamp;
)";

constexpr char kKindsSettings[] = R"({
  "id": "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d02", "name": "requests.by-kind", "max_rows": 1000, "caching": 900,
  "query_sandboxing": false, "redact_pii": false,
  "parameters": [{"name": "interval", "type": "STRING", "required": true},
                 {"name": "project", "type": "STRING", "required": true}]})";

constexpr char kKinds[] = R"(
with
dates as (
  select (case
    when @interval = 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
    when @interval = 'hourly' then timestamp_sub(current_timestamp(), interval 1 hour)
    when @interval = 'daily' then timestamp_sub(current_timestamp(), interval 7 day)
  end) as first_moment
),
kinds as (
  select
    (case
      when @interval = 'minutely' then timestamp_trunc(g.timestamp, minute)
      when @interval = 'hourly' then timestamp_trunc(g.timestamp, hour)
      when @interval = 'daily' then timestamp_trunc(g.timestamp, day)
    end) as timestamp,
    COUNTIF(REGEXP_CONTAINS(rq.path, '/realtime')) as realtime,
    COUNTIF(REGEXP_CONTAINS(rq.path, '/auth')) as auth,
    COUNTIF(REGEXP_CONTAINS(rq.path, '/storage')) as storage,
    COUNTIF(REGEXP_CONTAINS(rq.path, '/rest')) as rest,
  FROM
    dates,
    `cloudflare.logs.prod` as g
    LEFT JOIN UNNEST(metadata) AS md ON TRUE
    LEFT JOIN UNNEST(md.request) AS rq ON TRUE
  where
    REGEXP_CONTAINS(rq.url, @project) AND g.timestamp >= dates[0]
    -- one project: project = @project
  GROUP BY
    timestamp
)
SELECT
  datetime(kinds.timestamp, 'UTC') as timestamp,
  COALESCE(SUM(kinds.rest), 0) as total_rest_requests,
  COALESCE(SUM(kinds.storage), 0) as total_storage_requests,
  COALESCE(SUM(kinds.auth), 0) as total_auth_requests,
  COALESCE(SUM(kinds.realtime), 0) as total_realtime_requests,
FROM
  kinds
GROUP BY
  timestamp
ORDER BY
  timestamp asc;
)";

constexpr char kNewestSettings[] = R"({
  "id": "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d03", "name": "newest", "max_rows": 1000, "caching": "disabled",
  "query_sandboxing": false, "redact_pii": false,
  "parameters": [{"name": "project", "type": "STRING", "required": true}, {"name": "project_tier", "type": "STRING"},
                 {"name": "iso_timestamp_start", "type": "STRING"}, {"name": "iso_timestamp_end", "type": "STRING"}]})";

constexpr char kNewest[] = R"(
with retention as (
  select (
    case
      when @project_tier = 'FREE' then timestamp_sub(current_timestamp(), interval 1 day)
      when @project_tier = 'PRO' then timestamp_sub(current_timestamp(), interval 7 day)
      when (@project_tier = 'PAYG' OR @project_tier = 'ENTERPRISE') then timestamp_sub(current_timestamp(), interval 90 day)
      else timestamp_sub(current_timestamp(), interval 1 day)
    end
  ) as date
),
gateway as (
  select t.timestamp, t.id, t.event_message, t.metadata
  from retention, `cloudflare.logs.prod` as t
  where
    t.project = @project
    AND CASE WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE ELSE t.timestamp > TIMESTAMP(@iso_timestamp_start) END
    AND CASE WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE ELSE t.timestamp <= CAST(@iso_timestamp_end AS TIMESTAMP) END
    AND t.timestamp > retention.date
  order by CAST(t.timestamp AS timestamp) desc
)
SELECT id, timestamp, event_message, metadata
from gateway
order by timestamp desc, id
limit 100
)";

struct Subject {
  Subject() {
    std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
    struct Definition {
      const char *json, *sql;
    };
    for (const auto& [json, sql] : {Definition{kCallsSettings, kCalls}, Definition{kKindsSettings, kKinds},
                                    Definition{kNewestSettings, kNewest}}) {
      auto endpoint = Endpoint::FromJson("logflare_form_test", json, sql);
      INFO(endpoint.status().ToString());
      REQUIRE(endpoint.ok());
      endpoints.push_back(*std::move(endpoint));
    }
    QueryServiceOptions options;
    options.backend = &LogData::Get().backend();
    options.endpoints = std::move(endpoints);
    options.clock = &clock;
    auto created = QueryService::Create(std::move(options));
    INFO(created.status().ToString());
    REQUIRE(created.ok());
    service = *std::move(created);
  }
  Json Run(const std::string& endpoint, const ParameterTexts& parameters) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = parameters;
    return Rows(service->Run(request));
  }
  testing::FakeClock clock{absl::FromUnixMicros(LogData::kEnd)};
  std::unique_ptr<QueryService> service;
};

Json WithoutEmptyBuckets(const Json& rows) {
  if (!rows.is_array()) return rows;
  Json kept = Json::array();
  for (const Json& row : rows) {
    if (row.at("count") != 0) kept.push_back(row);
  }
  return kept;
}

TEST_CASE("invocation statistics in Logflare's form leave out empty buckets and differ in nothing else") {
  Subject subject;
  for (const std::string& project : LogData::Get().projects()) {
    for (const char* interval : {"5min", "15min", "1hr", "1day", "7day", "other"}) {
      for (const char* function_id : {"", "f1", "f2", "none"}) {
        const ParameterTexts parameters = {{"interval", interval}, {"project", project}, {"function_id", function_id}};
        CAPTURE(interval, project, function_id);
        const Json built_in = WithoutEmptyBuckets(subject.Run("functions.invocation-stats", parameters));
        CHECK(Difference(built_in, subject.Run("calls.by-bucket", parameters)) == "");
      }
    }
  }
}

TEST_CASE("request counts in Logflare's form are the built-in ones") {
  Subject subject;
  std::vector<std::string> patterns = LogData::Get().projects();
  patterns.insert(patterns.end(), {".*", "/rest/", "^$", "nothing like it"});
  for (const std::string& pattern : patterns) {
    for (const char* interval : {"minutely", "hourly", "daily"}) {
      const ParameterTexts parameters = {{"interval", interval}, {"project", pattern}};
      CAPTURE(interval, pattern);
      CHECK(Difference(subject.Run("usage.api-counts", parameters), subject.Run("requests.by-kind", parameters)) == "");
    }
  }
}

TEST_CASE("the newest rows in Logflare's form are the built-in ones") {
  Subject subject;
  for (const std::string& project : LogData::Get().projects()) {
    for (const char* tier : {"FREE", "PRO", "PAYG", "ENTERPRISE", "other", ""}) {
      for (const char* start : {"", "2026-01-15T08:00:00Z"}) {
        for (const char* end : {"", "2026-01-15 10:00:00.25+01:00"}) {
          const ParameterTexts parameters = {
              {"project", project}, {"project_tier", tier}, {"iso_timestamp_start", start}, {"iso_timestamp_end", end}};
          CAPTURE(project, tier, start, end);
          CHECK(Difference(subject.Run("logs.all", parameters), subject.Run("newest", parameters)) == "");
        }
      }
    }
  }
}

}  // namespace
}  // namespace logquery::reference
