// Runs both forms of a query, in BigQuery's SQL over logs.all and in ClickHouse's over logs.all.otel, over the same stored
// rows, and compares their answers.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_SQL_BOTH_FORMS_H_
#define LOGQUERY_TESTS_CLICKHOUSE_SQL_BOTH_FORMS_H_

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "tests/endpoint/served_rows.h"
#include "tests/support/folders.h"

namespace logquery {

inline std::vector<Endpoint> BothEndpoints() {
  std::vector<Endpoint> endpoints;
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all.otel" || endpoint.name == "logs.all") endpoints.push_back(std::move(endpoint));
  }
  return endpoints;
}

// Brings values that the two languages write differently to one form: times to microseconds, true and false to 1 and 0.
inline nlohmann::json OneForm(const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_array()) {
    nlohmann::json list = nlohmann::json::array();
    for (const nlohmann::json& element : value) list.push_back(OneForm(element));
    return list;
  }
  if (value.is_object()) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, member] : value.items()) object[name] = OneForm(member);
    return object;
  }
  if (!value.is_string()) return value;
  const std::string& text = value.get_ref<const std::string&>();
  if (text.size() < 19 || text[4] != '-' || text[10] != 'T') return value;
  absl::Time time;
  std::string error;
  for (const char* format : {"%Y-%m-%dT%H:%M:%E*S", "%Y-%m-%dT%H:%M:%E*S%Ez"}) {
    if (absl::ParseTime(format, text, &time, &error)) return absl::ToUnixMicros(time);
  }
  return value;
}

// A FLOAT64 that is not finite is a text in BigQuery's answers, and null in ClickHouse's.
inline bool IsNotFinite(const nlohmann::json& value) {
  return value == "NaN" || value == "Infinity" || value == "-Infinity";
}

inline bool SameValue(const nlohmann::json& a, const nlohmann::json& b) {
  if (a.is_number() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    if (a.is_number_integer() && b.is_number_integer()) return a == b;
    return x == y || std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
  }
  if ((a.is_null() && IsNotFinite(b)) || (b.is_null() && IsNotFinite(a))) return true;
  if (a.is_array() && b.is_array()) return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), SameValue);
  return a == b;
}

// Returns "" if the answers have the same rows, with the same columns; otherwise the first difference. `named`: the names of
// the columns count, too.
inline std::string Difference(const std::string& a, const std::string& b, bool ordered, bool named = true) {
  std::vector<std::vector<std::pair<std::string, nlohmann::json>>> rows[2];
  for (int side = 0; side < 2; ++side) {
    const std::string& body = side == 0 ? a : b;
    const auto parsed = nlohmann::ordered_json::parse(body, nullptr, false);
    if (!parsed.is_object() || !parsed.contains("result")) return body;
    for (const auto& row : parsed["result"]) {
      rows[side].emplace_back();
      for (const auto& [name, value] : row.items())
        rows[side].back().emplace_back(named ? name : "", OneForm(nlohmann::json(value)));
    }
    if (!ordered) std::sort(rows[side].begin(), rows[side].end());
  }
  if (rows[0].size() != rows[1].size()) return base::StrCat(rows[0].size(), " rows and ", rows[1].size(), " rows");
  for (size_t i = 0; i < rows[0].size(); ++i) {
    const auto& x = rows[0][i];
    const auto& y = rows[1][i];
    if (x.size() != y.size()) return base::StrCat("row ", i, " has other columns");
    for (size_t c = 0; c < x.size(); ++c) {
      if ((!named || x[c].first == y[c].first) && SameValue(x[c].second, y[c].second)) continue;
      return base::StrCat("row ", i, ": ", x[c].first, " is ", x[c].second.dump(), ", and ", y[c].first, " is ",
                          y[c].second.dump());
    }
  }
  return "";
}

// The query kit's 30,000 rows.
struct KitRows : ServedRows {
  KitRows() : ServedRows(BothEndpoints()) {
    const std::filesystem::path rows = folder / "kit";
    const std::string made = base::StrCat("python3 ", testing::SourcePath("tests/engines/kit/gen.py"),
                                          " --rows 30000 --days 7 --projects 20 --seed 4242 --end 2026-03-04T05:06:07Z "
                                          "--out ",
                                          rows.string(), " >/dev/null");
    REQUIRE(std::system(made.c_str()) == 0);
    for (const auto& entry : std::filesystem::directory_iterator(rows)) {
      if (entry.path().extension() != ".ndjson") continue;
      const auto report =
          backend->store().Load({.table = entry.path().stem().string(), .files = {entry.path().string()}}, nullptr);
      INFO(report.status().ToString());
      REQUIRE(report.ok());
    }
  }
};

}  // namespace logquery

#endif  // LOGQUERY_TESTS_CLICKHOUSE_SQL_BOTH_FORMS_H_
