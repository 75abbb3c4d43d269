// Text for BigQuery: it has nothing of ours in it, and means to our own front end what the query means. Its rows are
// also compared for every golden case (emitter_golden_test.cc).
#include <catch2/catch_all.hpp>
#include <cctype>

#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/engines/bigquery/dialect/passes.h"
#include "lib/engines/bigquery/dialect/spellings.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/rewrite/scalars.h"
#include "lib/sql/parser.h"
#include "lib/tools/translate.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/interval_bucketer.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr int64_t kNowMicros = 1'769'846'400'000'000;
const SqlRunner::Parameters kClock = {{"now", Value::TimestampMicros(kNowMicros)}};

const Catalog& Logs() {
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  return catalog;
}

absl::StatusOr<endpoint::TranslateResult> TranslateSql(const std::string& sql) {
  endpoint::TranslateOptions options;
  options.catalog = Logs();
  options.sql = sql;
  options.dialect = Dialect::kBigQuery;
  return endpoint::Translate(options);
}

// Words before a parenthesis that are no functions.
bool IsSyntax(std::string_view word) {
  static const auto& words = *new base::StringSet{
      "ALL",    "AND",  "ANY",      "AS",      "BY",    "CROSS",       "ELSE",         "EXISTS",
      "FROM",   "IN",   "INTERVAL", "JOIN",    "LIKE",  "NOT",         "NUMERIC",      "BIGNUMERIC",
      "OFFSET", "ON",   "OR",       "ORDINAL", "OVER",  "SAFE_OFFSET", "SAFE_ORDINAL", "SELECT",
      "SETS",   "THEN", "UNNEST",   "WHEN",    "WHERE", "WITH",        "DISTINCT",     "SECOND"};
  return words.contains(base::ToUpper(word));
}

// The functions that a text calls, of which BigQuery's documentation has none; and what names of ours it has.
std::vector<std::string> Foreign(const std::string& text) {
  std::vector<std::string> found;
  for (size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    size_t begin = at;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_' ||
                         text[begin - 1] == '.' || text[begin - 1] == '$')) {
      --begin;
    }
    std::string word = text.substr(begin, at - begin);
    if (word.starts_with("SAFE.")) word = word.substr(5);
    if (!word.empty() && !IsSyntax(word) && !emit::IsBigQueryFunction(base::ToUpper(word))) found.push_back(word);
  }
  for (const char* ours : {"lq_", "@@", "@`", "$", "generate_timestamp_trunc_array", "REDACT"}) {
    if (text.find(ours) != std::string::npos) found.emplace_back(ours);
  }
  return found;
}

TEST_CASE("a query becomes text that BigQuery runs") {
  const auto translated = TranslateSql(
      "SELECT id, CURRENT_TIMESTAMP() AS asked FROM `cloudflare.logs.prod` WHERE timestamp >= "
      "TIMESTAMP_SUB(CURRENT_TIMESTAMP(), "
      "INTERVAL 1 HOUR) ORDER BY timestamp DESC LIMIT 5");
  INFO(translated.status());
  REQUIRE(translated.ok());
  INFO(translated->dialect_text);
  CHECK(translated->dialect_text.find("FROM `cloudflare.logs.prod` AS t1") != std::string::npos);
  CHECK(translated->dialect_text.find("TIMESTAMP_SUB(@now, INTERVAL (1) HOUR)") != std::string::npos);
  CHECK(Foreign(translated->dialect_text).empty());
  REQUIRE(translated->slots.size() == 1);
  CHECK(translated->slots[0].name == "now");
  CHECK(translated->slots[0].type == Type::Timestamp());
}

