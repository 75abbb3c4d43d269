// Queries over learned fields, from a caller's SQL to rows: they read as declared ones do, wherever they stand.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "logquery/query_service.h"
#include "logquery/store/learned_fields.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

struct Service {
  Service() : backend(OpenFolder(folder / "data")) {
    Endpoint endpoint;
    endpoint.id = "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d02";
    endpoint.name = "all";
    endpoint.query = "WITH logs AS (SELECT t.* FROM `test.logs` AS t) SELECT id, metadata FROM logs ORDER BY id";
    endpoint.query_sandboxing = true;
    QueryServiceOptions options;
    options.backend = backend.get();
    options.endpoints = {endpoint};
    auto made = QueryService::Create(options);
    REQUIRE(made.ok());
    service = *std::move(made);
  }

  void Take(const std::string& lines) {
    Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / std::to_string(++files), lines)}});
  }
  // The body's rows; an error's message in their place.
  std::string Run(const std::string& sql = "", bool redact = false) const {
    QueryRequest request;
    request.endpoint = "all";
    if (!sql.empty()) request.parameters = {{"sql", sql}};
    request.redact_pii = redact;
    const auto answer = service->Run(request);
    if (!answer.ok()) return std::string(answer.status().message());
    constexpr size_t kBefore = sizeof("{\"result\":") - 1;
    return answer->body.substr(kBefore, answer->body.size() - kBefore - 1);
  }

  TemporaryFolder folder;
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<QueryService> service;
  int files = 0;
};

// Rows of which one has learned fields at every level, one a learned record of NULLs, one nothing but a learned field, one
// none at all.
std::string Rows() {
  return Row(R"("id":"1","tier":"FREE","metadata":[{"level":"info","request":[{"path":"/a","colo":"FRA","cf":{"asn":1}}],)"
             R"("extra":{"n":1.5,"tags":["x","1.2.3.4"]}}])") +
         "\n" + Row(R"("id":"2","metadata":{"request":{"colo":"LHR"},"extra":{"n":null}})") + "\n" +
         Row(R"("id":"3","metadata":{"extra":{"n":2}})") + "\n" + Row(R"("id":"4")") + "\n";
}

TEST_CASE("a record is shown with its learned fields among the declared ones") {
  Service at;
  at.Take(Rows());
  const std::string first =
      R"({"id":"1","metadata":[{"request":[{"path":"/a","status":null,"list":[],"cf":[{"asn":1}],"colo":"FRA"}],)"
      R"("level":"info","extra":[{"n":1.5,"tags":["x","1.2.3.4"]}]}]})";
  const std::string third = R"({"id":"3","metadata":[{"request":[],"level":null,"extra":[{"n":2.0,"tags":[]}]}]})";
  const std::string all = at.Run();
  INFO(all);
  CHECK(all.find(first) != std::string::npos);
  CHECK(all.find(R"({"id":"2","metadata":[{"request":[{"path":null,"status":null,"list":[],"cf":[],"colo":"LHR"}],)"
                 R"("level":null,"extra":[{"n":null,"tags":[]}]}]})") != std::string::npos);
  CHECK(all.find(R"({"id":"4","metadata":[]})") != std::string::npos);
  CHECK(at.Run("select metadata from logs where id = '3'").find(R"("extra":[{"n":2)") != std::string::npos);
}

