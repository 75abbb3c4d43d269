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
          "memory_limit_bytes": 67108864, "threads": 1,
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
  CHECK(options->memory_limit_bytes == 67'108'864);
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
  std::filesystem::remove(file);
  CHECK(WhyNot(json).find(StrCat("password names ", file, ", which can't be read")) != std::string::npos);
}

TEST_CASE("options that are wrong are refused, naming the one and what would be right") {
  CHECK(WhyNot(StrCat("{", kNeeded, "}")) == "it is right");
  CHECK(WhyNot("{").find("PostgreSQL's options") != std::string::npos);
  CHECK(WhyNot("[]") == "PostgreSQL's options: the text has to be an object");
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "prot": 5})")).find("prot is no option; there are ca_file, ") !=
        std::string::npos);
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "port": 0})")) ==
        "PostgreSQL's options: port has to be a whole number from 1 to 65535");
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "port": 18446744073709551615})")).find("port has to be") != std::string::npos);
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "port": 5.5})")).find("port has to be") != std::string::npos);
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "engine": "duckdb"})")) == "PostgreSQL's options: engine has to be postgres");
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "password": "open"})")).find("is a secret, and is not written here") !=
        std::string::npos);
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "password": "open"})")).find("open\"") == std::string::npos);
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "password": {}})")).find("has to have one of") != std::string::npos);
  CHECK(WhyNot(StrCat("{", kNeeded, R"(, "password": {"env": "LOGQUERY_NOT_SET"}})")).find("which is not set") !=
        std::string::npos);
  const auto with_table = [](const std::string& table) {
    return WhyNot(StrCat(R"({"host": "h", "database": "d", "user": "u", "tables": )", table, "}"));
  };
  CHECK(with_table("{}").find("tables has to be an object with at least one table") != std::string::npos);
  CHECK(with_table(R"({"e": {}})") == "PostgreSQL's options: tables.e.table is missing");
  CHECK(with_table(R"({"e": 5})") == "PostgreSQL's options: tables.e has to be an object");
  CHECK(with_table(R"({"e": {"table": "t", "layout": "rows"}})").find("it has to be columns or logflare") !=
        std::string::npos);
  CHECK(with_table(R"({"e": {"table": "t", "columns": {"a": 5}}})") ==
        "PostgreSQL's options: tables.e.columns.a has to be text");
  CHECK(with_table(R"({"e": {"table": "t", "bdoy": "b"}})").find("tables.e.bdoy is no option") != std::string::npos);
  for (const char* key : {"host", "database", "user"}) {
    const std::string json = absl::StrReplaceAll(StrCat("{", kNeeded, "}"),
                                                 {{StrCat("\"", key, "\": "), "\"engine\": \"postgres\", \"x\": "}});
    CHECK(WhyNot(json).find(StrCat(key, " is missing")) != std::string::npos);
  }
}

}  // namespace
}  // namespace logquery