TEST_CASE("built-in endpoints become text that our own front end reads") {
  for (const Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.language != QueryLanguage::kBigQuery) continue;
    endpoint::TranslateOptions options;
    options.catalog = Logs();
    options.endpoint = &endpoint;
    options.dialect = Dialect::kBigQuery;
    const auto translated = endpoint::Translate(options);
    INFO(endpoint.name << ": " << translated.status());
    REQUIRE(translated.ok());
    INFO(translated->dialect_text);
    CHECK(Foreign(translated->dialect_text) == std::vector<std::string>());
    const auto parsed = sql::ParseQuery(translated->dialect_text, {});
    INFO(parsed.status());
    REQUIRE(parsed.ok());
    rewrite::ResolveOptions again;
    again.catalog = &Logs();
    for (const Slot& slot : translated->slots) again.parameters.push_back({slot.name, slot.type});
    const auto resolved = rewrite::Resolve(**parsed, translated->dialect_text, again);
    INFO(resolved.status());
    REQUIRE(resolved.ok());
    REQUIRE(resolved->schema.size() == translated->schema.size());
    for (size_t i = 0; i < translated->schema.size(); ++i)
      CHECK(resolved->schema[i].type == translated->schema[i].type);
  }
}

TEST_CASE("the bucket routine is written out, for each label") {
  SqlRunner runner;
  const char* units[] = {"second", "minute", "hour", "day"};
  for (int unit = 0; unit < 4; ++unit) {
    for (int step = 0; step <= unit; ++step) {
      const std::string label = StrCat(units[unit], "_", units[step]);
      CAPTURE(label);
      const auto plan = TranslateSql(StrCat("SELECT generate_timestamp_trunc_array(2, '", label, "') AS b"));
      INFO(plan.status());
      REQUIRE(plan.ok());
      INFO(plan->dialect_text);
      CHECK(Foreign(plan->dialect_text).empty());
      if (unit == 3 && step == 0) continue;  // more than an array holds here
      const auto run = runner.Run(plan->dialect_text, kClock);
      INFO(run.status());
      REQUIRE(run.ok());
      const auto starts = IntervalBucketer::Generate(2, label, absl::FromUnixMicros(kNowMicros));
      REQUIRE(starts.ok());
      std::vector<Value> expected;
      for (const absl::Time start : *starts) expected.push_back(Value::Timestamp(start));
      CHECK(run->rows[0][0] == Value::Array(Type::Timestamp(), std::move(expected)));
    }
  }
  const auto none = TranslateSql("SELECT generate_timestamp_trunc_array(0, 'day_hour') AS b");
  REQUIRE(none.ok());
  CHECK(runner.Run(none->dialect_text, kClock).status().message().find("at least 1") != absl::string_view::npos);
  const auto wrong = TranslateSql("SELECT generate_timestamp_trunc_array(1, 'day_week') AS b");
  REQUIRE(wrong.ok());
  CHECK(runner.Run(wrong->dialect_text, kClock).status().message().find("UNIT_STEP") != absl::string_view::npos);
}

TEST_CASE("parameters get legal, distinct names") {
  const auto named = [](std::vector<std::string> names) -> absl::StatusOr<std::string> {
    rewrite::QueryPlan plan;
    auto project = std::make_unique<rewrite::Project>(std::make_unique<rewrite::SingleRow>());
    for (const std::string& name : names) {
      project->columns.push_back(plan.NewColumn("x", Type::String()));
      project->computed.push_back(
          {project->columns.back(), std::make_unique<rewrite::ParameterRef>(name, Type::String())});
    }
    plan.root = std::move(project);
    if (absl::Status status = emit::NameParameters({}, plan); !status.ok()) return status;
    auto text = emit::Emit(plan, emit::BigQuerySql());
    if (!text.ok()) return text.status();
    std::string all;
    for (const Slot& slot : text->slots) all += slot.name + " ";
    return all;
  };
  CHECK(*named({"project", "7 days", "a.b", "größe", "project"}) == "project p_7_days a_b gr____e ");
  CHECK(*named({"@now", "@cursor_id"}) == "now cursor_id ");
  CHECK(named({"@now", "now"}).status().message().find("@now is the clock") != absl::string_view::npos);
  CHECK(named({"a.b", "a_b"}).status().message().find("rename one") != absl::string_view::npos);
  CHECK(named({"a.b", "A_B"}).status().code() == absl::StatusCode::kUnimplemented);
}

