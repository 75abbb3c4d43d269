// Answers that are kept as long as the rows are the same, over a real engine and its folder.
#include "lib/endpoint/kept/kept_answers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/store/learned_fields.h"
#include "tests/endpoint/kept_faults.h"
#include "tests/endpoint/served_rows.h"

namespace logquery {
namespace {

constexpr char kNewest[] =
    "SELECT t.id, t.timestamp FROM `cloudflare.logs.prod` AS t WHERE t.project = @project AND t.timestamp > @start AND "
    "(@end IS NULL OR t.timestamp <= @end) ORDER BY t.timestamp DESC, t.id LIMIT 2";
constexpr char kCounts[] =
    "SELECT COUNT(*) AS n FROM `cloudflare.logs.prod` AS t WHERE t.project = @project AND t.timestamp > @start AND "
    "(@end IS NULL OR t.timestamp <= @end)";

Endpoint WithBounds(std::string name, std::string query, int number) {
  Endpoint endpoint = MakeEndpoint(std::move(name), std::move(query), number);
  endpoint.query_sandboxing = false;
  for (const char* parameter : {"project", "start", "end"}) {
    Parameter& declared = endpoint.parameters.emplace_back();
    declared.name = parameter;
    declared.type = declared.name == "project" ? Type::String() : Type::Timestamp();
  }
  return endpoint;
}

// Rows of abc at 05:00:00 and 05:00:01, of xyz at 05:00:02 to 05:00:04; it is 05:06:07.
struct Kept : ServedRows {
  Kept()
      : ServedRows(
            {WithBounds("newest", kNewest, 1), WithBounds("counts", kCounts, 2),
             WithBounds("draws", "SELECT COUNTIF(RAND() < 2) AS n FROM `cloudflare.logs.prod`", 3),
             WithBounds("clock", "SELECT CURRENT_TIMESTAMP() AS now, COUNT(*) AS n FROM `cloudflare.logs.prod`", 4),
             WithBounds("all", "SELECT COUNT(*) AS n FROM `cloudflare.logs.prod`", 5),
             InClickHouseSql(
                 WithBounds("newest.otel",
                            "SELECT id, timestamp, event_message FROM logs WHERE source = 'edge_logs' AND project = "
                            "{project:String} AND timestamp > {start:DateTime64(6)} ORDER BY timestamp DESC LIMIT 2",
                            6))}) {}

  QueryAnswer Run(const std::string& endpoint, ParameterTexts parameters = {}, bool no_store = false) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = std::move(parameters);
    request.no_store = no_store;
    const auto answer = service->Run(request);
    INFO(answer.status().ToString());
    REQUIRE(answer.ok());
    return *answer;
  }
  QueryAnswer Bounded(const std::string& endpoint, const std::string& start, const std::string& end = "",
                      const std::string& project = "abc") {
    const std::string day = "2026-03-04T";
    return Run(endpoint, {{"project", project},
                          {"start", base::StrCat(day, start, "Z")},
                          {"end", end.empty() ? "" : base::StrCat(day, end, "Z")}});
  }
  void Append(const std::string& project, const std::string& time, const std::string& more = "") {
    const std::string row = base::StrCat(R"({"timestamp":"2026-03-04T)", time, R"(Z","id":"new)", ++appended_,
                                         R"(","project":")", project, "\"", more, "}");
    const auto report = backend->store().Append({.table = "edge_logs", .rows = {row}});
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }
  void AppendMany(const std::string& project, int count) {
    std::vector<std::string> rows;
    for (int i = 0; i < count; ++i) {
      rows.push_back(base::StrCat("{\"timestamp\":", 1'772'582'400'000'000 + i, ",\"id\":\"many", i,
                                  "\",\"project\":\"", project, "\"}"));
    }
    const auto report = backend->store().Append({.table = "edge_logs", .rows = {rows.begin(), rows.end()}});
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }

 private:
  int appended_ = 0;
};

bool IsCurrent(const QueryAnswer& answer) { return answer.cache == CacheUse::kCurrent; }

