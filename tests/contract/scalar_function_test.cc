#include "logquery/scalar_function.h"

#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/emit/dialect.h"
#include "lib/engines/bigquery/dialect/fragments.h"
#include "lib/engines/clickhouse/dialect/clickhouse_dialect.h"
#include "lib/engines/postgres/dialect/postgres_dialect.h"
#include "lib/tools/translate.h"
#include "logquery/error.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/contract/program_functions.h"
#include "tests/store/folder_test_util.h"

namespace logquery::testing {
namespace {

constexpr int64_t kRows = 3'000;

// A folder whose edge_logs has rows with the ids r0, r1, …, stored and read again.
struct Stored {
  Stored() {
    std::vector<std::string> texts;
    for (int64_t i = 0; i < kRows; ++i) {
      texts.push_back("{\"id\":\"r" + std::to_string(i) +
                      "\",\"timestamp\":\"2026-01-31T08:00:00Z\",\"event_message\":" +
                      (i % 5 == 0 ? "null" : "\"message " + std::to_string(i) + "\"") + ",\"project\":\"" +
                      (i % 2 == 0 ? "p" : "q") + "\"}");
    }
    {
      const auto writer = OpenDuckDb({.folder = folder / "data"});
      REQUIRE(writer.ok());
      const auto report = (*writer)->store().Append({.table = "edge_logs", .rows = {texts.begin(), texts.end()}});
      INFO(report.status().ToString());
      REQUIRE(report.ok());
      REQUIRE(report->rejected_rows == 0);
    }
    auto reader = OpenDuckDb({.folder = folder / "data", .read_only = true});
    REQUIRE(reader.ok());
    backend = *std::move(reader);
  }

  std::unique_ptr<QueryService> Serve(std::string query, bool is_sandbox = false,
                                      absl::Duration time_limit = absl::Minutes(5)) const {
    Endpoint endpoint;
    endpoint.id = "0d6c3c1e-5f0b-4a67-9f3e-6b2f6f1f7d12";
    endpoint.name = "own";
    endpoint.query = std::move(query);
    endpoint.query_sandboxing = is_sandbox;
    endpoint.max_rows = 100'000;
    QueryServiceOptions options;
    options.backend = backend.get();
    options.endpoints = {endpoint};
    options.time_limit = time_limit;
    auto service = QueryService::Create(std::move(options));
    INFO(service.status().ToString());
    REQUIRE(service.ok());
    return *std::move(service);
  }

