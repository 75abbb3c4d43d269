// Options from a file's text: what is read, and what is refused by name.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery {
namespace {

using base::StrCat;

constexpr char kNeeded[] = R"("host": "h", "database": "d", "user": "u", "tables": {"events": {"table": "t"}})";

std::string WhyNot(const std::string& json) {
  const auto options = PostgresOptionsFromJson(json);
  return options.ok() ? "it is right" : std::string(base::Message(options.status()));
}

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
  CHECK(WhyNot(json).find(StrCat("password names the file ", file, ", which is not there")) != std::string::npos);
}

TEST_CASE("an invalid option is rejected with its name, position and a valid form") {
  CHECK(WhyNot(StrCat("{", kNeeded, "}")) == "it is right");
  CHECK(WhyNot("{").find("PostgreSQL's options: not JSON at line 1, column 2") == 0);
  CHECK(WhyNot("[]") == "PostgreSQL's options at line 1, column 1: must be an object, is []");
  const auto with = [](const std::string& field) {
    const std::string why = WhyNot(StrCat("{", kNeeded, ",\n ", field, "}"));
    const std::string place = "PostgreSQL's options at line 2, column 2: ";
    return why.starts_with(place) ? why.substr(place.size()) : why;
  };
  CHECK(with(R"("prot": 5)").find("prot is not a field; known are engine, host, port, ") == 0);
  CHECK(with(R"("port": 0)") == "port must be a whole number from 1 to 65535, is 0");
  CHECK(with(R"("port": 18446744073709551615)").find("port must be a whole number") == 0);
  CHECK(with(R"("port": 5.5)").find("port must be a whole number") == 0);
  CHECK(with(R"("engine": "duckdb")") == "engine must be \"postgres\"");
  CHECK(with(R"("memory_limit_mb": 63)") == "memory_limit_mb must be a whole number from 64 to 16777216, is 63");
  CHECK(with(R"("schema_file": "/dev/null")") == "schema_file names the file /dev/null, which is not there");
  // Never the secret itself.
  CHECK(with(R"("password": "open")") ==
        R"(password is a secret and not written here: name it as {"file": PATH} or {"env": NAME})");
  CHECK(with(R"("password": {})") == R"(password must have one of "file" and "env")");
  CHECK(with(R"("password": {"file": "a", "env": "b"})") == R"(password must have one of "file" and "env")");
  CHECK(with(R"("password": {"fiel": "a"})") ==
        "password.fiel is not a field; known are file, env; did you mean file?");
  CHECK(with(R"("password": {"env": "LOGQUERY_NOT_SET"})") ==
        "password names the environment variable LOGQUERY_NOT_SET, which is not set");
  const auto with_tables = [](const std::string& tables) {
    const std::string why =
        WhyNot(StrCat(R"({"host": "h", "database": "d", "user": "u",)", "\n\"tables\": ", tables, "}"));
    const std::string place = "PostgreSQL's options at line 2, column 1: ";
    return why.starts_with(place) ? why.substr(place.size()) : why;
  };
  CHECK(with_tables("{}") == "tables must be an object with at least one table");
  CHECK(with_tables(R"({"e": {}})") == "tables.e.table is missing");
  CHECK(with_tables(R"({"e": 5})") == "tables.e must be an object, is 5");
  CHECK(with_tables(R"({"e": {"table": "t", "layout": "rows"}})") ==
        "tables.e.layout must be columns or logflare, is \"rows\"");
  CHECK(with_tables(R"({"e": {"table": "t", "columns": {"a": 5}}})") ==
        "tables.e.columns must be an object of strings, is an object");
  CHECK(with_tables(R"({"e": {"table": "t", "bdoy": "b"}})").find("tables.e.bdoy is not a field; known are ") == 0);
  for (const char* key : {"host", "database", "user"}) {
    const std::string json = absl::StrReplaceAll(StrCat("{", kNeeded, "}"),
                                                 {{StrCat("\"", key, "\": "), "\"engine\": \"postgres\", \"x\": "}});
    CHECK(WhyNot(json).find(StrCat(key, " is missing")) != std::string::npos);
  }
}

}  // namespace
}  // namespace logquery
