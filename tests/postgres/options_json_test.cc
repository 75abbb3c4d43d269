// Options from a file's text: what is read, and what is refused by name.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "lib/base/strings.h"
#include "logquery/postgres/postgres_backend.h"
#include "tests/engines/option_checks.h"
#include "tests/support/has.h"

namespace logquery {
namespace {

using base::StrCat;

constexpr char kNeeded[] = R"("host": "h", "database": "d", "user": "u", "tables": {"events": {"table": "t"}})";

TEST_CASE("options of PostgreSQL are read from JSON") {
  setenv("LOGQUERY_TEST_SECRET", "hidden", 1);
  const auto options = PostgresOptionsFromJson(
      R"({"engine": "postgres", "host": "db.internal", "port": 5433, "database": "logs", "user": "reader",
          "password": {"env": "LOGQUERY_TEST_SECRET"}, "tls": "require", "ca_file": "/ca", "certificate_file": "/c", "key_file": "/k",
          "connections": 3, "connect_timeout_ms": 1500, "statement_timeout_ms": 20, "fragment_rows": 5, "fragment_bytes": 6,
          "memory_limit_mb": 64, "threads": 1,
          "tables": {"a": {"table": "x"}, "b": {"table": "y", "schema": "s", "layout": "logflare", "body": "doc",
                                                "columns": {"project": "tenant"}}}})");
  INFO(options.status().ToString());
  REQUIRE(options.ok());
  CHECK(options->host == "db.internal");
  CHECK(options->port == 5433);
  CHECK(options->database == "logs");
  CHECK(options->user == "reader");
  CHECK(options->password == "hidden");
  CHECK(options->tls == "require");
  CHECK(options->ca_file + options->certificate_file + options->key_file == "/ca/c/k");
  CHECK(options->max_connections == 3);
  CHECK(options->connect_timeout == absl::Milliseconds(1500));
  CHECK(options->statement_timeout == absl::Milliseconds(20));
  CHECK(options->max_fragment_rows == 5);
  CHECK(options->max_fragment_bytes == 6);
  CHECK(options->memory_limit_bytes == 64'000'000);
  CHECK(options->threads == 1);
  REQUIRE(options->tables.size() == 2);
  CHECK(options->tables[0].layout == PostgresTable::Layout::kColumns);
  CHECK(options->tables[0].schema == "public");
  CHECK(options->tables[1].layout == PostgresTable::Layout::kLogflare);
  CHECK(options->tables[1].body == "doc");
  CHECK(options->tables[1].columns.at("project") == "tenant");
}

TEST_CASE("secrets and schemas come from files, without the last newline") {
  const std::string path = (std::filesystem::temp_directory_path() / "logquery_options_XXXXXX").string();
  std::string file = path;
  const int fd = mkstemp(file.data());
  REQUIRE(fd >= 0);
  close(fd);
  std::ofstream(file) << "two\nlines\n";
  const std::string json =
      StrCat("{", kNeeded, R"(, "schema_file": ")", file, R"(", "password": {"file": ")", file, R"("}})");
  const auto options = PostgresOptionsFromJson(json);
  REQUIRE(options.ok());
  CHECK(options->password == "two\nlines");
  CHECK(options->schema_json == "two\nlines\n");
  const std::filesystem::path at = file;
  const auto beside = PostgresOptionsFromJson(
      StrCat("{", kNeeded, R"(, "schema_file": ")", at.filename().string(), R"(", "ca_file": "ca.pem"})"),
      at.parent_path().string());
  REQUIRE(beside.ok());
  CHECK(beside->schema_json == "two\nlines\n");
  CHECK(beside->ca_file == at.parent_path() / "ca.pem");
  std::filesystem::remove(file);
  CHECK(testing::Has(base::Message(PostgresOptionsFromJson(json).status()),
                     StrCat("password names the file ", file, ", which is not there")));
}

TEST_CASE("an invalid option is rejected with its name, position and a valid form") {
  const testing::OptionChecks checks({"postgres",
                                      "PostgreSQL",
                                      "password",
                                      {{"host", "\"h\""}, {"database", "\"d\""}, {"user", "\"u\""}},
                                      [](const std::string& json) { return PostgresOptionsFromJson(json).status(); }});
  checks.CheckAll();
  CHECK(checks.With(R"("prot": 5)").find("prot is not a field; known are engine, host, port, ") == 0);
  CHECK(checks.With(R"("port": 0)") == "port must be a whole number from 1 to 65535, is 0");
  CHECK(checks.With(R"("port": 18446744073709551615)").find("port must be a whole number") == 0);
  CHECK(checks.With(R"("port": 5.5)").find("port must be a whole number") == 0);
  CHECK(checks.With(R"("schema_file": "/dev/null")") == "schema_file names the file /dev/null, which is not there");
  CHECK(checks.WithTables(R"({"e": {"table": "t", "layout": "rows"}})") ==
        "tables.e.layout must be columns or logflare, is \"rows\"");
}

}  // namespace
}  // namespace logquery