TEST_CASE("an answer of an endpoint without caching is kept as long as no row of its project comes") {
  Kept f;
  const QueryAnswer first = f.Bounded("newest", "00:00:00");
  CHECK((first.cache == CacheUse::kNone));
  CHECK(first.rows == 2);
  const QueryAnswer again = f.Bounded("newest", "00:00:00");
  CHECK(IsCurrent(again));
  CHECK(again.body == first.body);
  CHECK(again.digest == first.digest);
  CHECK(again.receipt == first.receipt);
  CHECK(again.rows == 2);
  CHECK(again.age == absl::ZeroDuration());
  CHECK(again.execute_time == absl::ZeroDuration());
  f.Append("xyz", "05:00:05");
  CHECK(f.Bounded("newest", "00:00:00").body == first.body);
  CHECK(IsCurrent(f.Bounded("newest", "00:00:00")));
  f.Append("abc", "05:00:05");
  const QueryAnswer after = f.Bounded("newest", "00:00:00");
  CHECK_FALSE(IsCurrent(after));
  CHECK(after.body.find("new2") != std::string::npos);
  CHECK(IsCurrent(f.Bounded("newest", "00:00:00")));
}

TEST_CASE("a call that got a kept answer finds it again without a run, until a row comes") {
  Kept f;
  QueryRequest request;
  request.endpoint = "newest";
  request.parameters = {{"project", "abc"}, {"start", "2026-03-04T00:00:00Z"}, {"end", ""}};
  const auto find = [&] { return f.service->FindCached(f.service->Find(Principal(), "newest").value(), request); };
  const std::string body = f.Bounded("newest", "00:00:00").body;
  CHECK_FALSE(find());  // nobody got it so far
  const QueryAnswer run = f.Bounded("newest", "00:00:00");
  REQUIRE(IsCurrent(run));
  const std::optional<QueryAnswer> found = find();
  REQUIRE(found.has_value());
  CHECK(IsCurrent(*found));
  CHECK(found->body == body);
  CHECK(found->receipt == run.receipt);
  CHECK(found->digest == run.digest);
  f.Append("xyz", "05:00:05");
  CHECK(find().has_value());
  request.parameters[0].second = "xyz";
  CHECK_FALSE(find());
  request.parameters[0].second = "abc";
  f.Append("abc", "05:00:05");
  CHECK_FALSE(find());
  CHECK(f.Bounded("newest", "00:00:00").body != body);
  CHECK(IsCurrent(f.Bounded("newest", "00:00:00")));
  CHECK(find()->body != body);
  f.service->ForgetAnswers();
  CHECK_FALSE(find());
}

TEST_CASE("rows of all projects count where a query reads all projects") {
  Kept f;
  const std::string before = f.Run("all").body;
  CHECK(IsCurrent(f.Run("all")));
  f.Append("somebody", "05:00:05");
  const QueryAnswer after = f.Run("all");
  CHECK_FALSE(IsCurrent(after));
  CHECK(after.body != before);
}

TEST_CASE("a lower bound may move over rows that a full page of the newest does not show") {
  Kept f;
  f.Append("abc", "05:00:03");
  const QueryAnswer first = f.Bounded("newest", "04:00:00");  // the rows at :01 and :03
  CHECK(first.rows == 2);
  for (const char* start : {"04:30:00", "05:00:00", "03:00:00", "05:00:00.999999"}) {
    const QueryAnswer again = f.Bounded("newest", start);
    CHECK(IsCurrent(again));
    CHECK(again.body == first.body);
  }
  const QueryAnswer fewer = f.Bounded("newest", "05:00:01");
  CHECK_FALSE(IsCurrent(fewer));
  CHECK(fewer.rows == 1);
}

TEST_CASE("a bound may move where there are no rows, in either direction, and not over one") {
  Kept f;
  const std::string two = f.Bounded("counts", "04:00:00").body;
  for (const char* start : {"04:10:00", "04:59:59.999999", "04:00:00", "02:00:00"}) {
    const QueryAnswer again = f.Bounded("counts", start);
    CAPTURE(start);
    CHECK(IsCurrent(again));
    CHECK(again.body == two);
  }
  const QueryAnswer one = f.Bounded("counts", "05:00:00");
  CHECK_FALSE(IsCurrent(one));
  CHECK(one.body != two);
  const QueryAnswer back = f.Bounded("counts", "04:00:00");
  CHECK_FALSE(IsCurrent(back));
  CHECK(back.body == two);
}

