// Our answers to queries in ClickHouse's SQL against those of ClickHouse's own engine, and that planted differences are found.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "tests/clickhouse_oracle/both_logs.h"
#include "tests/support/end_of_run.h"

namespace logquery::clickhouse_oracle {
namespace {

BothLogs& Logs() {
  static std::unique_ptr<BothLogs> logs;
  if (logs == nullptr) {
    testing::AtEnd([] { logs.reset(); });
    absl::StatusOr<std::unique_ptr<BothLogs>> made = BothLogs::Make();
    INFO(made.status());
    REQUIRE(made.ok());
    logs = *std::move(made);
  }
  return *logs;
}

constexpr uint64_t kSeed = 32;
constexpr int64_t kQueries = 300;

uint64_t NumberOf(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST_CASE("three hundred queries in ClickHouse SQL have ClickHouse's answers") {
  if (const std::string why = BothLogs::WhyNot(); !why.empty()) SKIP(why);
  const uint64_t seed = NumberOf("LOGQUERY_SEED", kSeed);
  const auto queries = static_cast<int64_t>(NumberOf("LOGQUERY_QUERIES", kQueries));
  int64_t answered = 0;
  for (int64_t number = 0; number < queries; ++number) {
    const Query query = MakeQuery(seed, number);
    CAPTURE(seed, number, query.sql);
    const Verdict verdict = Logs().Check(query);
    CHECK((verdict.kind == Verdict::Kind::kDiffers ? verdict.text : "") == "");
    answered += verdict.kind == Verdict::Kind::kSame ? 1 : 0;
  }
  // A check that refuses everything would find nothing.
  CHECK(answered * 10 >= queries * 9);
}

// Texts of pieces that mean something in a URL, in any order.
std::string RandomUrls(std::mt19937_64& random, int urls) {
  constexpr std::array<std::string_view, 36> kPieces = {
      "http", ":", "/", "//", "://", ".", "www.", "a", "B", "?", "#",   "&", "=", "q=", "@", "%41", "%c3%a9", "%",
      "-",    "+", "~", " ",  "é",   "<", "[",    "|", "q", ";", "%zz", "^", "1", "_",  "€", "ü:",  "A:",     "x.y"};
  std::string list;
  for (int i = 0; i < urls; ++i) {
    base::StrAppend(&list, i == 0 ? "'" : ", '");
    for (size_t n = random() % 10; n > 0; --n) base::StrAppend(&list, kPieces[random() % kPieces.size()]);
    base::StrAppend(&list, "'");
  }
  return list;
}

TEST_CASE("functions on URLs have ClickHouse's values for texts that are hardly URLs") {
  if (const std::string why = BothLogs::WhyNot(); !why.empty()) SKIP(why);
  const uint64_t seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    const std::string urls = RandomUrls(random, 60);
    for (const char* const value : {"protocol(u)", "domain(u)", "domainWithoutWWW(u)", "path(u)", "queryString(u)",
                                    "cutQueryString(u)", "decodeURLComponent(u)", "extractURLParameter(u, 'q')"}) {
      const std::string sql =
          base::StrCat("SELECT u, ", value, " AS v FROM (SELECT arrayJoin([", urls, "]) AS u) ORDER BY u");
      CAPTURE(sql);
      const Verdict verdict = Logs().Check({sql, true});
      CHECK(verdict.text == "");
      CHECK(verdict.kind == Verdict::Kind::kSame);
    }
  }
}

// Returns how many queries it takes to find a difference; nullopt: none of them differs.
std::optional<int64_t> FirstDifference(int64_t queries) {
  for (int64_t number = 0; number < queries; ++number) {
    if (Logs().Check(MakeQuery(kSeed, number)).kind == Verdict::Kind::kDiffers) return number;
  }
  return std::nullopt;
}

TEST_CASE("the queries in ClickHouse SQL detect functions with another meaning") {
  if (const std::string why = BothLogs::WhyNot(); !why.empty()) SKIP(why);
  const std::pair<const char*, const char*> distorted[] = {
      {"OrZero(", "OrNull("}, {"lower(", "upper("},       {"toStartOfHour(", "toStartOfMinute("},
      {" - ", " + "},         {" NOT IN (", " IN ("},     {"countIf(", "uniqExactIf(id, "},
      {"UTF8(", "("},         {"LEFT JOIN", "INNER JOIN"}};
  for (const auto& [from, to] : distorted) {
    CAPTURE(from, to);
    Logs().Distort(from, to);
    CHECK(FirstDifference(kQueries).has_value());
  }
  Logs().Distort("", "");
}

// Last, because it changes the rows.
TEST_CASE("the queries in ClickHouse SQL detect one row of another content") {
  if (const std::string why = BothLogs::WhyNot(); !why.empty()) SKIP(why);
  Logs().Change(
      "ALTER TABLE default.logs UPDATE log_attributes = mapUpdate(log_attributes, map('s', 'planted')) WHERE id = "
      "'ap7' "
      "SETTINGS mutations_sync = 2");
  CHECK(FirstDifference(kQueries).has_value());
}

}  // namespace
}  // namespace logquery::clickhouse_oracle
