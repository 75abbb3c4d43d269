// The three endpoints through QueryService, side by side with what a DuckDB user would write by hand over the same tables
// and settings; and usage.api-counts over records stored as lists, as a plain translation of UNNEST reads them.
//
//     logquery_bench_endpoints [--data FOLDER] [--rows N] [--list-rows N] [--repeat N] [--show-sql]
//
// FOLDER is one that `logquery load` made; without it one of N sample rows is made and left out again. Both sides of a line
// run in turn, and their bodies must be equal; medians are compared, because machines are noisy.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/embedded.h"
#include "logquery/interval_bucketer.h"
#include "logquery/query_service.h"
#include "logquery/row_encoder.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/folder/sample/sample.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::Median;
using bench::Need;
using bench::TemporaryFolder;

constexpr char kEdge[] = "cloudflare.logs.prod";

struct Options {
  std::string data;
  int64_t rows = 3'000'000;
  int64_t list_rows = 30'000;
  int repeat = 21;
  bool show_sql = false;
};

struct ByHand {
  std::string sql;
  Schema schema;
  std::vector<std::pair<std::string, Value>> bindings;
};

absl::StatusOr<std::string> RunByHand(QueryBackend& backend, const ByHand& query, absl::Duration limit) {
  PreparedQuery::Parts parts;
  parts.endpoint_id = "by-hand";
  parts.dialect_text = query.sql;
  parts.schema = query.schema;
  Bindings bindings;
  for (const auto& [name, value] : query.bindings) {
    parts.slots.push_back({name, value.type()});
    bindings.push_back(value);
  }
  RowEncoder encoder(query.schema, {});
  ExecutionLimits limits;
  limits.time_limit = limit;
  const absl::Status status = backend.Execute(PreparedQuery(std::move(parts)), bindings, limits, {}, encoder);
  if (!status.ok()) return status;
  return std::move(encoder).Finish();
}

double Milliseconds(const std::function<void()>& work) {
  const absl::Time start = absl::Now();
  work();
  return absl::ToDoubleMilliseconds(absl::Now() - start);
}

class Bench {
 public:
  Bench(QueryBackend& backend, const Options& options) : backend_(backend), options_(options) {
    const ByHand newest = {
        R"(SELECT max(timestamp) AS t FROM "cloudflare.logs.prod")", Schema({{"t", Type::Timestamp()}}), {}};
    now_ = absl::FromUnixMicros(Result(newest).at(0).at("t").get<int64_t>()) + absl::Seconds(1);
    clock_ = std::make_unique<FixedClock>(now_);
    QueryServiceOptions service;
    // Queries are what is measured, so no answer is cached or kept.
    for (Endpoint& endpoint : service.endpoints) endpoint.caching = endpoint.cache_warming = std::nullopt;
    service.kept_bytes = 0;
    service.backend = &backend;
    service.clock = clock_.get();
    service_ = Need(QueryService::Create(std::move(service)));
    const ByHand projects = {
        R"(SELECT project FROM "cloudflare.logs.prod" GROUP BY project ORDER BY count(*) DESC, project)",
        Schema({{"project", Type::String()}}),
        {}};
    const nlohmann::json rows = Result(projects);
    busy_ = rows.front().at("project");
    rare_ = rows.back().at("project");
  }

  void NewestRows(const std::string& name, const std::string& project, const char* tier, int days) {
    QueryRequest request = Request("logs.all", {{"project", project}, {"project_tier", tier}});
    Compare(name, request,
            {R"(SELECT id, timestamp, event_message, metadata FROM "cloudflare.logs.prod")"
             R"( WHERE project = $1 AND timestamp > $2 ORDER BY timestamp DESC, id LIMIT 100)",
             SchemaOf(request),
             {{"project", Value::String(project)}, {"start", Value::Timestamp(now_ - absl::Hours(24 * days))}}});
  }

  void InvocationStats(const std::string& name, const char* interval, int count, const char* label, const char* unit) {
    QueryRequest request = Request("functions.invocation-stats", {{"project", busy_}, {"interval", interval}});
    const std::vector<absl::Time> starts = Need(IntervalBucketer::Generate(count, label, now_));
    std::vector<Value> buckets;
    for (const absl::Time start : starts) buckets.push_back(Value::Timestamp(start));
    const std::string sql =
        R"(SELECT b.start, s.low, s.high, s.mean, s.q[1], s.q[2], coalesce(s.calls, 0), coalesce(s.errors, 0))"
        R"( FROM (SELECT unnest($1::TIMESTAMP[]) AS start) b LEFT JOIN ()"
        R"(SELECT date_trunc(')" +
        std::string(unit) +
        R"(', timestamp)::TIMESTAMP AS bucket,)"
        R"( min("metadata.execution_time_ms") AS low, max("metadata.execution_time_ms") AS high,)"
        R"( avg("metadata.execution_time_ms") AS mean,)"
        R"( quantile_disc("metadata.execution_time_ms", [0.95, 0.99]) AS q, count(*) AS calls,)"
        R"( count(*) FILTER ("metadata.response.status_code" >= 400) AS errors)"
        R"( FROM "deno-relay-logs" WHERE "metadata.project_ref" = $2 AND timestamp >= $3 GROUP BY 1))"
        R"( s ON s.bucket = b.start ORDER BY b.start)";
    Compare(name, request,
            {sql,
             SchemaOf(request),
             {{"buckets", Value::Array(Type::Timestamp(), buckets)},
              {"project", Value::String(busy_)},
              {"first", Value::Timestamp(starts.front())}}});
  }

