// Nothing hostile gets out of its quotes: text and names of every kind come back from DuckDB as they went in.
#include <catch2/catch_all.hpp>
#include <random>

#include "lib/base/strings.h"
#include "lib/emit/explain/googlesql_literals.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/sql/printer.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

constexpr const char* kPieces[] = {"'",  "\"", "`",  "\\",   "$1", "$$", ";", "--",   "/*", "*/",
                                   "\n", "\r", "\t", "\x01", "%",  "é",  "😀", " ",    "a",  "DROP TABLE t",
                                   "@p", "{",  "}",  ":",    "?",  ")",  "]", "\\x00"};

std::string RandomText(std::mt19937& random) {
  std::string text;
  for (size_t count = random() % 8; count > 0; --count) text += kPieces[random() % std::size(kPieces)];
  if (random() % 8 == 0) text += '\0';
  return text;
}

TEST_CASE("Any text is a literal that gives itself") {
  SqlRunner runner;
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    // Many literals in one query: each would have to stay within its quotes for the others to be right.
    std::vector<std::string> texts;
    std::string sql = "SELECT ";
    for (int column = 0; column < 25; ++column) {
      texts.push_back(RandomText(random));
      base::StrAppend(&sql, column == 0 ? "" : ", ", sql::QuoteString(texts.back()));
    }
    absl::StatusOr<SqlRun> run = runner.Run(sql);
    INFO(sql);
    REQUIRE(run.ok());
    for (size_t column = 0; column < texts.size(); ++column) {
      CHECK(run->rows[0][column].string_value() == texts[column]);
    }
  }
}

TEST_CASE("Any bytes are a literal that gives itself") {
  SqlRunner runner;
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  absl::StatusOr<SqlRun> run = runner.Run(base::StrCat("SELECT ", sql::QuoteBytes(bytes)));
  REQUIRE(run.ok());
  CHECK(run->rows[0][0].string_value() == bytes);
}

TEST_CASE("Names of tables, columns and fields are only names") {
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    SqlRunner runner;
    std::string name = base::StrCat("n", RandomText(random));
    std::erase(name, '\0');
    const Type type = Type::Struct({{name, Type::Int64()}, {"a\"b", Type::Int64()}});
    runner.AddTable(name, {{name, type}}, {{Value::Struct(type, {Value::Int64(7), Value::Int64(8)})}});
    const std::string quoted = sql::QuoteIdentifier(name);
    const std::string sql = base::StrCat("SELECT x.", quoted, ".", quoted, " AS `a'b`, x.", quoted, ".`a\"b` AS ",
                                         quoted, " FROM ", quoted, " AS x");
    absl::StatusOr<SqlRun> run = runner.Run(sql);
    INFO(sql);
    INFO(run.status());
    REQUIRE(run.ok());
    CHECK(RowsText(run->rows) == "7, 8\n");
  }
}

TEST_CASE("a string that is not UTF-8 cannot be written as a literal") {
  CHECK_FALSE(emit::DuckDbString("\xff").ok());
  CHECK_FALSE(emit::GoogleSqlLiteral(Value::String("\xff")).ok());
}

TEST_CASE("Fields of a STRUCT have names of their own in DuckDB") {
  const auto names = [](std::vector<std::string> of) {
    std::vector<Field> fields;
    for (std::string& name : of) fields.push_back({std::move(name), Type::Int64()});
    return base::Join(emit::DuckDbFieldNames(fields), " ");
  };
  CHECK(names({"a", "b"}) == "a b");
  CHECK(names({"", "A", "a"}) == "_1 A _3");
  CHECK(names({"_2", ""}) == "_2 _2_");
}

}  // namespace
}  // namespace logquery::testing
