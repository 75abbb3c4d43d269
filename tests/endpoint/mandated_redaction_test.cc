// Redaction that an endpoint or a token mandates, over a real engine: no SQL of a caller's sees an address, whatever it does,
// and no query of an endpoint's own compares one with a caller's parameter.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_backend.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

constexpr char kSandboxId[] = "5f1b0c1e-58a5-4f0e-9a53-0c1d6f1b7a11";
// The addresses 10.20.30.40 and 2001:db8::42 as other texts and bytes that SQL could make of them.
constexpr const char* kTraces[] = {"10.20",  "20.30",    "04.03",    "2001:db8", "2001:DB8", "8bd:1002", "MTAuMj",
                                   "ChQeKA", "31302e32", "0a141e28", "20010db8", "0.30.40",  "169090600"};

class Anyone : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view) override { return principal; }
  Principal principal;
};

// An endpoint over rows of every shape that text has: a column, records in records, a list, JSON.
Endpoint Sandbox(bool redact) {
  Endpoint endpoint;
  endpoint.id = kSandboxId;
  endpoint.name = "sandbox";
  endpoint.query =
      "WITH edge AS (SELECT t.id, t.timestamp, t.event_message, t.metadata FROM `cloudflare.logs.prod` AS t "
      "ORDER BY t.timestamp DESC), auth AS (SELECT t.id, t.event_message, t.metadata FROM `gotrue.logs.prod` AS t), "
      "made AS (SELECT t.id, PARSE_JSON(CONCAT('{\"ip\":\"', t.event_message, '\",\"', t.event_message, '\":7}')) AS "
      "json, [t.event_message, 'x'] AS list, [STRUCT(t.event_message AS who, 1 AS n)] AS people FROM "
      "`cloudflare.logs.prod` AS t) "
      "SELECT id FROM edge";
  endpoint.query_sandboxing = true;
  endpoint.redact_pii = redact;
  return endpoint;
}