  void ApiCounts(const std::string& name, const char* interval, absl::Duration window, const char* unit) {
    const std::string pattern = "^https://" + busy_ + "\\.";
    QueryRequest request = Request("usage.api-counts", {{"project", pattern}, {"interval", interval}});
    Compare(name, request,
            CountsByHand(request, unit, window, pattern, R"("cloudflare.logs.prod")", R"("metadata.request.url")",
                         R"("metadata.request.path")"));
  }

  // `lists` holds the same rows with records as lists.
  void ApiCountsOverLists(const std::string& name, const char* interval, absl::Duration window, const char* unit,
                          QueryBackend& lists) {
    const std::string pattern = "^https://" + busy_ + "\\.";
    QueryRequest request = Request("usage.api-counts", {{"project", pattern}, {"interval", interval}});
    const ByHand query =
        CountsByHand(request, unit, window, pattern,
                     R"("cloudflare.logs.prod" AS t, UNNEST(t.metadata) AS a(m), UNNEST(a.m.request) AS b(r))",
                     "b.r.url", "b.r.path");
    std::string wanted, is;
    std::vector<double> ours;
    for (int i = 0; i < options_.repeat; ++i) {
      ours.push_back(Milliseconds([&] { wanted = Need(service_->Run(request)).body; }));
    }
    absl::StatusOr<std::string> body;
    const double theirs = Milliseconds([&] { body = RunByHand(lists, query, absl::Minutes(1)); });
    const char* note = body.ok() ? "" : " (stopped: a lower bound)";
    if (body.ok() && SameValues(*body) != SameValues(wanted)) Fail(name + ": answers differ");
    std::printf("| %s | %.2f | %.0f | %.0f x%s |\n", name.c_str(), Median(ours), theirs, theirs / Median(ours), note);
    std::fflush(stdout);
  }

  const std::string& busy() const { return busy_; }
  const std::string& rare() const { return rare_; }

 private:
  static QueryRequest Request(const char* endpoint, ParameterTexts parameters) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = std::move(parameters);
    return request;
  }

  Schema SchemaOf(const QueryRequest& request) { return Need(service_->Prepare(request))->schema(); }

  nlohmann::json Result(const ByHand& query) {
    return nlohmann::json::parse(Need(RunByHand(backend_, query, absl::Minutes(5)))).at("result");
  }

  static nlohmann::json SameValues(const std::string& body) { return nlohmann::json::parse(body); }

  ByHand CountsByHand(const QueryRequest& request, const std::string& unit, absl::Duration window,
                      const std::string& pattern, const std::string& from, const std::string& url,
                      const std::string& path) {
    std::string sql = "SELECT date_trunc('" + unit + "', timestamp)::TIMESTAMP AS bucket";
    for (const char* kind : {"rest", "storage", "auth", "realtime"}) {
      sql += ", count(*) FILTER (contains(" + path + ", '/" + kind + "'))";
    }
    sql += " FROM " + from + " WHERE regexp_matches(" + url + ", $1) AND timestamp >= $2 GROUP BY 1 ORDER BY 1";
    return {sql, SchemaOf(request), {{"pattern", Value::String(pattern)}, {"start", Value::Timestamp(now_ - window)}}};
  }

  void Compare(const std::string& name, const QueryRequest& request, const ByHand& by_hand) {
    if (options_.show_sql) {
      const auto prepared = Need(service_->Prepare(request));
      std::printf("\n%s: %s\n", name.c_str(), prepared->dialect_text().c_str());
      std::printf("by hand: %s\n", by_hand.sql.c_str());
    }
    std::string wanted, is;
    std::vector<double> ours, theirs, plan;
    for (int i = 0; i < options_.repeat + 1; ++i) {
      const double hand = Milliseconds([&] { wanted = Need(RunByHand(backend_, by_hand, absl::Minutes(1))); });
      QueryAnswer answer;
      const double service = Milliseconds([&] { answer = Need(service_->Run(request)); });
      is = std::move(answer.body);
      if (i == 0) continue;  // warms both
      theirs.push_back(hand);
      ours.push_back(service);
      plan.push_back(absl::ToDoubleMilliseconds(answer.plan_time));
    }
    if (SameValues(is) != SameValues(wanted))
      Fail(name + ": answers differ:\n" + is.substr(0, 2'000) + "\n" + wanted.substr(0, 2'000));
    std::printf("| %s | %.2f | %.2f | %.2f | %.3f |\n", name.c_str(), Median(ours), Median(theirs),
                Median(ours) / Median(theirs), Median(plan));
    std::fflush(stdout);
  }

  QueryBackend& backend_;
  const Options& options_;
  absl::Time now_;
  std::unique_ptr<FixedClock> clock_;
  std::unique_ptr<QueryService> service_;
  std::string busy_, rare_;
};