TEST_CASE("a row that is dated in the future enters when the upper bound reaches it, without a change of rows") {
  Kept f;
  f.Append("abc", "06:00:00");
  const std::string two = f.Bounded("counts", "04:00:00", "05:10:00").body;
  CHECK(IsCurrent(f.Bounded("counts", "04:00:00", "05:10:01")));
  CHECK(IsCurrent(f.Bounded("counts", "04:00:00", "05:59:59.999999")));
  const QueryAnswer three = f.Bounded("counts", "04:00:00", "06:00:00");
  CHECK_FALSE(IsCurrent(three));
  CHECK(three.body != two);
  CHECK(IsCurrent(f.Bounded("counts", "04:00:00", "06:30:00")));
  // A clock that goes back.
  const QueryAnswer back = f.Bounded("counts", "04:00:00", "05:10:00");
  CHECK_FALSE(IsCurrent(back));
  CHECK(back.body == two);
}

TEST_CASE("an absent bound and one that is given have answers of their own") {
  Kept f;
  f.Append("abc", "06:00:00");
  const std::string three = f.Bounded("counts", "04:00:00").body;
  const QueryAnswer two = f.Bounded("counts", "04:00:00", "05:10:00");
  CHECK_FALSE(IsCurrent(two));
  CHECK(two.body != three);
  CHECK(f.Run("counts", {{"project", "abc"}, {"start", ""}}).body != three);
}

TEST_CASE("nothing is kept of a query that draws lots or shows the time of the call") {
  Kept f;
  for (const char* endpoint : {"draws", "clock"}) {
    f.Run(endpoint);
    CHECK_FALSE(IsCurrent(f.Run(endpoint)));
  }
}

