// Brings each value to one form by its type in BigQuery SQL, as a text that equal values share, and compares these.
#include "lib/tools/rewrite_sql/compare_forms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"

namespace logquery::tools {
namespace {

using base::Json;
using base::StrCat;

constexpr std::string_view kNames[] = {"BigQuery SQL", "ClickHouse SQL"};
constexpr size_t kMaxShown = 120;      // bytes of a value in a message
constexpr size_t kMaxNearest = 1'000;  // rows among which the most similar one is looked for

// The cells of a row in one form, and the row's place in its answer.
struct Row {
  std::vector<std::string> cells;
  size_t place = 0;
};

Json OneForm(const Json& value, const Type& type);

// A time as microseconds since 1970.
Json TimeForm(const Json& value) {
  if (!value.is_string()) return value;
  absl::Time time;
  std::string error;
  for (const char* format : {"%Y-%m-%dT%H:%M:%E*S", "%Y-%m-%dT%H:%M:%E*S%Ez", "%Y-%m-%d %H:%M:%E*S"}) {
    if (absl::ParseTime(format, value.text(), &time, &error)) return absl::ToUnixMicros(time);
  }
  return value;
}

// Whole numbers have one form, 1 and 1.0.
Json NumberForm(const Json& value) {
  if (value.is_string()) return nullptr;  // "NaN" or an infinity
  constexpr double kExact = 9007199254740992.0;
  if (!value.is_number_float()) return value;
  const double number = value.get<double>();
  const bool whole = std::trunc(number) == number && std::abs(number) <= kExact;
  return whole ? Json(static_cast<int64_t>(number)) : value;
}

Json StructForm(const Json& value, const Type& type) {
  if (!value.is_object()) return value;
  Json object = Json::object();
  for (const Field& field : type.fields()) {
    const auto found = value.find(field.name);
    if (found != value.end()) object[field.name] = OneForm(*found, field.type);
  }
  // A member that the type does not have.
  for (const auto& [name, member] : value.items()) {
    if (type.FindField(name) < 0) object[name] = member;
  }
  return object;
}

Json OneForm(const Json& value, const Type& type) {
  if (value.is_null()) return type.is_array() ? Json::array() : Json(nullptr);
  switch (type.kind()) {
    case TypeKind::kTimestamp:
    case TypeKind::kDatetime:
      return TimeForm(value);
    case TypeKind::kBool:
      return value.is_boolean() ? Json(value.get<bool>() ? 1 : 0) : value;
    case TypeKind::kFloat64:
      return NumberForm(value);
    case TypeKind::kArray: {
      if (!value.is_array()) return value;
      Json list = Json::array();
      for (const Json& element : value) list.push_back(OneForm(element, type.element()));
      return list;
    }
    case TypeKind::kStruct:
      return StructForm(value, type);
    default:
      return value;
  }
}

struct Answer {
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::string problem;
};

Answer ReadAnswer(const FormAnswer& answer, const Schema& types, std::string_view language) {
  Answer read;
  for (const Field& column : types) read.columns.push_back(column.name);
  const std::optional<Json> body = base::TryReadJson(answer.body);
  const bool has_rows = body && body->is_object() && body->contains("result") && (*body)["result"].is_array();
  if (!has_rows) {
    read.problem = StrCat("there are no rows in the answer in ", language);
    return read;
  }
  for (const Json& row : (*body)["result"]) {
    Row made;
    made.place = read.rows.size() + 1;
    size_t at = 0;
    for (const auto& [_, value] : row.items()) {
      made.cells.push_back((at < types.size() ? OneForm(value, types[at].type) : value).ToString());
      ++at;
    }
    read.rows.push_back(std::move(made));
  }
  return read;
}

std::string Shown(const std::string& value) {
  if (value.size() <= kMaxShown) return value;
  size_t end = kMaxShown;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;  // not inside of a character
  return StrCat(std::string_view(value).substr(0, end), "…");
}

// The columns that the order is by; nullopt: it is by something else than columns, or there is none.
std::optional<std::vector<size_t>> KeyColumns(const endpoint::ResultOrder& order,
                                              const std::vector<std::string>& columns) {
  if (!order.ordered || order.keys.empty()) return std::nullopt;
  std::vector<size_t> keys;
  for (const endpoint::ResultOrder::Key& key : order.keys) {
    size_t at = key.column.empty() ? static_cast<size_t>(key.ordinal) - 1 : 0;
    while (!key.column.empty() && at < columns.size() && !base::EqualsIgnoreCase(columns[at], key.column)) ++at;
    if (at >= columns.size()) return std::nullopt;
    keys.push_back(at);
  }
  return keys;
}

size_t CountDifferent(const Row& a, const Row& b) {
  size_t count = 0;
  for (size_t c = 0; c < a.cells.size(); ++c) count += a.cells[c] != b.cells[c] ? 1 : 0;
  return count;
}

std::string CellDifference(const Row& a, const Row& b, const std::vector<std::string>& columns) {
  for (size_t c = 0; c < a.cells.size(); ++c) {
    if (a.cells[c] == b.cells[c]) continue;
    return StrCat("row ", a.place, ", column ", columns[c], ": ", Shown(a.cells[c]), " in ", kNames[0], ", ",
                  Shown(b.cells[c]), " in ", kNames[1]);
  }
  return "";
}

std::string RowText(const Row& row, const std::vector<std::string>& columns) {
  std::vector<std::string> cells;
  for (size_t c = 0; c < row.cells.size(); ++c) cells.push_back(StrCat(columns[c], ": ", row.cells[c]));
  return Shown(base::Join(cells, ", "));
}

// The first difference between rows whose order does not count.
std::string UnorderedDifference(std::vector<Row> a, std::vector<Row> b, const std::vector<std::string>& columns) {
  const auto by_cells = [](const Row& x, const Row& y) { return x.cells < y.cells; };
  std::sort(a.begin(), a.end(), by_cells);
  std::sort(b.begin(), b.end(), by_cells);
  std::vector<Row> rest[2];
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest[0]), by_cells);
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(rest[1]), by_cells);
  const auto by_place = [](const Row& x, const Row& y) { return x.place < y.place; };
  for (std::vector<Row>& rows : rest) std::sort(rows.begin(), rows.end(), by_place);
  for (size_t side = 0; side < 2; ++side) {
    if (rest[side].empty() || !rest[1 - side].empty()) continue;
    const Row& row = rest[side].front();
    return StrCat("row ", row.place, " in ", kNames[side], " (", RowText(row, columns), ") is not in the answer in ",
                  kNames[1 - side]);
  }
  if (rest[0].empty()) return "";
  if (rest[1].size() > kMaxNearest) rest[1].resize(kMaxNearest);
  const Row& first = rest[0].front();
  const auto nearest = std::min_element(rest[1].begin(), rest[1].end(), [&](const Row& x, const Row& y) {
    return CountDifferent(first, x) < CountDifferent(first, y);
  });
  return CellDifference(first, *nearest, columns);
}

