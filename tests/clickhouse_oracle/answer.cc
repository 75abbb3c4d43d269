// Values by their types' names, and the comparison of rows.
#include "tests/clickhouse_oracle/answer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::clickhouse_oracle {
namespace {

using base::StrCat;
using Json = nlohmann::json;

constexpr double kTolerance = 1e-9;

// One U+FFFD for each run of bytes that are no UTF-8.
std::string ValidUtf8(std::string_view bytes) {
  std::string text;
  bool in_run = false;
  for (size_t at = 0; at < bytes.size();) {
    size_t length = 1;
    while (length <= 4 && at + length <= bytes.size() && !base::IsValidUtf8(bytes.substr(at, length))) ++length;
    const bool valid = length <= 4 && at + length <= bytes.size();
    if (valid) {
      text.append(bytes.substr(at, length));
      at += length;
    } else {
      if (!in_run) text += "\xEF\xBF\xBD";
      ++at;
    }
    in_run = !valid;
  }
  return text;
}

// "Array(Tuple(UInt8, String))" has the argument "Tuple(UInt8, String)".
std::vector<std::string_view> Arguments(std::string_view type) {
  std::vector<std::string_view> found;
  const size_t open = type.find('(');
  if (open == std::string_view::npos) return found;
  type = type.substr(open + 1, type.size() - open - 2);
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= type.size(); ++i) {
    if (i < type.size() && type[i] != ',') {
      depth += type[i] == '(' ? 1 : type[i] == ')' ? -1 : 0;
      continue;
    }
    if (i < type.size() && depth > 0) continue;
    found.push_back(type.substr(begin, i - begin));
    begin = i + 2;  // ", "
  }
  return found;
}

std::string TimeText(std::string text, std::string_view type) {
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  constexpr size_t kLongest = 26;  // microseconds
  if (type.starts_with("DateTime64") && text.size() > kLongest) text.resize(kLongest);
  return text;
}

std::string DecimalText(const Json& value, std::string_view type) {
  const int scale = std::atoi(std::string(Arguments(type).back()).c_str());
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", scale, value.get<double>());
  return text;
}

// Takes the name of a tuple's part, `name Type`, off its front.
std::string TakeName(std::string_view& part) {
  const bool quoted = part.starts_with('`');
  const size_t end = quoted ? part.find('`', 1) + 1 : part.find(' ');
  std::string name(quoted ? part.substr(1, end - 2) : part.substr(0, end));
  part.remove_prefix(std::min(part.size(), end + 1));
  return name;
}

Json InAnswerForm(const Json& value, std::string_view type) {
  const std::vector<std::string_view> arguments = Arguments(type);
  if (type.starts_with("Nullable(") || type.starts_with("LowCardinality(")) return InAnswerForm(value, arguments[0]);
  if (value.is_null()) return value;
  if (value.is_object() && type.starts_with("Tuple(")) {
    Json made = Json::object();
    for (std::string_view part : arguments) {
      const std::string name = TakeName(part);
      made[name] = InAnswerForm(value[name], part);
    }
    return made;
  }
  if (type.starts_with("Array(") || type.starts_with("Tuple(")) {
    Json made = Json::array();
    for (size_t i = 0; i < value.size(); ++i)
      made.push_back(InAnswerForm(value[i], type.starts_with("Array(") ? arguments[0] : arguments[i]));
    return made;
  }
  if (type.starts_with("DateTime")) return TimeText(value.get<std::string>(), type);
  if (type.starts_with("Decimal") && value.is_number()) return DecimalText(value, type);
  // 64-bit integers may be in quotes.
  if (type.find("Int") != std::string_view::npos && value.is_string()) return Json::parse(value.get<std::string>());
  return value;
}

bool SameNumber(const Json& a, const Json& b) {
  if (!a.is_number_float() && !b.is_number_float()) return a == b;
  const double x = a.get<double>(), y = b.get<double>();
  return x == y || std::fabs(x - y) <= kTolerance * std::max(std::fabs(x), std::fabs(y));
}

bool Same(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) return SameNumber(a, b);
  if (a.is_array() && b.is_array()) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), Same);
  }
  return a == b;
}

