// Definitions made of Logflare's endpoints, and the rows that they give.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

struct Folder : CommandFolder {
  Folder() { fs::create_directory(path + "/from"); }
};

// Written like Logflare's own queries: a window in an entry of one row, which the outer query reads by its place; records
// unnested by LEFT JOIN; commas at the ends of lists; a semicolon at the end.
constexpr char kCounts[] = R"(with
span as (
  select (case
    when @interval = 'hourly' then timestamp_sub(current_timestamp(), interval 1 hour)
    when @interval = 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
    when @interval = 'daily' then timestamp_sub(current_timestamp(), interval 7 day)
  end) as since
),
counted as (
  select
    (case
      when @interval = 'hourly' then timestamp_trunc(src.timestamp, hour)
      when @interval = 'minutely' then timestamp_trunc(src.timestamp, minute)
      when @interval = 'daily' then timestamp_trunc(src.timestamp, day)
    end) as timestamp,
    countif(regexp_contains(req.path, '/rest')) as rest,
    countif(regexp_contains(req.path, '/storage')) as storage,
    countif(regexp_contains(req.path, '/auth')) as auth,
    countif(regexp_contains(req.path, '/realtime')) as realtime,
  from span, `cloudflare.logs.staging` as src
  left join unnest(metadata) as meta on true
  left join unnest(meta.request) as req on true
  where regexp_contains(req.url, @project) and src.timestamp >= span[0]
  group by timestamp
)
select
  datetime(counted.timestamp, 'UTC') as timestamp,
  coalesce(sum(counted.rest), 0) as total_rest_requests,
  coalesce(sum(counted.storage), 0) as total_storage_requests,
  coalesce(sum(counted.auth), 0) as total_auth_requests,
  coalesce(sum(counted.realtime), 0) as total_realtime_requests,
from counted
group by timestamp
order by timestamp asc;)";

// Times made by the function of Logflare's project; rows joined to them by their truncated time. Logflare's own leaves out rows
// without a response, which the built-in endpoint counts; here they stay.
constexpr char kInvocations[] = R"(with spans as (
  select (case
    when @interval = '7day' then `any-project.logflare.generate_timestamp_trunc_array`(7, "day_day")
    else `any-project.logflare.generate_timestamp_trunc_array`(1, "day_hour")
  end) as d
),
starts as (select d from spans, unnest(`spans`.d) as d),
counted as (
  select
    starts.d as timestamp,
    count(id) as count,
    avg(meta.execution_time_ms) as avg_execution_time,
    max(meta.execution_time_ms) as max_execution_time,
    min(meta.execution_time_ms) as min_execution_time,
    countif(response.status_code >= 400) as error_count,
    approx_quantiles(meta.execution_time_ms, 100) as quantiles,
  from spans, starts left join `deno-relay-logs` on starts.d = (case
      when @interval = '7day' then timestamp_trunc(timestamp, day)
      else timestamp_trunc(timestamp, hour)
    end)
  cross join unnest(metadata) as meta
  left join unnest(meta.response) as response on true
  where meta.project_ref = @project
    and case when coalesce(@function_id, '') = '' then true else meta.function_id = @function_id end
    and timestamp >= spans.d[offset(0)]
  group by timestamp
  order by timestamp asc
)
select
  timestamp, min_execution_time, max_execution_time, avg_execution_time,
  quantiles[offset(95)] as p95_execution_time, quantiles[offset(99)] as p99_execution_time, count, error_count
from counted)";

