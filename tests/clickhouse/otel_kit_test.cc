// The kit of queries in ClickHouse SQL over one table of all logs: the answers are those of the folder that was exported into it.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "tests/clickhouse/both_layouts.h"
#include "tests/support/folders.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using Json = nlohmann::json;

constexpr char kNow[] = "2026-03-04T05:06:07Z";

// The rows of which the kit's answers are made.
struct OtelKit : BothLayouts {
  OtelKit() : BothLayouts(kNow, Fill) {}

  static void Fill(BothLayouts& both) {
    const std::string rows = both.path + "/rows";
    const std::string make =
        StrCat("python3 ", SourcePath("tests/engines/kit/gen.py"),
               " --rows 30000 --days 7 --projects 20 --seed 4242 --end ", kNow, " --out ", rows, " >/dev/null");
    REQUIRE(std::system(make.c_str()) == 0);
    for (const auto& entry : std::filesystem::directory_iterator(rows)) {
      if (entry.path().extension() == ".ndjson") both.LoadFile(entry.path().stem().string(), entry.path().string());
    }
  }

  std::string Answer(QueryService& service, const Json& query) const {
    QueryRequest request;
    request.endpoint = "logs.all.otel";
    request.parameters = {{"project", query["project"].get<std::string>()}, {"project_tier", "ENTERPRISE"}};
    for (const auto& [name, value] : query["params"].items()) {
      request.parameters.emplace_back(name, value.get<std::string>());
    }
    request.parameters.emplace_back("sql", query["sql"].get<std::string>());
    const auto answer = service.Run(request);
    return answer.ok() ? answer->body : answer.status().ToString();
  }
};

bool Same(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number() && (a.is_number_float() || b.is_number_float())) {
    const double x = a.get<double>(), y = b.get<double>();
    return x == y || std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
  }
  if ((a.is_array() && b.is_array()) || (a.is_object() && b.is_object()))
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), Same);
  return a == b;
}

// Whether both are rows, the same ones, in the same order if that is defined.
bool SameRows(const std::string& a, const std::string& b, bool ordered) {
  Json rows[2] = {Json::parse(a, nullptr, false), Json::parse(b, nullptr, false)};
  for (Json& answer : rows) {
    if (!answer.is_object() || !answer.contains("result")) return false;
    answer = answer["result"];
    if (!ordered) std::sort(answer.begin(), answer.end());
  }
  return Same(rows[0], rows[1]);
}

// Each `step`th query of the kit.
void CheckKit(size_t step) {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  const OtelKit kit;
  std::ifstream file(SourcePath("tests/clickhouse_sql/kit/queries.jsonl"));
  size_t at = 0, answered = 0, refused = 0;
  for (std::string line; std::getline(file, line); ++at) {
    if (at % step != 0) continue;
    const Json query = Json::parse(line);
    const std::string id = query["id"].get<std::string>();
    const std::string expected = kit.Answer(*kit.folder_service, query);
    const std::string answer = kit.Answer(*kit.table_service, query);
    CAPTURE(id, query["sql"].get<std::string>(), expected.substr(0, 500), answer.substr(0, 500));
    if (!expected.starts_with("{\"result\"")) {
      ++refused;
      CHECK(answer == expected);
      continue;
    }
    ++answered;
    CHECK(SameRows(expected, answer, query.value("ordered", true)));
  }
  CAPTURE(answered, refused);
  CHECK(answered * step >= 120);
  CHECK(refused * step >= 20);
}

TEST_CASE("a part of the ClickHouse kit has the folder's answers over one table of all logs", "[clickhouse]") {
  CheckKit(7);
}

TEST_CASE("the whole ClickHouse kit has the folder's answers over one table of all logs", "[clickhouse][nightly]") {
  CheckKit(1);
}

}  // namespace
}  // namespace logquery::testing
