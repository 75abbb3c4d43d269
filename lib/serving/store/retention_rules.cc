// Compares names without case, as the store does when it looks for a table.
#include "lib/serving/store/retention_rules.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/nearest_names.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

constexpr std::string_view kEveryLog = "*";

bool IsFor(const RetentionRule& rule, const Table& table) {
  return base::EqualsIgnoreCase(rule.table, table.name) ||
         (!table.log.empty() && base::EqualsIgnoreCase(rule.table, table.log));
}

// Returns nullptr if no rule names the table.
const RetentionRule* FindRule(const std::vector<RetentionRule>& rules, const Table& table) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&table](const RetentionRule& rule) { return IsFor(rule, table); });
  return found == rules.end() ? nullptr : &*found;
}

const RetentionRule* FindRuleForAll(const std::vector<RetentionRule>& rules) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [](const RetentionRule& rule) { return rule.table == kEveryLog; });
  return found == rules.end() ? nullptr : &*found;
}

absl::Status UnknownLog(const std::string& name, const Catalog& catalog) {
  std::vector<std::string> logs;
  for (const Table& table : catalog.tables()) logs.push_back(table.log.empty() ? table.name : table.log);
  return absl::InvalidArgumentError(
      base::StrCat("retention: there is no log ", name, base::DidYouMean(base::NearestNames(name, logs))));
}

absl::Status CheckRule(const std::vector<RetentionRule>& rules, const RetentionRule& rule, const Catalog& catalog) {
  if (rule.max_age <= absl::ZeroDuration() || rule.max_bytes < 0) {
    return absl::InvalidArgumentError(base::StrCat("retention: a limit of ", rule.table, " is not positive"));
  }
  const RetentionRule* first = nullptr;
  if (rule.table == kEveryLog) {
    first = FindRuleForAll(rules);
  } else {
    const std::vector<Table>& tables = catalog.tables();
    const auto table =
        std::find_if(tables.begin(), tables.end(), [&rule](const Table& known) { return IsFor(rule, known); });
    if (table == tables.end()) return UnknownLog(rule.table, catalog);
    first = FindRule(rules, *table);
  }
  if (first == &rule) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat("retention: there are two rules for ", rule.table));
}

}  // namespace

absl::Status CheckRetention(const std::vector<RetentionRule>& rules, const Catalog& catalog) {
  absl::Status status;
  for (const RetentionRule& rule : rules) status.Update(CheckRule(rules, rule, catalog));
  return status;
}

std::vector<RetentionRule> RulesOfLogs(const std::vector<RetentionRule>& rules,
                                       const std::vector<RetentionRule>& declared, const Catalog& catalog) {
  const RetentionRule* const for_all = FindRuleForAll(rules);
  std::vector<RetentionRule> applied;
  for (const Table& table : catalog.tables()) {
    RetentionRule rule;
    if (const RetentionRule* const own = FindRule(rules, table); own != nullptr) {
      rule = *own;
      if (for_all != nullptr && rule.max_age == absl::InfiniteDuration()) rule.max_age = for_all->max_age;
      if (for_all != nullptr && rule.max_bytes == 0) rule.max_bytes = for_all->max_bytes;
    } else if (const RetentionRule* const of_log = FindRule(declared, table); of_log != nullptr) {
      rule = *of_log;
    } else if (for_all != nullptr && !table.log.empty()) {
      rule = *for_all;
    } else {
      continue;
    }
    rule.table = table.name;
    applied.push_back(std::move(rule));
  }
  return applied;
}

}  // namespace logquery::serving
