// Backend files for BigQuery, and how an account and tables that can't be used are refused.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "tests/bigquery/account_key.h"
#include "tests/bigquery/value_tables.h"
#include "tests/engines/option_checks.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr char kSchema[] = R"({"t": {"time": "timestamp", "columns": {"id": "STRING", "timestamp": "TIMESTAMP",
  "metadata": {"level": "STRING", "request": {"status": "INT64"}}}}})";

bool Has(const absl::Status& status, const std::string& words) {
  return status.ToString().find(words) != std::string::npos;
}

TEST_CASE("options of BigQuery are read from a file's text") {
  const std::string folder =
      (std::filesystem::temp_directory_path() / StrCat("logquery_bq_options_", getpid())).string();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/key.json") << "the key\n";
  const auto options =
      BigQueryOptionsFromJson(R"({"engine": "bigquery", "project": "p-1", "dataset": "logs", "location": "EU",
    "service_account": {"file": "key.json"}, "labels": {"service": "logquery"}, "bytes_billed": 5, "page_rows": 7,
    "statement_timeout_ms": 1000, "retry_time_ms": 0,
    "tables": {"cloudflare.logs.prod": {"table": "edge", "dataset": "other", "columns": {"project": "tenant"}}}})",
                              folder);
  std::filesystem::remove_all(folder);
  INFO(options.status().ToString());
  REQUIRE(options.ok());
  CHECK(options->service_account_key == "the key");
  CHECK(options->max_bytes_billed == 5);
  CHECK(options->page_rows == 7);
  CHECK(options->retry_time == absl::ZeroDuration());
  REQUIRE(options->tables.size() == 1);
  CHECK(options->tables[0].columns.at("project") == "tenant");
}

