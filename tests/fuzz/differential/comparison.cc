#include "tests/fuzz/differential/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lib/base/strings.h"

namespace logquery::fuzz {
namespace {

using nlohmann::json;

bool Near(const json& a, const json& b) {
  if (a.is_number() && b.is_number()) {
    if (!a.is_number_float() && !b.is_number_float()) return a == b;
    const double x = a.get<double>(), y = b.get<double>();
    return std::abs(x - y) <= 1e-9 * std::max({1.0, std::abs(x), std::abs(y)});
  }
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), Near);
  }
  if (a.is_object()) {
    return std::all_of(a.items().begin(), a.items().end(), [&](const auto& item) {
      return b.contains(item.key()) && Near(item.value(), b.at(item.key()));
    });
  }
  return a == b;
}

// Floats with so many digits, and behind all else. Rows that are nearly the same have the same text, but where a number is at the
// edge of its last digit.
std::string SortText(const json& value, int digits) {
  if (value.is_number_float()) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value.get<double>() + 0.0);
    return text;
  }
  if (!value.is_object()) return value.dump();
  std::string exact, floats;
  for (const auto& [key, field] : value.items()) {
    base::StrAppend(field.is_number_float() ? &floats : &exact, key, ":", SortText(field, digits), ",");
  }
  return exact + floats;
}

std::vector<json> Sorted(const json& rows) {
  // Few digits, so that sums in another order come together; then more, for rows that differ in these.
  using Key = std::pair<std::string, std::string>;
  std::vector<std::pair<Key, const json*>> keyed;
  for (const json& row : rows) keyed.emplace_back(Key(SortText(row, 6), SortText(row, 12)), &row);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<json> sorted;
  for (const auto& [key, row] : keyed) sorted.push_back(*row);
  return sorted;
}

// A subquery that looks at no row of the query around it is worked out once, or never where that has no row: BigQuery does
// not say which, and one that gives more than one value then fails or does not.
bool MayBothBe(const Outcome& failed, const Outcome& empty) {
  return failed.status.message().find("More than one row returned by a subquery") != std::string_view::npos &&
         empty.status.ok() && json::parse(empty.body).at("result").empty();
}

std::string Said(const absl::Status& status) {
  return status.ok() ? std::string("rows") : status.ToString().substr(0, 600);
}

}  // namespace

std::string Difference(const Outcome& a, const Outcome& b, const std::vector<std::string>& ordered_by) {
  if (MayBothBe(a, b) || MayBothBe(b, a)) return "";
  if (a.status.code() != b.status.code()) return base::StrCat(Said(a.status), "\n  and\n", Said(b.status));
  if (!a.status.ok() || a.body == b.body) return "";
  const json a_rows = json::parse(a.body).at("result"), b_rows = json::parse(b.body).at("result");
  if (a_rows.size() != b_rows.size()) {
    return base::StrCat(a_rows.size(), " rows and ", b_rows.size());
  }
  const std::vector<json> left = Sorted(a_rows), right = Sorted(b_rows);
  for (size_t i = 0; i < left.size(); ++i) {
    if (!Near(left[i], right[i])) return base::StrCat(left[i].dump(), "\n  and\n", right[i].dump());
  }
  for (size_t i = 0; i < a_rows.size(); ++i) {
    for (const std::string& column : ordered_by) {
      if (Near(a_rows[i].at(column), b_rows[i].at(column))) continue;
      return base::StrCat("row ", i + 1, " by the order of ", column, ": ", a_rows[i].dump(), "\n  and\n",
                          b_rows[i].dump());
    }
  }
  return "";
}

}  // namespace logquery::fuzz