std::string MakeSample(const std::string& folder, int64_t rows) {
  shim::SampleOptions options;
  options.folder = folder;
  options.rows = rows;
  options.end = absl::FromUnixSeconds(1'768'478'400);
  Need(shim::WriteSample(options));
  return folder;
}

void LoadAll(DuckDbBackend& backend, const std::string& folder, const std::vector<std::string>& tables) {
  for (const std::string& table : tables) {
    LoadRequest request;
    request.table = table;
    request.files = {folder + "/" + table + ".ndjson"};
    const LoadReport report = Need(backend.store().Load(request, nullptr));
    if (report.rejected_rows > 0) Fail("rejected: " + report.first_rejected.front().reason);
  }
  const absl::Status status = backend.store().Checkpoint();
  Need(status);
}

std::unique_ptr<DuckDbBackend> Open(const std::string& folder, const std::string& schema = {}) {
  DuckDbOptions options;
  options.folder = folder;
  options.schema_json = schema;
  return Need(OpenDuckDb(options));
}

// Records as lists of one, at every level.
nlohmann::ordered_json AsLists(const nlohmann::ordered_json& value) {
  if (!value.is_object()) return value;
  nlohmann::ordered_json record;
  for (const auto& [key, field] : value.items()) record[key] = AsLists(field);
  return nlohmann::ordered_json::array({record});
}

void WriteAsLists(const std::string& from, const std::string& to) {
  std::ifstream in(from);
  std::ofstream out(to);
  for (std::string line; std::getline(in, line);) {
    nlohmann::ordered_json row = nlohmann::ordered_json::parse(line);
    row["metadata"] = AsLists(row["metadata"]);
    out << row.dump() << '\n';
  }
}

std::string ListSchema() {
  nlohmann::ordered_json schema = nlohmann::ordered_json::parse(base::EmbeddedFile("log_schema.json")).at(kEdge);
  schema.erase("hot");
  schema["columns"]["metadata"] = AsLists(schema["columns"]["metadata"]);
  nlohmann::ordered_json all;
  all[kEdge] = schema;
  return all.dump();
}

void CompareEndpoints(QueryBackend& backend, const Options& options) {
  Bench bench(backend, options);
  std::printf("| endpoint | logquery, ms | by hand, ms | ratio | of it planning, ms |\n|---|---|---|---|---|\n");
  bench.NewestRows("A busy project, 1 day", bench.busy(), "FREE", 1);
  bench.NewestRows("A rare project, 90 days", bench.rare(), "PAYG", 90);
  bench.InvocationStats("B 1hr", "1hr", 1, "hour_minute", "minute");
  bench.InvocationStats("B 7day", "7day", 7, "day_day", "day");
  bench.ApiCounts("C minutely", "minutely", absl::Hours(1), "minute");
  bench.ApiCounts("C daily", "daily", absl::Hours(24 * 7), "day");
}

void CompareWithLists(const Options& options) {
  TemporaryFolder folder;
  const std::string sample = MakeSample(folder / "sample", options.list_rows);
  const std::string lists = folder / "lists";
  std::filesystem::create_directory(lists);
  WriteAsLists(sample + "/" + kEdge + ".ndjson", lists + "/" + kEdge + ".ndjson");
  const auto records = Open(folder / "records");
  LoadAll(*records, sample, {kEdge, "deno-relay-logs"});
  const auto plain = Open(folder / "plain", ListSchema());
  LoadAll(*plain, lists, {kEdge});
  Bench bench(*records, options);
  std::printf("\n| %ld rows | logquery, ms | lists and UNNEST, ms | ratio |\n|---|---|---|---|\n",
              static_cast<long>(options.list_rows));
  bench.ApiCountsOverLists("C minutely", "minutely", absl::Hours(1), "minute", *plain);
  bench.ApiCountsOverLists("C daily", "daily", absl::Hours(24 * 7), "day", *plain);
}

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--show-sql") {
      options.show_sql = true;
    } else if (i + 1 == argc) {
      Fail("usage: [--data FOLDER] [--rows N] [--list-rows N, 0: not] [--repeat N] [--show-sql]");
    } else if (argument == "--data") {
      options.data = argv[++i];
    } else if (argument == "--rows") {
      options.rows = std::atoll(argv[++i]);
    } else if (argument == "--list-rows") {
      options.list_rows = std::atoll(argv[++i]);
    } else if (argument == "--repeat") {
      options.repeat = std::max(1, std::atoi(argv[++i]));
    }
  }
  return options;
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  if (options.data.empty()) {
    TemporaryFolder folder;
    const std::string sample = MakeSample(folder / "sample", options.rows);
    const auto backend = Open(folder / "data");
    LoadAll(*backend, sample, {kEdge, "deno-relay-logs"});
    std::filesystem::remove_all(sample);
    CompareEndpoints(*backend, options);
  } else {
    CompareEndpoints(*Open(options.data), options);
  }
  if (options.list_rows > 0) CompareWithLists(options);
  return 0;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Main(argc, argv); }