TEST_CASE("an invalid option of BigQuery is rejected with its name and a valid form") {
  const OptionChecks checks(
      {"bigquery", "BigQuery", "service_account", {{"project", "\"p\""}}, [](const std::string& json) {
         return BigQueryOptionsFromJson(json).status();
       }});
  checks.CheckAll();
  CHECK(checks.With(R"("page_rows": 0)").starts_with("page_rows must be a whole number from 1"));
  CHECK(checks.WithTables(R"({"t": {"table": "t", "filds": {}}})").starts_with("tables.t.filds is not a field"));
  BigQueryHost host(nullptr);
  const auto refused = [&](const std::function<void(BigQueryOptions&)>& change, const std::string& words) {
    BigQueryOptions options = host.Options();
    options.tables = {{.name = "cloudflare.logs.prod", .table = "t"}};
    change(options);
    const absl::Status status = OpenBigQuery(options).status();
    CAPTURE(status.ToString());
    CHECK(absl::IsInvalidArgument(status));
    CHECK(Has(status, words));
    CHECK_FALSE(Has(status, "PRIVATE"));
  };
  refused([](auto& options) { options.project = "p`; DROP"; }, "project");
  refused([](auto& options) { options.tables = {}; }, "tables");
  refused([](auto& options) { options.tables[0].table = "a`b"; }, "table");
  refused([](auto& options) { options.tables[0].name = "none"; }, "none");
  refused([](auto& options) { options.dataset = ""; }, "dataset of BigQuery is missing");
  refused([](auto& options) { options.api_url = "https://user@host"; }, "api_url");
  refused([](auto& options) { options.labels = {{"Service", "x"}}; }, "labels");
  refused([](auto& options) { options.page_rows = 0; }, "page_rows");
  refused([](auto& options) { options.service_account_key = "{}"; }, "service_account");
  refused([](auto& options) { options.service_account_key = "PRIVATE"; }, "no JSON");
  refused([](auto& options) { options.service_account_key = AccountJson("PRIVATE", "http://localhost/token"); }, "RSA");
  refused([](auto& options) { options.service_account_key = AccountJson(NewKeyPem(1'024), "http://localhost/token"); },
          "2048 bits");
  CHECK(host.requests().empty());
}

// An empty table t with these columns, of which the schema says kSchema.
ValueTable TableOf(Schema columns) {
  ValueTable made;
  made.table.name = "t";
  made.table.time_column = "timestamp";
  made.table.columns = std::move(columns);
  return made;
}

Schema Declared() { return Catalog::FromSchemaJson(kSchema)->Find("t")->columns; }

TEST_CASE("an account that BigQuery rejects is an error with the reason and without the key") {
  ValueHost host(TableOf(Declared()), kSchema);
  BigQueryOptions options = host.Options();
  CHECK(OpenBigQuery(options).ok());
  options.service_account_key = AccountJson(NewKeyPem(2'048), host.url() + "/token");
  const absl::Status status = OpenBigQuery(options).status();
  CAPTURE(status.ToString());
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Has(status, "invalid_grant"));
  CHECK_FALSE(Has(status, "PRIVATE"));
  // The metadata server gives tokens without a key.
  options.service_account_key = "";
  CHECK(OpenBigQuery(options).ok());
  // A metadata server that gives no valid token counts as temporarily unavailable.
  for (const std::string& body :
       std::vector<std::string>{"", "{}", R"({"access_token":"a\r\nb","expires_in":5})",
                                R"({"access_token":"a","expires_in":0})", R"({"access_token":5})"}) {
    host.SetIntercept([body](const std::string& request, const std::string&) -> std::optional<Answer> {
      return request.find("/token") != std::string::npos ? std::optional(Answer{200, body}) : std::nullopt;
    });
    options.retry_time = absl::ZeroDuration();
    const absl::Status refused = OpenBigQuery(options).status();
    CAPTURE(body, refused.ToString());
    CHECK(absl::IsUnavailable(refused));
  }
}

TEST_CASE("a table or column that BigQuery lacks or has of another type is named, with all others") {
  Schema columns = Declared();
  columns[0].type = Type::Int64();
  columns[2].type = Type::Record({{"level", Type::String()}});
  ValueHost host(TableOf(columns), kSchema);
  BigQueryOptions options = host.Options();
  absl::Status status = OpenBigQuery(options).status();
  CAPTURE(status.ToString());
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Has(status, "id as INTEGER"));
  CHECK(Has(status, "has no field metadata.request"));
  options.tables[0].table = "other";
  status = OpenBigQuery(options).status();
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Has(status, "is missing"));
  host.SetIntercept([](const std::string& request, const std::string&) -> std::optional<Answer> {
    if (request.find("/tables/") == std::string::npos) return std::nullopt;
    return Answer{403, R"({"error":{"code":403,"message":"Access Denied","errors":[{"reason":"accessDenied"}]}})"};
  });
  status = OpenBigQuery(options).status();
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Has(status, "dataViewer"));
}

TEST_CASE("a table that is not partitioned by its time column is reported") {
  ValueHost host(TableOf(Declared()), kSchema);
  const auto findings = CheckBigQuery(host.Options());
  REQUIRE(findings.ok());
  CHECK(findings->empty());
  host.SetIntercept([](const std::string& request, const std::string&) -> std::optional<Answer> {
    if (request.find("/tables/") == std::string::npos) return std::nullopt;
    return Answer{200, R"({"schema":{"fields":[{"name":"id","type":"STRING"},{"name":"timestamp","type":"TIMESTAMP"},
      {"name":"metadata","type":"RECORD","mode":"REPEATED","fields":[{"name":"level","type":"STRING"},
      {"name":"request","type":"RECORD","mode":"REPEATED","fields":[{"name":"status","type":"INTEGER"}]}]}]}})"};
  });
  const auto told = CheckBigQuery(host.Options());
  INFO(told.status().ToString());
  REQUIRE(told.ok());
  REQUIRE(told->size() == 1);
  CHECK((*told)[0].find("not partitioned") != std::string::npos);
}

}  // namespace
}  // namespace logquery::testing