TEST_CASE("a construct that BigQuery lacks is an error that names it") {
  for (const auto& [sql, words] : std::vector<std::pair<std::string, std::string>>{
           {"SELECT ARRAY_FILTER([1, 2], e -> e > 1) AS x", "ARRAY_FILTER"},
           {"SELECT ARRAY_IS_DISTINCT([1]) AS x", "ARRAY_IS_DISTINCT"},
           {"SELECT SAFE.SUM(x) AS x FROM UNNEST([1]) AS x", "SAFE.SUM"},
           {"SELECT a FROM UNNEST([1] AS a, [2] AS b)", "UNNEST of several"},
           {"SELECT TIMESTAMP_ADD(timestamp, MAKE_INTERVAL(day => 1)) AS x FROM `cloudflare.logs.prod`",
            "INTERVAL count"},
           {"SELECT 1 AS x INTERSECT ALL SELECT 1", "INTERSECT"},
       }) {
    const auto translated = TranslateSql(sql);
    CAPTURE(sql, translated.status().ToString());
    REQUIRE_FALSE(translated.ok());
    CHECK(translated.status().code() == absl::StatusCode::kUnimplemented);
    CHECK(translated.status().ToString().find(words) != std::string::npos);
  }
}

TEST_CASE("NULLs that an aggregate sorts to the other end have a key of their own") {
  SqlRunner runner;
  const auto run = runner.Run("SELECT ARRAY_AGG(x ORDER BY x ASC NULLS LAST) AS a FROM UNNEST([2, NULL, 1]) AS x");
  INFO(run.status());
  REQUIRE(run.ok());
  REQUIRE(run->bigquery.ok());
  INFO(*run->bigquery);
  CHECK(run->bigquery->find("NULLS LAST") > run->bigquery->find("IS NULL) ASC"));
  const auto again = runner.Run(*run->bigquery);
  INFO(again.status());
  REQUIRE(again.ok());
  CHECK(RowsText(again->rows) == RowsText(run->rows));
}

TEST_CASE("constructs that BigQuery spells differently are translated without a change of meaning") {
  SqlRunner runner;
  for (const std::string expression :
       {"PI()", "NULLIFZERO(0)", "NULLIFZERO(2.5)", "ZEROIFNULL(CAST(NULL AS INT64))", "TIMESTAMP_FROM_UNIX_MILLIS(5)",
        "TIMESTAMP_FROM_UNIX_SECONDS(-7)", "DOUBLE(JSON '2.5')", "SEARCH('the quick fox', 'quick')",
        "SAFE.PARSE_DATE('%Y', 'x')", "EXTRACT(HOUR FROM CURRENT_TIMESTAMP())",
        "INTERVAL '1-2 3 4:5:6.789' YEAR TO SECOND", "DATE_ADD(DATE '2026-01-31', INTERVAL -1 MONTH)",
        "TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 90 MINUTE)", "CURRENT_DATE()"}) {
    CAPTURE(expression);
    const auto run = runner.Run("SELECT " + expression + " AS x");
    INFO(run.status());
    REQUIRE(run.ok());
    INFO(run->bigquery.status());
    REQUIRE(run->bigquery.ok());
    INFO(*run->bigquery);
    CHECK(Foreign(*run->bigquery) == std::vector<std::string>());
    const auto again = runner.Run(*run->bigquery, kClock);
    INFO(again.status());
    REQUIRE(again.ok());
    CHECK(RowsText(again->rows) == RowsText(run->rows));
  }
  CHECK(emit::BigQuerySpellings().problems() == std::vector<std::string>());
}

}  // namespace
}  // namespace logquery::testing
