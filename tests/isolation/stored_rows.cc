#include "tests/isolation/stored_rows.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "lib/base/strings.h"

namespace logquery::isolation {
namespace {

using Json = nlohmann::ordered_json;

// How the values of a column repeat: it decides how DuckDB compresses them.
enum class Shape { kRepeated, kUnique, kConstant, kSorted, kRare };

struct StoredColumn {
  std::string path;  // "metadata.request.host" for a leaf of a record
  Json declared;     // its type in the schema file; null: the store learns the field
  Shape shape = Shape::kRepeated;
  std::vector<Json> own;
  std::vector<Json> hostile = {};  // empty: the pool of the type
};

constexpr int64_t kRareEvery = 40;

// The texts of a text column in hidden rows: for every function that reads text, some of these raise an error.
const std::vector<Json>& HostileTexts() {
  static const auto* texts = new std::vector<Json>{
      "zqx",
      "",
      "(zqx",
      "[zqx",
      "*zqx",
      "zqx\\",
      "%zqx",
      "%Ezqx",
      "$.zqx[",
      "{\"a\": zqx",
      "{\"a\": \"zqx\"}",
      "[\"zqx\", {}]",
      "\"zqx\"",
      "9223372036854775808",
      "-99999999999999999999999999999999999999999999",
      "1e999zqx",
      "NaN",
      "-inf",
      "0",
      "-1",
      "2026-02-30",
      "2026-13-45 25:61:61 zqx",
      "9999-12-31 23:59:59.9999999+14",
      "zqx/Nowhere",
      "+99:99",
      "=zqx=",
      "0xzqx",
      std::string("a\0zqx", 5),
      "\xF0\x9F\x98\x80zqx",
      "]}zqx{[",
      "1.2.3.4.zqx",
      "zqx" + std::string(3'000, 'z'),
  };
  return *texts;
}

const std::vector<Json>& HostileOf(const StoredColumn& column) {
  static const auto* ints = new std::vector<Json>{
      0,         -1,    4'242'424'242, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(),
      1'114'112, 55'296};
  static const auto* floats = new std::vector<Json>{0.0, -1.5, 1e308, -1e308, 4242424242.5, 5e-324, "NaN", "Infinity"};
  static const auto* bools = new std::vector<Json>{false};
  if (!column.hostile.empty()) return column.hostile;
  if (column.declared == "INT64") return *ints;
  if (column.declared == "FLOAT64") return *floats;
  if (column.declared == "BOOL") return *bools;
  return HostileTexts();
}

std::vector<Json> Numbers(int from, int to) {
  std::vector<Json> numbers;
  for (int i = from; i <= to; ++i) numbers.push_back(i);
  return numbers;
}

std::vector<Json> NumberTexts(int from, int to) {
  std::vector<Json> texts;
  for (int i = from; i <= to; ++i) texts.push_back(base::StrCat(i));
  return texts;
}

std::vector<StoredColumn> TextColumns() {
  return {
      {"event_message", "STRING", Shape::kRepeated, NumberTexts(1, 40)},
      {"number_unique", "STRING", Shape::kUnique, {"1"}},
      {"number_constant", "STRING", Shape::kConstant, {"5"}},
      {"number_sorted", "STRING", Shape::kSorted, {"1"}},
      {"number_rare", "STRING", Shape::kRare, NumberTexts(1, 9)},
      // Own rows of which half are no numbers: SAFE functions give NULL on them, others fail whoever's rows lie beside.
      {"mixed", "STRING", Shape::kRepeated, {"7", "seven", "8", "", "9", "nine"}},
      {"word", "STRING", Shape::kRepeated, {"abc", "def", "Abc-1", "x y z", "GET /rest"}},
      {"decimal_text", "STRING", Shape::kRepeated, {"1.5", "2.25", "1e3", "4"}},
      {"truth_text", "STRING", Shape::kRepeated, {"true", "false", "TRUE"}},
      {"date_text", "STRING", Shape::kRepeated, {"2026-03-04", "2024-02-29", "1999-12-31"}},
      {"time_text", "STRING", Shape::kRepeated, {"05:06:07", "23:59:59.5"}},
      {"moment_text", "STRING", Shape::kRepeated, {"2026-03-04 05:06:07+00", "2024-02-29 23:59:59.5+00"}},
      {"clock_text", "STRING", Shape::kRepeated, {"2026-03-04 05:06:07", "2024-02-29 23:59:59.5"}},
      {"json_text",
       "STRING",
       Shape::kRepeated,
       {R"({"a": 7, "b": {"c": "x"}, "list": [1, 2]})", R"({"a": 8, "b": {"c": "y"}, "list": []})"}},
      {"json_path", "STRING", Shape::kRepeated, {"$.a", "$.b.c", "$"}},
      {"json_number", "STRING", Shape::kRepeated, {"7", "8"}},
      {"json_string", "STRING", Shape::kRepeated, {R"("x")", R"("y")"}},
      {"json_truth", "STRING", Shape::kRepeated, {"true", "false"}},
      {"hex_text", "STRING", Shape::kRepeated, {"00ff", "61626364"}},
      {"base64_text", "STRING", Shape::kRepeated, {"YWJj", "ZGVm"}},
      {"base32_text", "STRING", Shape::kRepeated, {"MFRGGZA=", "MFRGG==="}},
      {"zone", "STRING", Shape::kRepeated, {"UTC", "Europe/Berlin", "+02:00"}},
      {"pattern", "STRING", Shape::kRepeated, {"[a-z]+", "b", "^x"}},
      {"format_text", "STRING", Shape::kRepeated, {"%d", "<%5d>"}},
      {"time_format", "STRING", Shape::kRepeated, {"%F", "%Y-%m-%d"}},
      {"interval_text", "STRING", Shape::kRepeated, {"1-2 3 4:5:6", "0-0 1 0:0:0"}},
      {"ip_text", "STRING", Shape::kRepeated, {"10.1.2.3", "::1"}},
      {"normal_form", "STRING", Shape::kRepeated, {"a", "é"}},
  };
}

std::vector<StoredColumn> OtherColumns() {
  const Json huge = 4'242'424'242;
  return {
      {"part", "INT64", Shape::kRepeated, Numbers(0, 99), Numbers(0, 99)},
      {"small", "INT64", Shape::kRepeated, Numbers(1, 9)},
      {"serial", "INT64", Shape::kSorted, {1}},
      {"always", "INT64", Shape::kConstant, {3}},
      {"seldom", "INT64", Shape::kRare, Numbers(1, 9)},
      {"letter", "INT64", Shape::kRepeated, Numbers(65, 90)},
      {"year", "INT64", Shape::kRepeated, Numbers(2'000, 2'026)},
      {"month", "INT64", Shape::kRepeated, Numbers(1, 12)},
      {"ratio", "FLOAT64", Shape::kRepeated, {0.5, 1.5, 2.0, 40.25}},
      {"unit", "FLOAT64", Shape::kRepeated, {0.25, 0.5, 1.0}},
      {"flag", "BOOL", Shape::kRepeated, {true}},
      {"tags",
       {"STRING"},
       Shape::kRepeated,
       {{"a", "b", "c"}, {"1", "2", "3"}},
       {Json::array(), {"zqx"}, {"(zqx", ""}}},
      {"counts", {"INT64"}, Shape::kRepeated, {{1, 2, 3}, {4, 5, 6}}, {Json::array(), {0}, {huge, -1}}},
      {"metadata.level", "STRING", Shape::kRepeated, {"1", "2", "3"}},
      {"metadata.request.path", "STRING", Shape::kRepeated, NumberTexts(10, 30)},
      {"metadata.request.number", "STRING", Shape::kRepeated, NumberTexts(1, 30)},
      {"metadata.request.body", "STRING", Shape::kRepeated, {R"({"a": 1})", R"({"a": 2})"}},
      {"metadata.request.extra", nullptr, Shape::kRepeated, NumberTexts(1, 20)},
      {"metadata.response.status_code", "INT64", Shape::kRepeated, {200, 404, 500}},
      {"metadata.response.seconds", "FLOAT64", Shape::kRepeated, {0.5, 1.0, 2.0}},
  };
}

const std::vector<StoredColumn>& Columns() {
  static const auto* columns = [] {
    auto* all = new std::vector<StoredColumn>(TextColumns());
    for (StoredColumn& column : OtherColumns()) all->push_back(std::move(column));
    return all;
  }();
  return *columns;
}

Json& At(Json& object, std::string_view path) {
  Json* place = &object;
  for (size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    place = &(*place)[std::string(path.substr(0, dot))];
    path.remove_prefix(dot + 1);
  }
  return (*place)[std::string(path)];
}

// A value for each row, unlike every other, ascending with the number where the column is sorted.
Json Numbered(const StoredColumn& column, const RowPlan& plan) {
  const bool sorted = column.shape == Shape::kSorted;
  const int64_t number = 1'000'000 + (sorted ? plan.number : plan.number * 7919 % 1'000'000);
  if (column.declared == "INT64") {
    return plan.hostile ? std::numeric_limits<int64_t>::max() - 2'000'000 + number : number;
  }
  if (!plan.hostile) return base::StrCat(number);
  return base::StrCat(sorted ? "(zqx" : HostileTexts()[static_cast<size_t>(number) % 20].get<std::string>(), "zqx",
                      number);
}

Json ValueOf(const StoredColumn& column, const RowPlan& plan) {
  const std::vector<Json>& values = plan.hostile ? HostileOf(column) : column.own;
  switch (column.shape) {
    case Shape::kConstant:
      return values.front();
    case Shape::kUnique:
    case Shape::kSorted:
      return Numbered(column, plan);
    case Shape::kRare:
      if (plan.number % kRareEvery != 0) return nullptr;
      return values[static_cast<size_t>(plan.number / kRareEvery) % values.size()];
    case Shape::kRepeated:
      break;
  }
  return values[static_cast<size_t>(plan.number) % values.size()];
}

}  // namespace

std::string SchemaText() {
  Json schema;
  Json& table = schema[kTable];
  table["log"] = "tenant_logs";
  table["time"] = "timestamp";
  table["project"] = {"project"};
  table["hot"]["values"] = {"metadata.request.path", "metadata.response.status_code"};
  table["hot"]["presence"] = {"metadata", "metadata.request", "metadata.response"};
  Json& columns = table["columns"];
  columns = {{"id", "STRING"}, {"timestamp", "TIMESTAMP"}, {"project", "STRING"}, {"address", "STRING"}};
  for (const StoredColumn& column : Columns()) {
    if (!column.declared.is_null()) At(columns, column.path) = column.declared;
  }
  return schema.dump();
}

std::string MakeRow(const RowPlan& plan) {
  Json row;
  row["id"] = base::StrCat(plan.hostile ? "zqx" : "id", 10'000'000 + plan.number);
  row["timestamp"] = absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", plan.time, absl::UTCTimeZone());
  row["project"] = plan.project;
  row["address"] = base::StrCat("from ", plan.address, " to x");
  for (const StoredColumn& column : Columns()) {
    Json value = ValueOf(column, plan);
    if (!value.is_null()) At(row, column.path) = std::move(value);
  }
  return row.dump();
}

const std::map<std::string, std::vector<std::string>>& Roles() {
  static const auto* roles = new std::map<std::string, std::vector<std::string>>{
      {"number",
       {"t.event_message", "t.number_unique", "t.number_constant", "t.number_sorted", "t.number_rare", "r.number",
        "r.path", "r.extra", "m.level"}},
      {"json", {"t.json_text", "r.body"}},
      {"int", {"t.small", "t.serial", "t.always", "t.seldom", "s.status_code"}},
      {"float", {"t.ratio", "s.seconds"}},
  };
  return *roles;
}

}  // namespace logquery::isolation