TEST_CASE("a change of the rows' order or columns ends the kept answers") {
  Kept f;
  const std::string before = f.Bounded("newest", "00:00:00").body;
  const auto ends = [&](const char* what, const auto& change) {
    CAPTURE(what);
    CHECK(IsCurrent(f.Bounded("newest", "00:00:00")));
    change();
    const QueryAnswer after = f.Bounded("newest", "00:00:00");
    CHECK_FALSE(IsCurrent(after));
    CHECK(after.body == before);
  };
  ends("a learned field", [&] { f.Append("xyz", "05:00:05", R"(,"metadata":{"new_field":1})"); });
  ends("a field that is forgotten", [&] {
    const auto forgot = ForgetFields(*f.backend, {.table = "cloudflare.logs.prod", .field = "metadata.new_field"});
    INFO(forgot.status().ToString());
    REQUIRE(forgot.ok());
  });
  f.AppendMany("xyz", 31'000);  // a day with fewer rows is not clustered
  f.Bounded("newest", "00:00:00");
  ends("clustering", [&] {
    const auto report = f.backend->store().Cluster({.now = f.clock.Now() + absl::Hours(100)});
    INFO(report.status().ToString());
    REQUIRE(report.ok());
    CHECK(report->rows > 0);
  });
  ends("erasure of another project", [&] { REQUIRE(f.backend->store().Erase({.project = "xyz"}).ok()); });
  f.service->ForgetAnswers();
  CHECK_FALSE(IsCurrent(f.Bounded("newest", "00:00:00")));
}

TEST_CASE("an expired answer of the cache, whose rows are the same, is kept and not computed again") {
  Kept f;
  f.source.endpoints[4].caching = absl::Seconds(60);
  ++f.source.revision;
  REQUIRE(f.service->Reload().ok());
  CHECK((f.Run("all").cache == CacheUse::kMiss));
  CHECK((f.Run("all").cache == CacheUse::kHit));
  f.clock.Advance(absl::Seconds(61));
  const QueryAnswer current = f.Run("all");
  CHECK(IsCurrent(current));
  CHECK(current.age == absl::ZeroDuration());
  CHECK((f.Run("all").cache == CacheUse::kHit));
  f.Append("abc", "05:00:05");
  CHECK((f.Run("all").cache == CacheUse::kHit));  // as old as it may be
  f.clock.Advance(absl::Seconds(61));
  CHECK((f.Run("all").cache == CacheUse::kMiss));
}

TEST_CASE("a token of one project shares no answer with others") {
  Kept f;
  const std::string all = f.Run("all").body;
  f.authenticator.principal.project_scope = "xyz";
  const QueryAnswer three = f.Run("all");
  CHECK_FALSE(IsCurrent(three));
  CHECK(three.body != all);
  CHECK(IsCurrent(f.Run("all")));
  f.authenticator.principal.project_scope = "abc";
  const QueryAnswer two = f.Run("all");
  CHECK_FALSE(IsCurrent(two));
  CHECK(two.body != three.body);
  f.Append("xyz", "05:00:05");
  CHECK(IsCurrent(f.Run("all")));
  f.authenticator.principal.project_scope = "xyz";
  CHECK_FALSE(IsCurrent(f.Run("all")));
}

TEST_CASE("a call that asks for no store neither gets a kept answer nor leaves one") {
  Kept f;
  f.authenticator.principal.may_bypass_cache = true;
  f.Run("all", {}, /*no_store=*/true);
  CHECK_FALSE(IsCurrent(f.Run("all")));
  CHECK_FALSE(IsCurrent(f.Run("all", {}, /*no_store=*/true)));
  CHECK(IsCurrent(f.Run("all")));
}

TEST_CASE("new rows at hand are merged with the kept ones without a query") {
  Kept f;
  Faulty counting(f.backend.get(), Fault::kNone);
  QueryServiceOptions options;
  options.backend = &counting;
  options.clock = &f.clock;
  options.authenticator = &f.authenticator;
  options.endpoints = {};
  options.source = &f.source;
  options.warming_threads = 0;
  auto service = QueryService::Create(options);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  f.service = *std::move(service);
  const auto newest = [&] {
    const QueryAnswer answer = f.Bounded("newest", "00:00:00");
    CHECK(answer.rows == 2);
    return answer;
  };
  newest();
  f.Append("abc", "05:00:05");
  newest();  // asks for rows at hand, which are kept from now on
  CHECK(counting.reads == 0);
  const int64_t queries = counting.queries;
  f.Append("abc", "05:00:06");
  const std::string two = newest().body;
  CHECK(counting.reads == 1);
  CHECK(two.find("new2") < two.find("new1"));
  f.Append("xyz", "05:00:07");
  CHECK(IsCurrent(newest()));
  f.Append("abc", "05:00:01");  // too late to be one of the two
  const QueryAnswer late = newest();
  CHECK_FALSE(IsCurrent(late));
  CHECK(late.body == two);
  CHECK(counting.reads == 2);
  CHECK(counting.queries == queries);
  f.Append("abc", "05:00:05.5");
  const std::string between = newest().body;
  CHECK(between.find("new2") < between.find("new5"));
  CHECK(counting.queries == queries);
  counting.has_rows_at_hand = false;
  f.Append("abc", "05:00:08");
  CHECK(newest().body.find("new6") != std::string::npos);
  CHECK(counting.queries == queries + 1);
}

// Counts the queries that ran over new rows alone.
class NewRowsRuns : public ServiceObserver {
 public:
  void OnQueryStart(const QueryEvent& event) noexcept override {
    if (event.variant.find('+') != std::string_view::npos) ++count;
  }
  int count = 0;
};

TEST_CASE("new rows are merged with the kept ones of a query in ClickHouse SQL") {
  Kept f;
  NewRowsRuns runs;
  QueryServiceOptions options = f.Options();
  options.observer = &runs;
  f.Serve(std::move(options));
  f.Bounded("newest.otel", "00:00:00");
  f.Append("xyz", "05:00:05");
  CHECK(IsCurrent(f.Bounded("newest.otel", "00:00:00")));
  f.Append("abc", "05:00:06", R"(,"event_message":"a")");
  CHECK(f.Bounded("newest.otel", "00:00:00")
            .body.text()
            .find(R"([{"id":"new2","timestamp":"2026-03-04T05:00:06.000000","event_message":"a"},)") !=
        std::string::npos);
  CHECK(runs.count == 1);
  // A full page has a link to the next one.
  CHECK_FALSE(f.Bounded("newest.otel", "00:00:00").next_cursor.empty());
}

}  // namespace
}  // namespace logquery