struct Logs {
  explicit Logs(Endpoint endpoint = Sandbox(true)) {
    fs::create_directories(folder);
    DuckDbOptions engine;
    engine.folder = (folder / "data").string();
    engine.memory_limit_bytes = 500'000'000;
    engine.threads = 2;
    auto opened = OpenDuckDb(engine);
    REQUIRE(opened.ok());
    backend = *std::move(opened);
    Load("edge_logs",
         R"("metadata":{"request":{"method":"GET","url":"https://10.20.30.40/a","path":"/from/10.20.30.40",)"
         R"("headers":{"cf_connecting_ip":"2001:db8::42"}},"response":{"status_code":200}})");
    Load("auth_logs", R"("metadata":{"msg":"2001:db8::42 in","args":["10.20.30.40"]})");
    QueryServiceOptions options;
    options.backend = backend.get();
    options.clock = &clock;
    options.authenticator = &authenticator;
    options.warming_threads = 0;
    options.endpoints = {std::move(endpoint)};
    auto created = QueryService::Create(options);
    REQUIRE(created.ok());
    service = *std::move(created);
  }
  ~Logs() {
    service = nullptr;
    backend = nullptr;
    fs::remove_all(folder);
  }
  void Load(const std::string& table, const std::string& metadata) {
    const std::string file = (folder / base::StrCat(table, ++files)).string();
    std::ofstream out(file);
    for (int i = 0; i < 3; ++i) {
      out << R"({"id":"id)" << i << R"(","timestamp":"2026-03-04T05:00:0)" << i
          << R"(Z","event_message":"10.20.30.40","project":"abc",)" << metadata << "}\n";
    }
    out.close();
    const auto report = backend->store().Load({.table = table, .files = {file}}, nullptr);
    CAPTURE(report.status().ToString());
    REQUIRE(report.ok());
  }
  absl::StatusOr<QueryAnswer> Run(const std::string& sql) {
    QueryRequest request;
    request.endpoint = "sandbox";
    request.parameters = {{"sql", sql}};
    return service->Run(request);
  }
  std::string Body(const std::string& sql) {
    const auto answer = Run(sql);
    return answer.ok() ? answer->body : answer.status().ToString();
  }

  static std::string NewName() {
    static int made = 0;
    return base::StrCat("logquery-redaction-", getpid(), "-", ++made);
  }

  const fs::path folder = fs::temp_directory_path() / NewName();
  const FixedClock clock{absl::FromUnixSeconds(1'772'600'700)};
  Anyone authenticator;
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<QueryService> service;
  int files = 0;
};

TEST_CASE("a caller's SQL sees REDACTED instead of addresses if redaction is mandated") {
  Logs logs;
  CHECK(logs.Body("select event_message from edge limit 1") == R"({"result":[{"event_message":"REDACTED"}]})");
  CHECK(logs.Body(
            "select r.url, r.path, h.cf_connecting_ip as ip, s.status_code from edge cross join unnest(metadata) as m "
            "cross join unnest(m.request) as r cross join unnest(r.headers) as h left join unnest(m.response) as s "
            "limit 1") ==
        R"({"result":[{"url":"https://REDACTED/a","path":"/from/REDACTED","ip":"REDACTED","status_code":200}]})");
  CHECK(logs.Body("select json, list, people from made limit 1") ==
        R"({"result":[{"json":{"REDACTED":7,"ip":"REDACTED"},"list":["REDACTED","x"],)"
        R"("people":[{"who":"REDACTED","n":1}]}]})");
  // Expressions see the same text: ten characters less.
  CHECK(logs.Body("select length(event_message) as n, max(id) as id from edge group by 1") ==
        R"({"result":[{"n":8,"id":"id2"}]})");
}

TEST_CASE("learned fields are redacted like declared ones, and no address becomes a field's name") {
  Logs logs;
  logs.Load("edge_logs", R"("metadata":{"client":{"ip":"10.20.30.40","seen":["2001:db8::42","x"],"10.20.30.40":"a"},)"
                         R"("ann@example.com":"b","request":{"via":"from 10.20.30.40"}})");
  const std::string edge = "from edge cross join unnest(metadata) as m cross join unnest(m.client) as c ";
  CHECK(logs.Body("select c.ip, c.seen, reverse(c.ip) as a, r.via " + edge +
                  "cross join unnest(m.request) as r limit 1") ==
        R"({"result":[{"ip":"REDACTED","seen":["REDACTED","x"],"a":"DETCADER","via":"from REDACTED"}]})");
  CHECK(logs.Body("select count(*) as n " + edge + "where c.ip like '10.%'") == R"({"result":[{"n":0}]})");
  const std::string whole = logs.Body("select metadata, to_json_string(metadata) as j from edge");
  CHECK(whole.find("REDACTED") != std::string::npos);
  CHECK(whole.find("client") != std::string::npos);
  for (const char* trace : kTraces) CHECK(whole.find(trace) == std::string::npos);
  CHECK(whole.find("ann@") == std::string::npos);
}

TEST_CASE("a token can mandate redaction for endpoints that do not") {
  Logs logs(Sandbox(false));
  CHECK(logs.Body("select reverse(event_message) as m from edge limit 1") == R"({"result":[{"m":"04.03.02.01"}]})");
  logs.authenticator.principal.redact_pii = true;
  CHECK(logs.Body("select reverse(event_message) as m from edge limit 1") == R"({"result":[{"m":"DETCADER"}]})");
}

// Each takes an address apart, or asks about it, in a way that redaction of rows would not see.
TEST_CASE("SQL cannot circumvent mandated redaction") {
  Logs logs;
  Logs open(Sandbox(false));
  const char* const escapes[] = {
      "select reverse(event_message) as a from edge",
      "select split(event_message, '.') as a from edge",
      "select split(event_message, '.')[offset(1)] as a, split(event_message, '.')[offset(2)] as b from edge",
      "select to_base64(cast(event_message as bytes)) as a from edge",
      "select to_hex(cast(event_message as bytes)) as a from edge",
      "select to_code_points(event_message) as a from edge",
      "select string_agg(chr(c + 1), '') as a from edge, unnest(to_code_points(event_message)) as c",
      "select net.ip_from_string(event_message) as a from edge",
      "select to_hex(net.safe_ip_from_string(event_message)) as a from edge",
      "select net.ipv4_to_int64(net.safe_ip_from_string(event_message)) as a from edge",
      "select substr(event_message, 1, 5) as a, substr(event_message, 6) as b from edge",
      "select replace(event_message, '.', '-') as a from edge",
      "select translate(event_message, '0123456789', 'abcdefghij') as a from edge",
      "select json_object('ip', reverse(event_message)) as a from edge",
      "select json_object(replace(event_message, '.', '_'), 1) as a from edge",  // names are to be literals
      "select json_object(list[offset(0)], 1) as a, reverse(list[offset(0)]) as b from made",
      "select json_keys(json) as a from made",
      "select to_code_points(json_keys(json)[offset(0)]) as a from made",
      "select replace(to_json_string(json), '.', '_') as a from made",
      "select replace(to_json_string(t), '.', '_') as a from edge as t",
      "select replace(to_json_string(metadata), ':', '_') as a from auth",
      "select reverse(p.who) as a from made, unnest(people) as p",
      "select reverse(x) as a from made, unnest(list) as x",
      "select reverse(x) as a from auth, unnest(metadata) as m, unnest(m.args) as x",
      "select reverse(m.msg) as a from auth, unnest(metadata) as m",
      "select regexp_extract(event_message, r'[0-9]+$') as a from edge",
      "select regexp_replace(event_message, r'([0-9])', r'\\1 ') as a from edge",
      "select md5(event_message) as a, md5('10.20.30.40') as b, event_message = '10.20.30.40' as same from edge",
      "select count(*) as n from edge where event_message like '10.2%'",
      "select count(*) as n from edge where starts_with(event_message, '10.')",
      "select count(*) as n from edge where event_message = '10.20.30.40'",
      "select count(*) as n from edge where event_message between '10' and '11'",
      "select count(*) as n from edge where event_message in ('10.20.30.40')",
      "select count(*) as n from (select event_message as m from edge) where m like '10.%'",
      "with mine as (select * from edge) select count(*) as n from mine where event_message like '%.40'",
      "select count(*) as n from edge as a join edge as b on a.event_message = b.event_message and b.event_message > "
      "'1' "
      "and b.event_message < '2'",
      "select count(*) as n from edge, unnest(metadata) as m, unnest(m.request) as r where r.url like '%10.20%'",
      "select count(*) as n from edge where exists (select 1 from unnest(metadata) as m, unnest(m.request) as r, "
      "unnest(r.headers) as h where h.cf_connecting_ip like '2001%')",
      "select count(*) as n from made where json_value(json, '$.ip') like '10.%'",
      "select count(*) as n from made where '10.20.30.40' in unnest(list)",
      "select countif(ascii(event_message) = 49) as n from edge",
      "select min(reverse(event_message)) as a, max(event_message) > '2' as b from edge",
      "select id from edge where safe_cast(replace(event_message, '.', '') as int64) > 0",
      "select cast(replace(event_message, '.', '') as int64) as a from edge",
      "from edge |> where event_message like '10%' |> aggregate count(*) as n",
      "select count(*) as n from edge where event_message like '10.%' union all select count(*) from auth where "
      "event_message like '10.%'",
  };
  int ran = 0;
  for (const char* sql : escapes) {
    CAPTURE(std::string(sql));
    const absl::StatusOr<QueryAnswer> redacted = logs.Run(sql);
    const std::string text = redacted.ok() ? redacted->body : redacted.status().ToString();
    // A statement that either engine refuses for its own sake shows nothing.
    CAPTURE(text);
    const absl::StatusOr<QueryAnswer> plain = open.Run(sql);
    if (plain.ok()) CHECK(text != plain->body);
    ran += plain.ok() ? 1 : 0;
    for (const char* trace : kTraces) {
      CAPTURE(trace);
      if (std::string_view(sql).find(trace) == std::string_view::npos) CHECK(text.find(trace) == std::string::npos);
    }
  }
  CHECK(ran > 35);
}

TEST_CASE("conditions on an address match no row") {
  Logs logs;
  for (const char* condition :
       {"event_message like '10.%'", "event_message = '10.20.30.40'", "regexp_contains(event_message, '[0-9]')",
        "reverse(event_message) like '04%'", "strpos(event_message, '.') > 0",
        "exists (select 1 from unnest(metadata) as m, unnest(m.request) as r where r.path like '%10.%')"}) {
    CAPTURE(condition);
    CHECK(logs.Body(base::StrCat("select count(*) as n from edge where ", condition)) == R"({"result":[{"n":0}]})");
  }
  CHECK(logs.Body("select count(*) as n from edge where event_message = 'REDACTED'") == R"({"result":[{"n":3}]})");
}

TEST_CASE("an error that depends on rows quotes only text that the caller may see") {
  Logs logs;
  const absl::Status status = logs.Run("select cast(event_message as int64) as a from edge").status();
  CHECK(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(base::Message(status).find("10.20") == std::string_view::npos);
  CHECK(base::Message(status).find("REDACTED") != std::string_view::npos);
}

TEST_CASE("the endpoint's own query compares a caller's parameter with redacted text") {
  QueryRequest request;
  request.endpoint = "sandbox";
  Endpoint endpoint = Sandbox(true);
  endpoint.query =
      "WITH edge AS (SELECT t.id, r.url, t.event_message FROM `cloudflare.logs.prod` AS t CROSS JOIN "
      "UNNEST(t.metadata) AS m "
      "CROSS JOIN UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.url, @pattern)) "
      "SELECT COUNT(*) AS n, COUNTIF(event_message = @message) AS same FROM edge";
  for (const char* name : {"pattern", "message"}) {
    Parameter& parameter = endpoint.parameters.emplace_back();
    parameter.name = name;
    parameter.type = Type::String();
  }
  Logs redacted(endpoint);
  endpoint.redact_pii = false;
  Logs open(endpoint);
  const auto body = [&request](Logs& from, const std::string& pattern, const std::string& message) {
    request.parameters = {{"pattern", pattern}, {"message", message}};
    return from.service->Run(request)->body;
  };
  CHECK(body(open, "10[.]20", "10.20.30.40") == R"({"result":[{"n":3,"same":3}]})");
  CHECK(body(redacted, "10[.]20", "10.20.30.40") == R"({"result":[{"n":0,"same":0}]})");
  CHECK(body(redacted, "https", "10.20.30.40") == R"({"result":[{"n":3,"same":0}]})");
  CHECK(body(redacted, "//REDACTED/a", "REDACTED") == R"({"result":[{"n":3,"same":3}]})");
  open.authenticator.principal.redact_pii = true;
  CHECK(body(open, "10[.]20", "10.20.30.40") == R"({"result":[{"n":0,"same":0}]})");
}

TEST_CASE("an equality with a value that redaction cannot produce reads the stored text, so that rows are skipped") {
  Logs logs;
  QueryRequest request;
  request.endpoint = "sandbox";
  const auto text = [&](const std::string& sql) {
    request.parameters = {{"sql", sql}};
    return (*logs.service->Prepare(request))->dialect_text();
  };
  CHECK(text("select timestamp from edge where event_message = 'abc'").find("lq_redact") == std::string::npos);
  CHECK(text("select timestamp from edge where event_message = '1.2.3.4'").find("lq_redact") != std::string::npos);
  CHECK(text("select timestamp from edge where event_message = 'REDACTED'").find("lq_redact") != std::string::npos);
  CHECK(text("select timestamp from edge where event_message < 'abc'").find("lq_redact") != std::string::npos);
}

TEST_CASE("only columns that are read are redacted") {
  Logs logs;
  QueryRequest request;
  request.endpoint = "sandbox";
  request.parameters = {{"sql", "select id, timestamp from edge"}};
  const auto prepared = logs.service->Prepare(request);
  REQUIRE(prepared.ok());
  const std::string& text = (*prepared)->dialect_text();
  CHECK(text.find("event_message") == std::string::npos);
  CHECK(text.find("metadata") == std::string::npos);
  size_t redactions = 0;
  for (size_t at = text.find("lq_redact("); at != std::string::npos; at = text.find("lq_redact(", at + 1)) ++redactions;
  CHECK(redactions == 1);  // of the id
}

TEST_CASE("an endpoint's own kinds hold for callers' SQL too") {
  Endpoint endpoint = Sandbox(true);
  endpoint.redaction.patterns = {"id[0-9]"};
  Logs logs(endpoint);
  CHECK(logs.Body("select reverse(id) as a from edge limit 1") == R"({"result":[{"a":"DETCADER"}]})");
}

TEST_CASE("there are no pages by cursor, because a stored id could be guessed letter by letter") {
  Endpoint endpoint = Sandbox(true);
  endpoint.query =
      "WITH edge AS (SELECT t.id, t.timestamp FROM `cloudflare.logs.prod` AS t) "
      "SELECT id, timestamp FROM edge ORDER BY timestamp DESC, id LIMIT 2";
  QueryRequest request;
  request.endpoint = "sandbox";
  std::string cursor;
  {
    Endpoint plain = endpoint;
    plain.redact_pii = false;
    cursor = Logs(plain).service->Run(request)->next_cursor;
    CHECK_FALSE(cursor.empty());
  }
  Logs logs(endpoint);
  const auto answer = logs.service->Run(request);
  REQUIRE(answer.ok());
  CHECK(answer->rows == 2);
  CHECK(answer->next_cursor.empty());
  request.parameters = {{"cursor", cursor}};
  CHECK(logs.service->Run(request).status().code() == absl::StatusCode::kPermissionDenied);
  request.parameters.emplace_back("sql", "select id, timestamp from edge order by timestamp desc, id limit 2");
  CHECK(logs.service->Run(request).status().code() == absl::StatusCode::kPermissionDenied);
}

TEST_CASE("a backend that can't redact runs no query over text where redaction is mandated") {
  const FixedClock clock(absl::FromUnixSeconds(1'772'600'700));
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  backend.SetCapabilities({});
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return testing::FakeBackend::Rows{}; });
  Anyone authenticator;
  QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  options.authenticator = &authenticator;
  options.warming_threads = 0;
  options.endpoints = {Sandbox(true)};
  auto service = QueryService::Create(options).value();
  QueryRequest request;
  request.endpoint = "sandbox";
  CHECK(
      service->Run(request).status() ==
      absl::PermissionDeniedError("this call must be redacted, and the backend can't redact text while a query runs"));
  request.parameters = {{"sql", "select id from edge"}};
  const absl::Status status = service->Run(request).status();
  CHECK(status.code() == absl::StatusCode::kPermissionDenied);
  CHECK(base::Message(status).find("the endpoint sandbox") != std::string_view::npos);
  CHECK(backend.calls().empty());
}

}  // namespace
}  // namespace logquery