// A text that orders equal rows next to each other; numbers that differ in the last digits mostly have one text.
std::string SortText(const Json& value) {
  if (value.is_array()) {
    std::string text = "[";
    for (const Json& part : value) base::StrAppend(&text, SortText(part), ",");
    return text + "]";
  }
  if (!value.is_number()) return value.dump();
  char text[64];
  std::snprintf(text, sizeof text, "%.8g", value.get<double>());
  return text;
}

std::string Shown(const Json& row) {
  std::string text = row.dump();
  constexpr size_t kLongest = 400;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "…";
}

}  // namespace

Answer ReadEndpoint(std::string_view body) {
  Answer answer;
  // The order of keys is that of the columns.
  const auto document = nlohmann::ordered_json::parse(body, nullptr, false);
  if (document.is_discarded() || !document.contains("result")) {
    answer.error = std::string(body);
    return answer;
  }
  for (const auto& row : document["result"]) {
    Json made = Json::array();
    for (const auto& [name, value] : row.items()) made.push_back(Json(value));
    answer.rows.push_back(std::move(made));
  }
  return answer;
}

Answer ReadClickHouse(std::string_view body) {
  Answer answer;
  const std::string text = ValidUtf8(body);
  // Each piece of a stream repeats the names and types.
  std::string names, kinds;
  size_t number = 0;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    at = end + 1;
    if (line.is_discarded()) {
      answer.error = StrCat("no JSON: ", text.substr(0, 300));
      return answer;
    }
    if (number == 0) names = line.dump();
    if (number == 0) answer.names = line.get<std::vector<std::string>>();
    if (number == 1) kinds = line.dump();
    if (number == 1) answer.types = line.get<std::vector<std::string>>();
    if (number < 2 || line.dump() == names || line.dump() == kinds) continue;
    Json made = Json::array();
    for (size_t i = 0; i < line.size(); ++i) made.push_back(InAnswerForm(line[i], answer.types[i]));
    answer.rows.push_back(std::move(made));
  }
  return answer;
}

std::string PlainType(std::string_view type) {
  constexpr std::string_view kWrapper = "LowCardinality(";
  const size_t begin = type.find(kWrapper);
  if (begin == std::string_view::npos) return std::string(type);
  size_t end = begin + kWrapper.size();
  for (int depth = 1; end < type.size(); ++end) {
    depth += type[end] == '(' ? 1 : type[end] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  const std::string_view inner = type.substr(begin + kWrapper.size(), end - begin - kWrapper.size());
  return PlainType(StrCat(type.substr(0, begin), inner, type.substr(end + 1)));
}

std::string RowDifference(const Answer& ours, const Answer& right, bool ordered) {
  if (ours.rows.size() != right.rows.size()) {
    return StrCat(ours.rows.size(), " rows for ", right.rows.size(), "; ours begin with ",
                  ours.rows.empty() ? "nothing" : Shown(ours.rows[0]), ", right is ",
                  right.rows.empty() ? "nothing" : Shown(right.rows[0]));
  }
  std::vector<const Json*> a, b;
  for (const Json& row : ours.rows) a.push_back(&row);
  for (const Json& row : right.rows) b.push_back(&row);
  if (!ordered) {
    for (auto* rows : {&a, &b}) {
      std::vector<std::pair<std::string, const Json*>> sorted;
      for (const Json* row : *rows) sorted.emplace_back(SortText(*row), row);
      std::stable_sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
      for (size_t i = 0; i < sorted.size(); ++i) (*rows)[i] = sorted[i].second;
    }
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (Same(*a[i], *b[i])) continue;
    // Sorted by texts, rows with floats may have changed places.
    const auto there = ordered ? b.end()
                               : std::find_if(b.begin() + static_cast<std::ptrdiff_t>(i), b.end(),
                                              [&](const Json* row) { return Same(*a[i], *row); });
    if (there == b.end()) return StrCat("row ", i, " is ", Shown(*a[i]), ", right is ", Shown(*b[i]));
    std::swap(b[i], *there);
  }
  return "";
}

}  // namespace logquery::clickhouse_oracle