  store::TemporaryFolder folder;
  std::unique_ptr<DuckDbBackend> backend;
};

const Stored& TheRows() {
  static const Stored& stored = *new Stored;
  return stored;
}

absl::StatusOr<std::string> Ask(const QueryService& service, ParameterTexts parameters = {}, bool redact = false) {
  QueryRequest request;
  request.endpoint = "own";
  request.parameters = std::move(parameters);
  request.redact_pii = redact;
  auto answer = const_cast<QueryService&>(service).Run(request);
  if (!answer.ok()) return answer.status();
  return answer->body;
}

absl::Status ErrorOf(const std::string& query) { return Ask(*TheRows().Serve(query)).status(); }

TEST_CASE("a definition calls a program's function on stored rows") {
  REQUIRE(ProgramFunctionsStatus().ok());
  const auto service = TheRows().Serve(
      "SELECT contract_join(t.id, 1) AS a, contract_nulls(NULLIF(t.event_message, ''), 1) AS b FROM "
      "`cloudflare.logs.prod` AS t "
      "WHERE t.project = 'p' AND contract_join(t.id, 2) IN ('r10#2', 'r4#2', 'r5#2') ORDER BY t.id");
  const auto body = Ask(*service);
  INFO(body.status().ToString());
  REQUIRE(body.ok());
  CHECK(*body == R"({"result":[{"a":"r10#1","b":1},{"a":"r4#1","b":0}]})");
  const auto total =
      Ask(*TheRows().Serve("SELECT COUNT(DISTINCT contract_join(id, 1)) AS n, "
                           "COUNTIF(contract_join(NULLIF(event_message, ''), 1) IS NULL) AS missing "
                           "FROM `cloudflare.logs.prod`"));
  REQUIRE(total.ok());
  CHECK(*total == R"({"result":[{"n":3000,"missing":600}]})");
}

TEST_CASE("a function that is not pure is called for each row") {
  const auto body = Ask(
      *TheRows().Serve("SELECT COUNT(DISTINCT c) AS n FROM (SELECT open_count() AS c FROM `cloudflare.logs.prod`)"));
  REQUIRE(body.ok());
  CHECK(*body == R"({"result":[{"n":3000}]})");
}

TEST_CASE("an error and an exception of a function are invalid arguments that name it") {
  CHECK(ErrorOf("SELECT contract_fail(LENGTH(id), 3) AS x FROM `cloudflare.logs.prod`") ==
        absl::InvalidArgumentError("CONTRACT_FAIL: 4 is too large"));
  CHECK(ErrorOf("SELECT contract_throw(LENGTH(id), 3) AS x FROM `cloudflare.logs.prod`") ==
        absl::InvalidArgumentError("CONTRACT_THROW: exception: thrown"));
  CHECK(ErrorOf("SELECT throw_int(LENGTH(id)) AS x FROM `cloudflare.logs.prod`") ==
        absl::InvalidArgumentError("THROW_INT: exception of an unknown type"));
  CHECK(ErrorOf("SELECT contract_fail(2, 1) AS x").message() == "CONTRACT_FAIL: 2 is too large");
}

TEST_CASE("a function that reads or gives another type than it declares is an error that says so") {
  CHECK(ErrorOf("SELECT misread(LENGTH(id)) AS x FROM `cloudflare.logs.prod`") ==
        absl::InvalidArgumentError("MISREAD: its argument 0 is INT64, and is read as STRING"));
  CHECK(ErrorOf("SELECT bad_date(LENGTH(id) * 10000000) AS x FROM `cloudflare.logs.prod` WHERE id = 'r1'") ==
        absl::InvalidArgumentError("BAD_DATE: its result 20000000 is out of the range of DATE"));
  CHECK(ErrorOf("SELECT other_type() AS x FROM `cloudflare.logs.prod`") ==
        absl::InvalidArgumentError("OTHER_TYPE: its result is INT64, and it gives a text"));
  CHECK(ErrorOf("SELECT no_number(id) AS x FROM `cloudflare.logs.prod` WHERE id = 'r1'") ==
        absl::InvalidArgumentError("NO_NUMBER: its result \"r1\" is no NUMERIC"));
  CHECK(*Ask(*TheRows().Serve(
            "SELECT no_number('-1.5') AS x, bad_text(LENGTH(id)) AS y FROM `cloudflare.logs.prod` WHERE id = 'r1'")) ==
        "{\"result\":[{\"x\":\"-1.5\",\"y\":\"a\xEF\xBF\xBD\"}]}");
}

TEST_CASE("a text that is too long is an error, as for GoogleSQL's functions") {
  const absl::Status status =
      ErrorOf("SELECT LENGTH(long_text(LENGTH(id) * 100000000)) AS x FROM `cloudflare.logs.prod`");
  INFO(status.ToString());
  CHECK_FALSE(status.ok());
  CHECK(status.message().find("a value may have at most") != std::string::npos);
}

TEST_CASE("arguments of other types are converted as for GoogleSQL's functions, or refused") {
  CHECK(*Ask(*TheRows().Serve("SELECT contract_same_numeric(5) AS x")) == R"({"result":[{"x":"5"}]})");
  Endpoint endpoint;
  endpoint.id = "0d6c3c1e-5f0b-4a67-9f3e-6b2f6f1f7d13";
  endpoint.name = "wrong";
  endpoint.query = "SELECT contract_join('a', 'b') AS x";
  QueryServiceOptions options;
  options.backend = TheRows().backend.get();
  options.endpoints = {endpoint};
  const absl::Status status = QueryService::Create(std::move(options)).status();
  CHECK(absl::IsInvalidArgument(status));
  CHECK(status.message().find("CONTRACT_JOIN") != std::string::npos);
}

TEST_CASE("a caller's SQL may use a function only where the program says so") {
  const auto service =
      TheRows().Serve("WITH logs AS (SELECT id FROM `cloudflare.logs.prod`) SELECT id FROM logs", true);
  const auto allowed = Ask(*service, {{"sql", "SELECT COUNT(open_count()) AS n FROM logs"}});
  INFO(allowed.status().ToString());
  REQUIRE(allowed.ok());
  CHECK(*allowed == R"({"result":[{"n":3000}]})");
  const absl::Status refused = Ask(*service, {{"sql", "SELECT contract_join(id, 1) AS x FROM logs"}}).status();
  CHECK(absl::IsInvalidArgument(refused));
  CHECK(refused.message().find("the function CONTRACT_JOIN is not allowed in a sandboxed query") != std::string::npos);
  CHECK(GetErrorDetails(refused).column == 8);
}

TEST_CASE("the time limit and a cancellation end a function that counts its steps") {
  const std::string query = "SELECT wait_for_end(LENGTH(id)) AS x FROM `cloudflare.logs.prod`";
  CHECK(absl::IsDeadlineExceeded(Ask(*TheRows().Serve(query, false, absl::Milliseconds(50))).status()));
  AwaitCall();
  const auto service = TheRows().Serve(query);
  CancellationSource cancellation;
  QueryRequest request;
  request.endpoint = "own";
  request.cancellation = cancellation.token();
  absl::Status status;
  std::thread asking([&] { status = service->Run(request).status(); });
  AwaitCall();
  cancellation.Cancel();
  asking.join();
  CHECK(absl::IsCancelled(status));
}

TEST_CASE("the time limit ends a query between the rows of a function") {
  const std::string query =
      "SELECT SUM(contract_fail(LENGTH(a.id) + LENGTH(b.id) + LENGTH(c.id), 100)) AS x FROM `cloudflare.logs.prod` AS "
      "a, `cloudflare.logs.prod` "
      "AS "
      "b, `cloudflare.logs.prod` AS c";
  CHECK(absl::IsDeadlineExceeded(Ask(*TheRows().Serve(query, false, absl::Milliseconds(100))).status()));
}

TEST_CASE("no engine elsewhere receives a program's function") {
  endpoint::TranslateOptions options;
  options.sql =
      "SELECT contract_join(id, 1) AS x, COUNT(*) AS n FROM `cloudflare.logs.prod` WHERE contract_fail(LENGTH(id), 9) "
      "< 9 AND "
      "project = "
      "'p' GROUP BY x ORDER BY open_count()";
  for (const emit::SqlDialect* dialect : {&emit::PostgresSql(), &emit::ClickHouseSql(), &emit::BigQueryFragmentSql()}) {
    options.fragments = dialect;
    const auto result = endpoint::Translate(options);
    INFO(result.status().ToString());
    REQUIRE(result.ok());
    REQUIRE(!result->explanation.parts.empty());
    for (const QueryExplanation::Part& part : result->explanation.parts) {
      INFO(part.text);
      std::string lower = part.text;
      for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      CHECK(lower.find("contract_") == std::string::npos);
      CHECK(lower.find("open_count") == std::string::npos);
      CHECK(lower.find("project") != std::string::npos);
    }
    CHECK(result->dialect_text.find("lq_program_contract_join(") != std::string::npos);
  }
  options.fragments = nullptr;
  options.dialect = Dialect::kBigQuery;
  CHECK(absl::IsUnimplemented(endpoint::Translate(options).status()));
}

TEST_CASE("functions that can't be registered are refused with the reason") {
  const auto refused = [](ScalarFunction function) {
    if (function.evaluate == nullptr) {
      function.evaluate = [](const ScalarArguments&, ScalarResult&) { return absl::OkStatus(); };
    }
    return RegisterScalarFunction(std::move(function));
  };
  for (const char* name : {"", "a b", "a.b", "1a", "né", "$add", "a-b"}) {
    CAPTURE(name);
    CHECK(absl::IsInvalidArgument(refused({name})));
  }
  CHECK(absl::IsInvalidArgument(refused({std::string(65, 'a')})));
  for (const char* name :
       {"concat", "Count", "ROW_NUMBER", "cast", "select", "if", "current_date", "grouping", "rand"}) {
    CAPTURE(name);
    CHECK(absl::IsAlreadyExists(refused({name})));
  }
  const Type pair = Type::Struct({{"a", Type::Int64()}});
  CHECK(
      refused({"f", {Type::Int64(), Type::Json()}}) ==
      absl::InvalidArgumentError("F: argument 2 can't be JSON; use a type without parts except JSON, ARRAY<STRING> or "
                                 "ARRAY<BYTES>"));
  for (const Type& type :
       {Type::Json(), pair, Type::Array(Type::Int64()), Type::Array(pair), Type::Record(pair.fields())}) {
    CHECK(absl::IsInvalidArgument(refused({"f", {type}})));
  }
  CHECK(absl::IsInvalidArgument(refused({"f", {}, Type::Array(Type::Float64())})));
  CHECK(absl::IsInvalidArgument(refused({"f", std::vector<Type>(65, Type::Int64())})));
  CHECK(RegisterScalarFunction({"f"}) == absl::InvalidArgumentError("F: `evaluate` is empty"));
  // The tables of functions are in use by now.
  TheRows().Serve("SELECT 1 AS x");
  CHECK(refused({"f"}) == absl::FailedPreconditionError(
                              "the function F is registered too late: register functions before the first backend, "
                              "service or query is created"));
}

}  // namespace
}  // namespace logquery::testing