// Rows in the order of their keys: the keys have to be equal one by one, and rows that are equal in them to be the same.
std::string OrderedDifference(const Answer& a, const Answer& b, const std::vector<size_t>& keys) {
  const auto same_keys = [&](const Row& x, const Row& y) {
    return std::all_of(keys.begin(), keys.end(), [&](size_t key) { return x.cells[key] == y.cells[key]; });
  };
  const size_t shared = std::min(a.rows.size(), b.rows.size());
  for (size_t begin = 0; begin < shared;) {
    size_t end = begin;
    for (; end < shared && same_keys(a.rows[begin], a.rows[end]); ++end) {
      if (!same_keys(a.rows[end], b.rows[end])) return CellDifference(a.rows[end], b.rows[end], a.columns);
    }
    const auto slice = [&](const Answer& answer) {
      return std::vector<Row>(answer.rows.begin() + static_cast<std::ptrdiff_t>(begin),
                              answer.rows.begin() + static_cast<std::ptrdiff_t>(end));
    };
    std::string difference = UnorderedDifference(slice(a), slice(b), a.columns);
    if (!difference.empty()) return difference;
    begin = end;
  }
  return "";
}

}  // namespace

std::string FormDifference(const FormAnswer& bigquery, const FormAnswer& clickhouse, const FormOrder& order) {
  const Answer a = ReadAnswer(bigquery, bigquery.schema, kNames[0]);
  const Answer b = ReadAnswer(clickhouse, bigquery.schema, kNames[1]);
  for (const Answer* answer : {&a, &b}) {
    if (!answer->problem.empty()) return answer->problem;
  }
  const size_t columns = bigquery.schema.size();
  if (columns != clickhouse.schema.size())
    return StrCat(columns, columns == 1 ? " column in " : " columns in ", kNames[0], ", ", clickhouse.schema.size(),
                  " in ", kNames[1]);
  for (size_t c = 0; order.named && c < columns; ++c) {
    const std::string& name = bigquery.schema[c].name;
    const std::string& other = clickhouse.schema[c].name;
    if (name != other)
      return StrCat("column ", c + 1, " is named ", name, " in ", kNames[0], ", ", other, " in ", kNames[1]);
  }
  const auto whole = [&](const Row& row) { return row.cells.size() == columns; };
  for (size_t side = 0; side < 2; ++side) {
    const Answer& answer = side == 0 ? a : b;
    const auto odd = std::find_if_not(answer.rows.begin(), answer.rows.end(), whole);
    if (odd != answer.rows.end()) return StrCat("row ", odd->place, " in ", kNames[side], " lacks a column");
  }
  const std::optional<std::vector<size_t>> keys = KeyColumns(order.order, a.columns);
  std::string difference = keys ? OrderedDifference(a, b, *keys) : UnorderedDifference(a.rows, b.rows, a.columns);
  if (a.rows.size() == b.rows.size()) return difference;
  const std::string counts = StrCat(a.rows.size(), a.rows.size() == 1 ? " row in " : " rows in ", kNames[0], ", ",
                                    b.rows.size(), " in ", kNames[1]);
  return difference.empty() ? counts : StrCat(counts, "; ", difference);
}

}  // namespace logquery::tools
