// Tells the base of an aggregate's name from its combinators.
#include "lib/clickhouse_sql/resolve/aggregate_name.h"

#include <array>

#include "lib/base/strings.h"

namespace logquery::clickhouse_sql {
namespace {

constexpr std::array<std::string_view, 31> kAggregates = {"count",
                                                          "sum",
                                                          "min",
                                                          "max",
                                                          "avg",
                                                          "any",
                                                          "anyLast",
                                                          "argMin",
                                                          "argMax",
                                                          "uniq",
                                                          "uniqExact",
                                                          "quantile",
                                                          "quantileExact",
                                                          "median",
                                                          "groupArray",
                                                          "groupUniqArray",
                                                          "stddevPop",
                                                          "stddevSamp",
                                                          "varPop",
                                                          "varSamp",
                                                          "countDistinct",
                                                          "uniqCombined",
                                                          "uniqHLL12",
                                                          "quantileTDigest",
                                                          "medianExact",
                                                          "any_value",
                                                          "first_value",
                                                          "last_value",
                                                          "quantiles",
                                                          "corr",
                                                          "sumWithOverflow"};
constexpr std::array<std::string_view, 10> kInAnyCase = {"count", "sum",    "min",       "max",         "avg",
                                                         "any",   "median", "any_value", "first_value", "last_value"};

std::string BaseName(std::string_view name) {
  for (const std::string_view known : kAggregates) {
    if (known == name) return std::string(known);
  }
  for (const std::string_view known : kInAnyCase) {
    if (base::EqualsIgnoreCase(known, name)) return std::string(known);
  }
  return "";
}

}  // namespace

AggregateName ParseAggregateName(std::string_view name) {
  AggregateName parsed;
  bool is_last = false;
  while (true) {
    parsed.base = BaseName(name);
    if (!parsed.base.empty()) return parsed;
    const auto take = [&](std::string_view suffix) {
      if (!name.ends_with(suffix)) return false;
      name.remove_suffix(suffix.size());
      return true;
    };
    const bool or_null = take("OrNull");
    if (or_null || take("OrDefault")) {
      (or_null ? parsed.or_null : parsed.or_default) = true;
      is_last = !parsed.filtered;
    } else if (take("Distinct")) {
      parsed.distinct = true;
    } else if (take("If") && !parsed.filtered) {
      parsed.filtered = true;
      parsed.outside_if = is_last;
    } else if (take("Array") && !parsed.of_array) {
      parsed.of_array = true;
    } else {
      return {};
    }
  }
}

}  // namespace logquery::clickhouse_sql
