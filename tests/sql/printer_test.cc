#include "lib/sql/printer.h"

#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "lib/model/reserved_words.h"
#include "lib/sql/keywords.h"
#include "lib/sql/parser.h"
#include "lib/sql/printer_impl.h"
#include "tests/sql/case_file.h"
#include "tests/sql/tree_generator.h"

namespace logquery::sql {
namespace {

ParseLimits Unbounded() {
  ParseLimits limits;
  limits.max_bytes = 1 << 24;
  limits.max_joins = 1'000'000;
  limits.max_unnests = 1'000'000;
  limits.max_ctes = 1'000'000;
  return limits;
}

std::string Grouping(const Query& query) {
  Printer printer(Printer::Parentheses::kAll);
  printer.PrintQuery(query);
  return printer.Take();
}

std::string Grouping(const Expr& expr) {
  Printer printer(Printer::Parentheses::kAll);
  printer.PrintExpr(expr);
  return printer.Take();
}

// Parses the canonical text of a tree: "" if it is that tree again.
template <typename Tree, typename Parse>
std::string Difference(const Tree& tree, Parse parse) {
  const std::string text = Print(tree);
  const auto again = parse(text, Unbounded());
  if (!again.ok()) return base::StrCat(text, "\n", base::Message(again.status()));
  if (Print(**again) != text) return base::StrCat(text, "\n", Print(**again));
  if (Grouping(**again) != Grouping(tree)) return base::StrCat(Grouping(tree), "\n", Grouping(**again));
  return "";
}

// The canonical text of `text`, or why it is no query.
std::string Canonical(const std::string& text) {
  const absl::StatusOr<QueryPtr> query = ParseQuery(text, Unbounded());
  return query.ok() ? Print(**query) : std::string(base::Message(query.status()));
}

TEST_CASE("a tree is printed as canonical GoogleSQL") {
  const absl::StatusOr<QueryPtr> query =
      ParseQuery("select `a`, \"it's\" from (my-logs as t) where ((b = 1)) -- comment", {});
  REQUIRE(query.ok());
  CHECK(Print(**query) == "SELECT a, 'it\\'s' FROM `my-logs` AS t WHERE b = 1");
}

TEST_CASE("printing is stable: parsing printed SQL and printing it again gives the same text") {
  for (const char* file : {"parse_cases.txt", "log_query_cases.txt"}) {
    for (const FileCase& c : ReadCases(file)) {
      INFO(file << ": " << c.name);
      if (!ParseQuery(c.input, {}).ok()) continue;
      CHECK(Canonical(c.output) == c.output);
    }
  }
}

TEST_CASE("names are quoted where they must be") {
  struct Case {
    const char* name;
    const char* quoted;
  };
  const Case cases[] = {
      {"a", "a"},           {"_a1", "_a1"},     {"1a", "`1a`"},
      {"a-b", "`a-b`"},     {"a.b", "`a.b`"},   {"select", "`select`"},
      {"Order", "`Order`"}, {"date", "date"},   {"timestamp", "timestamp"},
      {"é", "`é`"},         {"a`b", "`a\\`b`"}, {"a\\b", "`a\\\\b`"},
      {"a\nb", "`a\\nb`"},  {"", "``"},
  };
  for (const Case& c : cases) CHECK(QuoteIdentifier(c.name) == c.quoted);
}

TEST_CASE("strings and bytes are escaped where they must be") {
  CHECK(QuoteString("plain é🙂 \"x\"") == "'plain é🙂 \"x\"'");
  CHECK(QuoteString("it's\\\n\r\t\x01\x7F") == "'it\\'s\\\\\\n\\r\\t\\x01\\x7f'");
  CHECK(QuoteBytes(std::string("a\0\xFF'", 4)) == "b'a\\x00\\xff\\''");
}

TEST_CASE("reserved words are recognized in any letter case") {
  for (const char* word : {"select", "SELECT", "From", "qualify", "window", "hash", "unnest", "within"}) {
    CHECK(IsReservedKeyword(word));
  }
  for (const char* word : {"", "date", "offset", "value", "pivot", "safe_cast", "selects", "a"}) {
    CHECK_FALSE(IsReservedKeyword(word));
  }
}

TEST_CASE("a type's text quotes the words that the parser reserves") {
  for (int i = 1; i <= static_cast<int>(Keyword::kZone); ++i) {
    const auto keyword = static_cast<Keyword>(i);
    CAPTURE(KeywordText(keyword));
    CHECK(model::IsReservedWord(KeywordText(keyword)) == IsReserved(keyword));
  }
}

TEST_CASE("any tree is printed as text that is parsed as the same tree") {
  for (uint32_t seed = 0; seed < 3'000; ++seed) {
    INFO("seed " << seed);
    const QueryPtr query = TreeGenerator(seed).MakeQuery(3);
    CHECK(Difference(*query, ParseQuery) == "");
  }
}

TEST_CASE("any expression is printed as text that is parsed as the same tree") {
  for (uint32_t seed = 0; seed < 3'000; ++seed) {
    INFO("seed " << seed);
    const ExprPtr expr = TreeGenerator(seed).MakeExpr(4);
    CHECK(Difference(*expr, ParseExpression) == "");
  }
}

}  // namespace
}  // namespace logquery::sql
