// Matches equal rows by their text first, and only the few that remain pairwise, with the tolerance.
#include "shim/cli/migrate/compare_answers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

using base::StrCat;
using Json = base::SortedJson;  // with sorted members
using Rows = std::vector<base::Json>;

// Rows that are compared pairwise; of more than this, the texts decide.
constexpr size_t kMaxPairwise = 300;

// The same value for everything that counts as equal, but for the tolerance.
Json Canonical(const base::Json& value) {
  if (value.is_object()) {
    Json object = Json::object();
    for (const auto& [name, member] : value.items()) {
      if (!member.is_null()) object[name] = Canonical(member);
    }
    return object;
  }
  if (value.is_array()) {
    Json array = Json::array();
    for (const auto& element : value) array.push_back(Canonical(element));
    return array;
  }
  constexpr double kExact = 9007199254740992.0;
  if (value.is_number_float() && std::abs(value.get<double>()) <= kExact &&
      std::trunc(value.get<double>()) == value.get<double>()) {
    return static_cast<int64_t>(value.get<double>());
  }
  switch (value.kind()) {
    case base::JsonKind::kBool:
      return value.get<bool>();
    case base::JsonKind::kSigned:
      return value.get<int64_t>();
    case base::JsonKind::kUnsigned:
      return value.get<uint64_t>();
    case base::JsonKind::kDouble:
      return value.get<double>();
    case base::JsonKind::kString:
      return value.text();
    default:
      return nullptr;
  }
}

bool Same(const Json& a, const Json& b, double tolerance) {
  if (a.is_number() && b.is_number()) {
    if (a == b) return true;
    const double x = a.get<double>(), y = b.get<double>();
    const bool whole = a.is_number_integer() && b.is_number_integer();
    return !whole && std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
  }
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  if (a.is_array()) {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [tolerance](const Json& x, const Json& y) { return Same(x, y, tolerance); });
  }
  if (!a.is_object()) return a == b;
  return std::all_of(a.items().begin(), a.items().end(), [&](const auto& member) {
    const auto other = b.find(member.first);
    return other != b.end() && Same(member.second, *other, tolerance);
  });
}

std::optional<Rows> RowsOf(const std::string& body) {
  const auto json = base::TryReadJson(body).value_or(nullptr);
  if (!json.is_object() || !json.contains("result") || !json["result"].is_array()) return std::nullopt;
  return json["result"].get<Rows>();
}

// Takes out of both what they share.
void Match(std::vector<Json>& there, std::vector<Json>& here, double tolerance) {
  std::map<std::string, int> counts;
  for (const Json& row : here) ++counts[row.ToString()];
  std::map<std::string, int> shared;
  std::erase_if(there, [&](const Json& row) {
    const auto found = counts.find(row.ToString());
    if (found == counts.end() || found->second == 0) return false;
    --found->second;
    ++shared[found->first];
    return true;
  });
  std::erase_if(here, [&](const Json& row) {
    const auto found = shared.find(row.ToString());
    if (found == shared.end() || found->second == 0) return false;
    --found->second;
    return true;
  });
  if (there.size() > kMaxPairwise || here.size() > kMaxPairwise) return;
  std::erase_if(there, [&](const Json& row) {
    const auto same =
        std::find_if(here.begin(), here.end(), [&](const Json& other) { return Same(row, other, tolerance); });
    if (same == here.end()) return false;
    here.erase(same);
    return true;
  });
}

// The values that the order is by; nullopt: the row does not have them all.
std::optional<Json> KeysOf(const base::Json& row, const std::vector<endpoint::ResultOrder::Key>& keys) {
  Json values = Json::array();
  for (const endpoint::ResultOrder::Key& key : keys) {
    if (!row.is_object()) return std::nullopt;
    auto member = row.end();
    int ordinal = 0;
    for (auto each = row.begin(); each != row.end(); ++each) {
      ++ordinal;
      if (key.column.empty() ? ordinal == key.ordinal : base::EqualsIgnoreCase(each.key(), key.column)) member = each;
    }
    if (member == row.end()) return std::nullopt;
    values.push_back(Canonical(*member));
  }
  return values;
}

// The place at which rows that are the same stand in another order than the query allows; -1: there is none.
int64_t WrongPlace(const Rows& there, const Rows& here, const endpoint::ResultOrder& order, double tolerance) {
  if (!order.ordered || order.keys.empty()) return -1;
  for (size_t i = 0; i < there.size() && i < here.size(); ++i) {
    const std::optional<Json> a = KeysOf(there[i], order.keys), b = KeysOf(here[i], order.keys);
    if (!a || !b) return -1;
    if (!Same(*a, *b, tolerance)) return static_cast<int64_t>(i);
  }
  return -1;
}

std::vector<std::string> Texts(const std::vector<Json>& rows) {
  std::vector<std::string> texts;
  for (const Json& row : rows) texts.push_back(row.ToString());
  return texts;
}

Comparison CompareRows(const Rows& there, const Rows& here, const endpoint::ResultOrder& order, double tolerance) {
  Comparison comparison;
  comparison.rows_there = static_cast<int64_t>(there.size());
  comparison.rows_here = static_cast<int64_t>(here.size());
  std::vector<Json> left, right;
  for (const auto& row : there) left.push_back(Canonical(row));
  for (const auto& row : here) right.push_back(Canonical(row));
  Match(left, right, tolerance);
  if (!left.empty() || !right.empty()) {
    comparison.difference = StrCat(there.size(), there.size() == 1 ? " row there, " : " rows there, ", here.size(),
                                   " here: ", left.size(), " only there, ", right.size(), " only here");
    comparison.only_there = Texts(left);
    comparison.only_here = Texts(right);
    return comparison;
  }
  if (const int64_t place = WrongPlace(there, here, order, tolerance); place >= 0) {
    comparison.difference = StrCat("the same ", there.size(), " rows in another order, from row ", place + 1, " on");
    comparison.only_there = {there[static_cast<size_t>(place)].ToString()};
    comparison.only_here = {here[static_cast<size_t>(place)].ToString()};
    return comparison;
  }
  comparison.equal = true;
  return comparison;
}

}  // namespace

Comparison CompareAnswers(const ShadowAnswer& there, const ShadowAnswer& here, const endpoint::ResultOrder& order,
                          double tolerance) {
  Comparison comparison;
  comparison.equal = there.status == here.status;
  if (!comparison.equal) {
    comparison.difference = StrCat("status ", there.status, " there, ", here.status, " here");
    const ShadowAnswer& failed = there.status == 200 ? here : there;
    (there.status == 200 ? comparison.only_here : comparison.only_there) = {failed.body};
  }
  if (there.status != 200 || here.status != 200) return comparison;
  const std::optional<Rows> left = RowsOf(there.body), right = RowsOf(here.body);
  if (left && right) return CompareRows(*left, *right, order, tolerance);
  comparison.equal = false;
  comparison.difference = StrCat("no rows in the answer ", left ? "here" : "there");
  return comparison;
}

}  // namespace logquery::shim