TEST_CASE("queries of .sql files are imported as they are, and give the built-in endpoints' rows") {
  const Folder folder;
  folder.Write("from/usage.api-counts.sql", kCounts);
  folder.Write("from/functions.invocation-stats.sql", kInvocations);
  const Outcome imported = folder.Run(
      {"import", "endpoints", "{}/from", "--dir", "{}/to", "--table", "cloudflare.logs.staging=cloudflare.logs.prod"});
  INFO(imported.out << imported.err);
  REQUIRE(imported.code == kExitOk);
  CHECK(Has(imported.out, "2 endpoints imported\n"));
  CHECK(folder.Read("to/functions.invocation-stats.sql") == StrCat(kInvocations, "\n"));
  CHECK(Has(folder.Read("to/usage.api-counts.sql"), "from span, `cloudflare.logs.prod` as src\n"));
  CHECK(Has(folder.Run({"check", "{}/to"}).err, "note: replaces the built-in usage.api-counts, and has its id"));

  REQUIRE(folder
              .Run({"sample", "--rows", "20000", "--projects", "2", "--days", "2", "--end", "2026-01-15T12:00:00Z",
                    "{}/sample"})
              .code == kExitOk);
  REQUIRE(folder.Run({"load", "--data", "{}/data", "{}/sample"}).code == kExitOk);
  const std::string manifest = folder.Read("sample/manifest.json");
  const size_t ref = manifest.find("\"ref\": \"") + 8;
  const std::string project = "project=" + manifest.substr(ref, manifest.find('"', ref) - ref);
  const auto rows = [&](const std::string& endpoint, const std::string& interval, bool own) {
    std::vector<std::string> arguments = {"run",      "--data", "{}/data", "--now", "2026-01-15T12:00:00Z",
                                          "--format", "ndjson"};
    if (own) arguments.insert(arguments.end(), {"--endpoints", "{}/to"});
    arguments.insert(arguments.end(), {endpoint, project, "interval=" + interval});
    const Outcome ran = folder.Run(arguments);
    INFO(ran.out << ran.err);
    REQUIRE(ran.code == kExitOk);
    return ran.out;
  };
  for (const char* interval : {"daily", "hourly", "minutely"}) {
    CAPTURE(interval);
    CHECK(rows("usage.api-counts", interval, true) == rows("usage.api-counts", interval, false));
  }
  CHECK_FALSE(rows("usage.api-counts", "daily", true).empty());
  for (const char* interval : {"7day", "1day"}) {
    CAPTURE(interval);
    // Logflare's query has no row for a time without an invocation; the built-in one has.
    std::istringstream lines(rows("functions.invocation-stats", interval, false));
    std::string counted;
    for (std::string line; std::getline(lines, line);) {
      if (!Has(line, "\"count\":0,")) counted += line + "\n";
    }
    REQUIRE_FALSE(counted.empty());
    CHECK(rows("functions.invocation-stats", interval, true) == counted);
  }
}

TEST_CASE("the endpoints API's JSON becomes definitions, and unsupported settings are listed") {
  const Folder folder;
  folder.Write("api.json", R"([
  {"id": 1, "token": "354e1b6b-1a4d-4e4e-af65-42ef6dc5185f", "name": "errors", "description": "Of one project.",
   "query": "select id from `cloudflare.logs.prod` where project = @project", "language": "bq_sql", "max_limit": 50,
   "cache_duration_seconds": 60, "proactive_requerying_seconds": 30, "sandboxable": true, "redact_pii": true,
   "enable_auth": false, "labels": "team=a,tenant=@project,session", "source_mapping": {"x": "y"}, "inserted_at": "2026-01-01T00:00:00"},
  {"name": "off", "query": "select 1 as one", "cache_duration_seconds": 0, "proactive_requerying_seconds": 0,
   "backend_id": 7, "labels": "who=@nobody"},
  {"name": "lql", "query": "select 1 as one", "language": "lql"},
  {"name": "a/b", "query": "select 1 as one"},
  {"name": "wrong", "query": "select nothing from `cloudflare.logs.prod`"},
  {"name": "rows", "query": "select 1 as one", "max_limit": 100000000},
  {"name": "unknown", "query": "select id from `my.source`"},
  {"query": "select 1 as one"},
  5
])");
  const Outcome imported = folder.Run({"import", "endpoints", "{}/api.json", "--dir", "{}/to"});
  INFO(imported.out << imported.err);
  CHECK(imported.code == kExitSomeRejected);
  CHECK(Has(imported.out, "2 endpoints imported, 7 not\n"));
  const std::string errors = folder.Read("to/errors.json");
  for (const char* part : {R"("id": "354e1b6b-1a4d-4e4e-af65-42ef6dc5185f")", R"("max_rows": 50)", R"("caching": 60)",
                           R"("cache_warming": 30)", R"("query_sandboxing": true)", R"("redact_pii": true)",
                           R"("labels": "team=a,tenant=@project,session")", R"("name": "project")",
                           R"("description": "Of one project.")"}) {
    CAPTURE(part);
    CHECK(Has(errors, part));
  }
  CHECK(Has(folder.Read("to/off.json"), R"("caching": "disabled")"));
  CHECK_FALSE(Has(folder.Read("to/off.json"), "cache_warming"));
  for (const char* part :
       {"errors: imported, without enable_auth false: every call wants a token here",
        "off: imported, without labels \"who=@nobody\": names the parameter nobody, which the query does not have",
        "errors: imported, without source_mapping an object: ",
        "off: imported, without backend_id 7: no setting of a definition stands for it",
        "lql: not imported: its language is \"lql\"; only bq_sql and ch_sql can be served",
        "a/b: not imported: its name \"a/b\" can't be a file's name, which may have letters",
        "unknown: not imported: endpoint unknown: unknown table my.source at line 1, column 16; --table OLD=NEW reads "
        "another",
        "wrong: not imported: endpoint wrong: unknown name nothing",
        "rows: not imported: ", "api.json: not imported: it has no name",
        "api.json: line 14, column 3: an endpoint is an object with \"name\" and \"query\", not 5"}) {
    CAPTURE(part);
    CHECK(Has(imported.err, part));
  }
  CHECK(folder.Run({"check", "{}/to"}).code == kExitOk);

  // Again it changes nothing; what was edited meanwhile stays.
  CHECK(folder.Run({"import", "endpoints", "{}/api.json", "--dir", "{}/to"}).code == kExitSomeRejected);
  folder.Write("to/off.sql", "select 2 as two");
  const Outcome kept = folder.Run({"import", "endpoints", "{}/api.json", "--dir", "{}/to"});
  CHECK(kept.code == kExitFailed);
  CHECK(Has(kept.err, "off.sql is there already, with other content"));
  CHECK(folder.Read("to/off.sql") == "select 2 as two");
}