TEST_CASE("learned fields are read wherever declared ones are") {
  Service at;
  at.Take(Rows());
  struct Case {
    const char* sql;
    const char* rows;
  };
  const Case cases[] = {
      {"select tier from logs where id = '1'", R"([{"tier":"FREE"}])"},
      {"select r.colo from logs cross join unnest(metadata) as m cross join unnest(m.request) as r order by colo",
       R"([{"colo":"FRA"},{"colo":"LHR"}])"},
      {"select id, r.colo, r.path from logs left join unnest(metadata) as m left join unnest(m.request) as r "
       "where r.colo = 'LHR' or r.path = '/a' order by id",
       R"([{"id":"1","colo":"FRA","path":"/a"},{"id":"2","colo":"LHR","path":null}])"},
      {"select count(*) as n from logs cross join unnest(metadata) as m cross join unnest(m.extra) as e",
       R"([{"n":3}])"},
      {"select count(*) as n from logs cross join unnest(metadata) as m where not exists(select 1 from "
       "unnest(m.extra))",
       R"([{"n":0}])"},
      {"select sum(e.n) as s from logs cross join unnest(metadata) as m cross join unnest(m.extra) as e",
       R"([{"s":3.5}])"},
      {"select t from logs cross join unnest(metadata) as m cross join unnest(m.extra) as e cross join "
       "unnest(e.tags) as t order by t",
       R"([{"t":"1.2.3.4"},{"t":"x"}])"},
      {"select metadata[offset(0)].request[safe_offset(0)].cf[safe_offset(0)].asn as asn from logs where id = '1'",
       R"([{"asn":1}])"},
      {"select array_length(metadata) as n, count(*) as c from logs group by n order by n",
       R"([{"n":0,"c":1},{"n":1,"c":3}])"},
      // Records that are passed on whole before a field is read of them.
      {"with a as (select id, metadata as md from logs), b as (select * from a union all select * from a) select "
       "count(*) as c, max(e.n) as n from b cross join unnest(md) as m cross join unnest(m.extra) as e",
       R"([{"c":6,"n":2.0}])"},
      {"select m.request from logs cross join unnest(metadata) as m where id = '2'",
       R"([{"request":[{"path":null,"status":null,"list":[],"cf":[],"colo":"LHR"}]}])"},
      {"select e from logs cross join unnest(metadata) as m cross join unnest(m.extra) as e where id = '3'",
       R"([{"e":{"n":2.0,"tags":[]}}])"},
      {"select to_json_string(m.extra) as j from logs cross join unnest(metadata) as m where id = '3'",
       R"([{"j":"[{\"n\":2,\"tags\":null}]"}])"},
      {"select (select count(*) from unnest(metadata) as m where m.level is null) as n from logs where id = '3'",
       R"([{"n":1}])"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    CHECK(at.Run(c.sql) == c.rows);
  }
  CHECK(at.Run("select t from logs cross join unnest(metadata) as m cross join unnest(m.extra) as e cross join "
               "unnest(e.tags) as t where t != 'x'",
               /*redact=*/true) == R"([{"t":"REDACTED"}])");
}

TEST_CASE("names with quotes, dots and keywords are read by their names") {
  Service at;
  at.Take(Row(R"("id":"1","metadata":{"a.b":1,"a":{"b":2},"sel\"ect":3,"from":4,"x`y":5})") + "\n");
  CHECK(
      at.Run(
          "select m.`a.b` as d, a.b as p, m.`sel\"ect` as q, m.`from` as f from logs cross join unnest(metadata) as m "
          "cross join unnest(m.a) as a") == R"([{"d":1,"p":2,"q":3,"f":4}])");
  CHECK(at.Run("select to_json_string(m) as j from logs cross join unnest(metadata) as m").find("x`y") !=
        std::string::npos);
}

TEST_CASE("calls after a load see its learned fields, and earlier plans are made again") {
  Service at;
  const std::string sql =
      "select sum(cast(m.n as float64)) as s, count(m.n) as c from logs cross join unnest(metadata) as m";
  CHECK(at.Run(sql).find("n") != std::string::npos);  // there is no such field
  at.Take(Row(R"("metadata":{"n":1})") + "\n");
  CHECK(at.Run(sql) == R"([{"s":1.0,"c":1}])");
  at.Take(Row(R"("metadata":{"n":1.5})") + "\n" + Row(R"("metadata":{"n":2})") + "\n");
  CHECK(at.Run(sql) == R"([{"s":3.0,"c":2}])");  // 1.5 is kept beside the column
}

TEST_CASE("a definition that the tables no longer fit takes only itself down, until they fit again") {
  Service at;
  at.Take(Row(R"("id":"1","metadata":{"n":1})") + "\n");
  Endpoint reads;
  reads.id = "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d03";
  reads.name = "reads";
  reads.query = "SELECT m.n FROM `test.logs` AS t CROSS JOIN UNNEST(t.metadata) AS m";
  Endpoint other = reads;
  other.id = "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d04";
  other.name = "other";
  other.query = "SELECT count(*) AS c FROM `test.logs` AS t";
  QueryServiceOptions options;
  options.backend = at.backend.get();
  options.endpoints = {reads, other};
  const auto service = QueryService::Create(options);
  REQUIRE(service.ok());
  const auto run = [&](const char* endpoint) {
    QueryRequest request;
    request.endpoint = endpoint;
    return (*service)->Run(request);
  };
  CHECK(run("reads")->body == R"({"result":[{"n":1}]})");
  REQUIRE(ForgetFields(*at.backend, {.table = "test_logs", .field = "metadata.n"}).ok());
  const absl::Status gone = run("reads").status();
  CHECK(absl::IsUnavailable(gone));
  INFO(gone.message());
  CHECK(absl::StrContains(gone.message(), "can't be planned for the tables as they are: endpoint reads: "));
  CHECK(run("other")->body == R"({"result":[{"c":1}]})");
  at.Take(Row(R"("id":"2","metadata":{"n":"x"})") + "\n");
  CHECK(absl::StrContains(run("reads")->body.text(), R"({"n":"x"})"));
  // A definition that no table fits is wrong, and a service with it does not start.
  options.endpoints[0].query = "SELECT t.nowhere FROM `test.logs` AS t";
  CHECK(absl::IsInvalidArgument(QueryService::Create(options).status()));
}

TEST_CASE("while fields are being learned, each query sees one consistent schema") {
  Service at;
  at.Take(Row(R"("id":"0","metadata":{"n":1})") + "\n");
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::atomic<int> asked{0};
  std::string example;
  std::thread asks([&] {
    while (!stop) {
      const std::string rows =
          at.Run("select count(*) = count(m.n) as same from logs cross join unnest(metadata) as m");
      if (rows != R"([{"same":true}])" && wrong++ == 0) example = rows;
      ++asked;
    }
  });
  const char* const values[] = {"2", "-2", "0", "2000000"};
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    at.Take(Row("\"id\":\"" + number + "\",\"metadata\":{\"n\":" + values[i / 10] + ",\"f" + number + "\":1}") + "\n");
  }
  while (asked == 0) std::this_thread::yield();
  stop = true;
  asks.join();
  INFO(example);
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace logquery::store
