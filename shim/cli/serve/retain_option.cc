// Splits the options at commas, and parses each as LOG=LIMIT.
#include "shim/cli/serve/retain_option.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr int64_t kMaxNumber = 1'000'000;

struct Unit {
  std::string_view name;
  int64_t hours;  // 0: it is of bytes
  int64_t bytes;
};
constexpr Unit kUnits[] = {
    {"h", 1, 0}, {"d", 24, 0}, {"MB", 0, 1'000'000}, {"GB", 0, 1'000'000'000}, {"TB", 0, 1'000'000'000'000}};

absl::Status Wrong(std::string_view text, std::string_view what) {
  return absl::InvalidArgumentError(base::StrCat("--retain ", text, ": ", what));
}

// "90d", "20GB" into the one of the two that it is about.
absl::Status ParseLimit(std::string_view text, std::string_view limit, RetentionRule& to) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), number);
  const std::string_view name = limit.substr(static_cast<size_t>(end - limit.data()));
  const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return u.name == name; });
  if (error != std::errc() || number < 1 || number > kMaxNumber || unit == std::end(kUnits)) {
    return Wrong(text,
                 "a limit is a whole number from 1 on with h or d for an age, MB, GB or TB for a size, such as 90d");
  }
  const bool is_age = unit->hours > 0;
  const bool again = is_age ? to.max_age < absl::InfiniteDuration() : to.max_bytes > 0;
  if (again) return Wrong(text, base::StrCat(to.table, is_age ? " has an age already" : " has a size already"));
  if (is_age) {
    to.max_age = absl::Hours(number * unit->hours);
  } else {
    to.max_bytes = number * unit->bytes;
  }
  return absl::OkStatus();
}

std::vector<std::string_view> Parts(std::string_view list) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    if (comma == list.npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

absl::StatusOr<std::vector<RetentionRule>> ParseRetain(const std::vector<std::string>& options) {
  std::vector<RetentionRule> rules;
  for (const std::string& option : options) {
    for (const std::string_view part : Parts(option)) {
      const size_t equals = part.find('=');
      if (equals == part.npos) return Wrong(part, "it is LOG=LIMIT, such as edge_logs=90d");
      const std::string_view log = part.substr(0, equals);
      auto rule = std::find_if(rules.begin(), rules.end(),
                               [log](const RetentionRule& r) { return base::EqualsIgnoreCase(r.table, log); });
      if (rule == rules.end()) rule = rules.insert(rule, RetentionRule{std::string(log)});
      LOGQUERY_RETURN_IF_ERROR(ParseLimit(part, part.substr(equals + 1), *rule));
    }
  }
  return rules;
}

absl::StatusOr<std::optional<absl::Time>> ParseConfirmedDay(const std::string& option) {
  if (option.empty()) return std::nullopt;
  absl::Time day;
  std::string error;
  if (!absl::ParseTime("%Y-%m-%d", option, absl::UTCTimeZone(), &day, &error)) {
    return absl::InvalidArgumentError(
        base::StrCat("--confirm-clock ", option, ": it is the current date, such as 2026-11-27"));
  }
  return day;
}

absl::StatusOr<MaintenanceRules> MaintenanceRulesOf(const ServeArguments& arguments) {
  MaintenanceRules rules;
  LOGQUERY_ASSIGN_OR_RETURN(rules.retention, ParseRetain(arguments.retain));
  LOGQUERY_ASSIGN_OR_RETURN(rules.clock_confirmed_on, ParseConfirmedDay(arguments.confirm_clock));
  rules.cluster_share = arguments.cluster_percent / 100.0;
  return rules;
}

}  // namespace logquery::shim
