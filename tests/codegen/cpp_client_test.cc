// The generated C++ client, as the build makes it of the built-in definitions and those of tests/testdata/codegen, against a real
// server over a socket, and against answers that no server of ours gives.
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <string>
#include <type_traits>

#include "codegen/logquery_client.h"
#include "tests/codegen/client_server.h"
#include "tests/codegen/http_transport.h"
#include "tests/support/end_of_run.h"

namespace logquery::codegen_tests {
namespace {

using namespace std::chrono_literals;
using logquery_client::CallOptions;
using logquery_client::Client;
using logquery_client::Date;
using logquery_client::Request;
using logquery_client::Response;
using logquery_client::Timestamp;

// One for all cases.
const ClientServer& Server() {
  static ClientServer* const server = [] {
    auto* const made = new ClientServer();
    testing::AtEnd([made] { delete made; });
    return made;
  }();
  return *server;
}

Client TestClient() { return Client(HttpTransport(Server().port()), Server().token()); }

constexpr Timestamp kServedNow = std::chrono::sys_days(Date(2026y, std::chrono::March, 4d)) + 5h + 45min;

template <typename Row>
const logquery_client::Answer<Row>& Answered(const logquery_client::Result<Row>& result) {
  INFO(result.error().status << " " << result.error().message);
  REQUIRE(result.ok());
  return *result;
}

TEST_CASE("the generated C++ client gets typed rows of the built-in endpoints from a real server") {
  const Client client = TestClient();
  const auto logs = client.LogsAll({.project = "abc", .project_tier = "FREE"});
  const auto& newest = Answered(logs).rows.at(0);
  CHECK(newest.id == "request-1000");
  CHECK(newest.timestamp == kServedNow - 1s);
  REQUIRE(newest.metadata.size() == 1);
  REQUIRE(newest.metadata[0].request.size() == 1);
  CHECK(newest.metadata[0].request[0].method == "GET");
  CHECK_FALSE(newest.metadata[0].request[0].search.has_value());
  CHECK(newest.metadata[0].response.empty());
  CHECK_FALSE(logs->outdated);
  CHECK(logs->revision.size() == 16);

  const auto counts =
      client.UsageApiCounts({.interval = logquery_client::UsageApiCountsInterval::kDaily, .project = "abc\\.example"});
  REQUIRE(Answered(counts).rows.size() == 1);
  CHECK(counts->rows[0].timestamp == "2026-03-04T00:00:00");
  CHECK(counts->rows[0].total_rest_requests == kRequests);
  CHECK(counts->rows[0].total_auth_requests == 0);

  const auto stats = client.FunctionsInvocationStats({.interval = "1hr", .project = "abc"});
  int64_t calls = 0;
  for (const auto& row : Answered(stats).rows) {
    calls += row.count.value();
    if (row.count == 0) {
      CHECK_FALSE(row.avg_execution_time.has_value());
    } else {
      CHECK(row.avg_execution_time == 12.0);
      CHECK(row.error_count == 1);
    }
  }
  CHECK(calls == 1);
}

TEST_CASE("parameters of each type reach the server as they were meant, and columns of each type come back") {
  using logquery_client::TypesEchoKind;
  using logquery_client::TypesEchoKinds;
  const Timestamp at = kServedNow + 123'456us;
  const auto result = TestClient().TypesEcho({.kind = TypesEchoKind::kAb_2,
                                              .kinds = {{TypesEchoKinds::kDaily, TypesEchoKinds::kHourly}},
                                              .at = at,
                                              .times = {{at, Timestamp(-1us)}},
                                              .day = Date(1999y, std::chrono::December, 31d),
                                              .ratio = 0.1,
                                              .switched_on = false,
                                              .count = INT64_MIN,
                                              .level = logquery_client::TypesEchoLevel::k30,
                                              .numbers = std::vector<int64_t>(),
                                              .texts = {{"a,b", "\"quoted\" \\ [", "é&=+%\n\x01", ""}},
                                              .url = "^/a+$"});
  REQUIRE(Answered(result).rows.size() == 1);
  const logquery_client::TypesEchoRow& row = result->rows[0];
  CHECK(row.kind == "a b");
  CHECK(row.kinds == std::vector<std::optional<std::string>>{"daily", "hourly"});
  CHECK(row.at == at);
  CHECK(row.times == std::vector<std::optional<Timestamp>>{at, Timestamp(-1us)});
  CHECK(row.day == Date(1999y, std::chrono::December, 31d));
  CHECK(row.ratio == 0.1);
  CHECK(row.switched_on == false);
  CHECK(row.count == INT64_MIN);
  CHECK(row.level == 30);
  CHECK(row.numbers.empty());
  CHECK(row.texts == std::vector<std::optional<std::string>>{"a,b", "\"quoted\" \\ [", "é&=+%\n\x01", ""});
  CHECK(row.url == "^/a+$");
  CHECK(row.big == 9'007'199'254'740'993);
  CHECK(row.price == "12.5");
  CHECK(row.huge == "1" + std::string(38, '0'));
  CHECK(row.raw == "AP8=");
  CHECK(row.local_time == "2026-01-31T08:00:00");
  CHECK(row.clock == "08:30:00");
  CHECK(row.document == logquery_client::Json::parse(R"({"a":[1]})"));
  CHECK(row.pair->x == 1);
  CHECK(row.pair->inner_pair->y == "deep");
  REQUIRE(row.pairs.size() == 2);
  CHECK(row.pairs[1]->x == 2);
  CHECK(std::isnan(row.not_a_number.value()));
  CHECK(row.least == -std::numeric_limits<double>::infinity());
  CHECK_FALSE(row.nothing.has_value());
  CHECK(row.before_epoch == Timestamp(-1us));
  SECTION("what is left out is NULL or its default") {
    const auto bare = TestClient().TypesEcho({.kind = TypesEchoKind::k5min, .at = at, .texts = {{"x"}}});
    REQUIRE(Answered(bare).rows.size() == 1);
    CHECK(bare->rows[0].ratio == 0.5);
    CHECK(bare->rows[0].url == "/rest/.*");
    CHECK(bare->rows[0].kinds.empty());
    CHECK_FALSE(bare->rows[0].day.has_value());
    CHECK_FALSE(bare->rows[0].count.has_value());
  }
  SECTION("an endpoint that reads another one has its parameters") {
    const auto read =
        TestClient().ReadsEcho({.kind = logquery_client::ReadsEchoKind::kValue, .at = at, .texts = {{"x"}}});
    REQUIRE(Answered(read).rows.size() == 1);
    CHECK(read->rows[0].kind == "<=");
  }
}

TEST_CASE("a page's cursor leads to the next page's rows, and the last page has none") {
  const Client client = TestClient();
  const auto first = client.LogsAll({.project = "abc"});
  REQUIRE(Answered(first).rows.size() == 100);
  REQUIRE_FALSE(first->next_cursor.empty());
  const auto second = client.LogsAll({.project = "abc"}, {.cursor = first->next_cursor});
  REQUIRE(Answered(second).rows.size() == kRequests - 100);
  CHECK(second->rows[0].id == "request-1100");
  CHECK(second->next_cursor.empty());
}

TEST_CASE("rows of a caller's SQL are JSON objects, and SQL too long for a URL arrives whole") {
  const std::string sql = "select count(*) as n, 'a%b+c' as t from edge_logs";
  const auto result = TestClient().LogsAllSql({.project = "abc"}, sql);
  REQUIRE(Answered(result).rows.size() == 1);
  CHECK(result->rows[0] == logquery_client::Json{{"n", kRequests}, {"t", "a%b+c"}});
  const auto longer = TestClient().LogsAllSql({.project = "abc"}, sql + " -- \"\\" + std::string(20'000, 'x'));
  REQUIRE(Answered(longer).rows.size() == 1);
  CHECK(longer->rows == result->rows);
}

TEST_CASE("names that no language takes are called by others, and reach the server as they are") {
  const Client client = TestClient();
  const auto result =
      client.ClassQuotedX({.class_ = "*/ \"", .Timestamp_ = 7, .to = logquery_client::ClassQuotedXTo::kValue_3});
  REQUIRE(Answered(result).rows.size() == 1);
  CHECK(result->rows[0].class_ == "*/ \"");
  CHECK(result->rows[0].Timestamp_ == 7);
  CHECK(result->rows[0].std_ == "*/");
  CHECK(result->rows[0].proto == 1);
  CHECK(result->rows[0].weird_name == 2);
  CHECK(result->rows[0].weird_name_2 == 3);
  CHECK(result->rows[0].namespace_->field_2 == 8);
  CHECK(result->rows[0].ClassQuotedXRowNamespace_ == 10);
  for (const auto& text : {client.Ab().ok(), client.Ab_2().ok(), client.ABRow().ok(), client.Endpoint().ok(),
                           client.Endpoint2fa().ok(), client.Client_2().ok(), client.Call_2().ok()}) {
    CHECK(text);
  }
}

TEST_CASE("a call that the server refuses gives the server's error") {
  const Client client = TestClient();
  const auto refused =
      client.UsageApiCounts({.interval = logquery_client::UsageApiCountsInterval::kHourly, .project = "("});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == 400);
  CHECK(refused.error().status == "INVALID_ARGUMENT");
  CHECK(refused.error().message.starts_with("parameter project is not a regular expression"));
  CHECK(refused.error().details["parameter"] == "project");
  const auto wrong_sql = client.LogsAllSql({.project = "abc"}, "select idd from edge_logs");
  REQUIRE_FALSE(wrong_sql.ok());
  CHECK(wrong_sql.error().details["line"] == 1);
  CHECK(wrong_sql.error().details["nearest"][0] == "id");
  const auto unknown = Client(HttpTransport(Server().port()), "lq_nobody").LogsAll({.project = "abc"});
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().code == 401);
  CHECK(unknown.error().status == "UNAUTHENTICATED");
}

TEST_CASE("a missing answer, and one that is not logquery's, are errors of the client") {
  const auto call = [](Response response) { return Client([&](const Request&) { return response; }, "t").Ab(); };
  CHECK(call({0, {}, "Connection refused"}).error().status == "UNAVAILABLE");
  CHECK(call({0, {}, "Connection refused"}).error().message == "Connection refused");
  for (const Response& response :
       {Response{502, {}, "<html>Bad gateway"}, Response{200, {}, "<html>"}, Response{200, {}, "[]"},
        Response{200, {}, R"({"result":{}})"}, Response{200, {}, R"({"result":[1]})"},
        Response{200, {}, R"({"result":[{"m":1}]})"}, Response{200, {}, R"({"result":[{"n":"1"}]})"},
        Response{200, {}, R"({"result":[{"n":1.5}]})"}, Response{200, {}, R"({"result":[{"n":18446744073709551615}]})"},
        Response{503, {}, R"({"error":"x"})"}, Response{200, {}, ""}}) {
    CAPTURE(response.status, response.body);
    const auto result = call(response);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().status == "UNREADABLE_ANSWER");
    CHECK(result.error().code == response.status);
  }
  CHECK(call({200, {}, R"({"result":[{"n":1},{"m":1}]})"}).error().message ==
        "row 2 of the answer does not have column n as this client expects it");
  const auto busy = call({429, {{"retry-after", "7"}}, R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED",
      "message":"later","errors":[{"reason":"resourcesExceeded"}]}})"});
  CHECK(busy.error().retry_after_seconds == 7);
  CHECK(busy.error().resources_exceeded);
  CHECK(busy.error().message == "later");
}

TEST_CASE("an answer of another revision says so, and additional columns do no harm") {
  const auto result = Client(
                          [](const Request&) {
                            return Response{200,
                                            {{"LOGQUERY-REVISION", "another"}, {"Logquery-Truncated", "true"}},
                                            R"({"result":[{"n":null,"more":{}}]})"};
                          },
                          "t")
                          .Ab();
  REQUIRE(result.ok());
  CHECK(result->outdated);
  CHECK(result->truncated);
  CHECK(result->revision == "another");
  CHECK_FALSE(result->rows[0].n.has_value());
}

TEST_CASE("a request carries the token in a header, and nothing that was not asked for") {
  Request sent;
  const Client client([&](const Request& request) { return sent = request, Response(); }, "secret");
  (void)client.LogsAll({.project = "a b&c", .project_tier = "é"});
  CHECK(sent.method == "GET");
  CHECK(sent.target == "/api/endpoints/query/logs.all?project=a%20b%26c&project_tier=%C3%A9");
  CHECK(sent.headers == logquery_client::Headers{{"X-API-KEY", "secret"}, {"Accept", "application/json"}});
  (void)client.LogsAll({.project = "a"}, {.cursor = "c", .redact_pii = true});
  CHECK(sent.target == "/api/endpoints/query/logs.all?project=a&cursor=c");
  CHECK(sent.headers.back() == std::pair<std::string, std::string>("LF-ENDPOINT-REDACT-PII", "true"));
  (void)client.LogsAllSql({.project = "a\"\t"}, std::string(8'000, 'x'));
  CHECK(sent.method == "POST");
  CHECK(sent.target == "/api/endpoints/query/logs.all");
  CHECK(logquery_client::Json::parse(sent.body) ==
        logquery_client::Json{{"project", "a\"\t"}, {"sql", std::string(8'000, 'x')}});
}

// A call cannot leave out what the endpoint requires.
static_assert(!std::is_default_constructible_v<logquery_client::UsageApiCountsParameters>);
static_assert(!std::is_default_constructible_v<logquery_client::LogsAllParameters>);
static_assert(!std::is_convertible_v<const char*, logquery_client::Required<logquery_client::UsageApiCountsInterval>>);
static_assert(std::is_same_v<decltype(logquery_client::LogsAllRow::timestamp), std::optional<Timestamp>>);
static_assert(
    std::is_same_v<decltype(logquery_client::UsageApiCountsRow::total_rest_requests), std::optional<int64_t>>);

}  // namespace
}  // namespace logquery::codegen_tests