TEST_CASE("import takes over Logflare's endpoints in ClickHouse SQL, with their parameters and renamed tables") {
  const Folder folder;
  folder.Write("api.json", R"([
  {"name": "busy", "language": "ch_sql", "sandboxable": false, "query": "-- by hour, not {text:String}\nselect toStartOfHour(timestamp) as hour, count() as n from `otel.logs` where project = {project:String} and event_message != '{no:Int64}' and length(event_message) > {least:Int64} and project = {project:String} group by hour order by hour"},
  {"name": "wrong", "language": "ch_sql", "query": "select nothing from logs where project = {project:String}"},
  {"name": "broken", "language": "ch_sql", "query": "select 'x"}
])");
  const Outcome imported =
      folder.Run({"import", "endpoints", "{}/api.json", "--dir", "{}/to", "--table", "otel.logs=logs"});
  INFO(imported.out << imported.err);
  CHECK(imported.code == kExitSomeRejected);
  CHECK(Has(imported.out, "1 endpoint imported, 2 not\n"));
  CHECK(Has(imported.err, "wrong: not imported: "));
  CHECK(Has(imported.err, "broken: not imported: the query: "));
  const auto json = nlohmann::json::parse(folder.Read("to/busy.json"));
  CHECK(json.at("language") == "clickhouse");
  CHECK(json.at("parameters") ==
        nlohmann::json::parse(R"([{"name": "project", "type": "STRING"}, {"name": "least", "type": "INT64"}])"));
  const std::string sql = folder.Read("to/busy.sql");
  CHECK(Has(sql, "from `logs` where project = {project:String} and event_message != '{no:Int64}'"));
  CHECK(folder.Run({"check", "{}/to"}).code == kExitOk);
}

TEST_CASE("import rejects what is not a Logflare endpoint, with the reason") {
  const Folder folder;
  const auto error = [&folder](const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"import", "endpoints", "{}/" + file, "--dir", "{}/to"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = folder.Run(arguments);
    CHECK(outcome.code != kExitOk);
    return outcome.err;
  };
  CHECK(Has(error("nothing.sql"), "can't read"));
  CHECK(Has(error("from"), "there is no endpoint"));
  folder.Write("broken.json", "[{");
  CHECK(Has(error("broken.json"), "line 1, column 3: not JSON"));
  folder.Write("one.sql", "select 'x");
  CHECK(Has(error("one.sql"), "one: not imported: the query: "));
  folder.Write("schema.sql", "select 1 as one");
  CHECK(Has(error("schema.sql"), "its name \"schema\" can't be a file's"));
  folder.Write("staging.sql", "select id from `cloudflare.logs.staging`");
  CHECK(Has(error("staging.sql"), "cloudflare.logs.staging"));
  const std::string_view advice = "; --table OLD=NEW reads another one in its place";
  CHECK(Has(error("staging.sql"), advice));
  folder.Write("other.json", R"([{"name": "other", "language": "ch_sql", "query": "select 1 as n from requests"}])");
  CHECK(Has(error("other.json"), advice));
  // An error that is not about a table, whatever its text.
  folder.Write("quoted.sql", "select `unknown table` from `cloudflare.logs.prod`");
  CHECK(Has(error("quoted.sql"), "unknown table"));
  CHECK_FALSE(Has(error("quoted.sql"), advice));
  CHECK(Has(error("staging.sql", {"--table", "x"}), "--table x: it is FROM=TO"));
}

}  // namespace
}  // namespace logquery::shim
