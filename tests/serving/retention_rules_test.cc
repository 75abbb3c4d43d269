#include "lib/serving/store/retention_rules.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace logquery::serving {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);
constexpr int64_t kTerabyte = 1'000'000'000'000;

Catalog Logs(const std::vector<std::string>& logs) {
  std::vector<Table> tables;
  for (const std::string& log : logs) {
    Table table;
    table.name = log + ".prod";
    table.log = log;
    tables.push_back(table);
  }
  return {tables, 1};
}

// "edge_logs.prod 24h 5000000;"
std::string Applied(const std::vector<RetentionRule>& rules, const std::vector<RetentionRule>& declared = {},
                    const Catalog& catalog = Logs({"edge_logs", "auth_logs", "postgres_logs"})) {
  const absl::Status status = CheckRetention(rules, catalog);
  if (!status.ok()) return status.ToString();
  std::string text;
  for (const RetentionRule& rule : RulesOfLogs(rules, declared, catalog)) {
    absl::StrAppend(&text, rule.table, " ", absl::FormatDuration(rule.max_age), " ", rule.max_bytes, ";");
  }
  return text;
}

TEST_CASE("each log has the limits of its own rule, and those that it does not set from the rule for all logs") {
  CHECK(Applied({{"edge_logs", 90 * kDay}}) == "edge_logs.prod 2160h 0;");
  CHECK(Applied({{"EDGE_LOGS.prod", kDay, 5}}) == "edge_logs.prod 24h 5;");
  CHECK(Applied({{"*", 30 * kDay}, {"auth_logs", kDay, kTerabyte}}) ==
        "edge_logs.prod 720h 0;auth_logs.prod 24h 1000000000000;postgres_logs.prod 720h 0;");
  CHECK(Applied({{"*", 30 * kDay, 9}, {"auth_logs", kDay}}) ==
        "edge_logs.prod 720h 9;auth_logs.prod 24h 9;postgres_logs.prod 720h 9;");
  CHECK(Applied({{"auth_logs", absl::InfiniteDuration(), 7}, {"*", 30 * kDay}}, {}, Logs({"auth_logs"})) ==
        "auth_logs.prod 720h 7;");
  CHECK(Applied({}).empty());
}

TEST_CASE("the rule for all logs reaches logs that the catalog gets later, but no table that is not a log") {
  const std::vector<RetentionRule> rules = {{"*", 90 * kDay}, {"edge_logs", kDay}};
  CHECK(Applied(rules, {}, Logs({"edge_logs"})) == "edge_logs.prod 24h 0;");
  CHECK(Applied(rules, {}, Logs({"edge_logs", "orders"})) == "edge_logs.prod 24h 0;orders.prod 2160h 0;");
  CHECK(Applied({{"*", 90 * kDay}}, {}, Logs({""})).empty());
}

TEST_CASE("a declared retention counts whole, before the rule for all logs and after one that names the log") {
  const std::vector<RetentionRule> declared = {{"edge_logs", 10 * kDay}, {"auth_logs", 10 * kDay, 5}};
  CHECK(Applied({{"*", 90 * kDay, 9}, {"auth_logs", 30 * kDay}}, declared, Logs({"edge_logs", "auth_logs"})) ==
        "edge_logs.prod 240h 0;auth_logs.prod 720h 9;");
  CHECK(Applied({}, declared, Logs({"edge_logs"})) == "edge_logs.prod 240h 0;");
}

}  // namespace
}  // namespace logquery::serving
