// Maps of texts, held as the text of a JSON object; and the flattening of a row's record into one.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/ch/ch_lists.h"
#include "lib/functions/json_text.h"

namespace logquery::functions {
namespace {

using Json = base::SortedJson;

std::string TextOf(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return ChFloatText(value.get<double>());
  return WriteJson(value);
}

// A record that is stored as an array of one is the record.
const Json& Unwrapped(const Json& value) {
  return value.is_array() && value.size() == 1 && value[0].is_object() ? value[0] : value;
}

// Recursion is limited by ReadJson. Keys repeat the names above them, so their size is limited together. `flat` maps texts.
template <typename Map>
absl::Status Flatten(const Json& record, const std::string& prefix, const Output& out, size_t& bytes, Map& flat) {
  for (const auto& [key, member] : record.items()) {
    const Json& value = Unwrapped(member);
    if (value.is_null()) continue;
    const std::string name = prefix + key;
    if (value.is_object()) {
      LOGQUERY_RETURN_IF_ERROR(Flatten(value, name + ".", out, bytes, flat));
    } else if (!(value.is_array() && value.empty())) {
      std::string text = TextOf(value);
      bytes += name.size() + text.size();
      LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(bytes));
      flat[name] = std::move(text);
    }
  }
  return absl::OkStatus();
}

// The fields of `metadata` come up, and lose against an equal key of the row itself.
template <typename Map>
absl::Status FlattenRow(const Row& in, const Output& out, Map& flat) {
  LOGQUERY_RETURN_IF_ERROR(in.Spend(in.Text(0).size()));
  LOGQUERY_ASSIGN_OR_RETURN(Json row, ReadJson(in.Text(0)));
  if (!row.is_object()) return absl::InvalidArgumentError("a row that is no JSON object has no attributes");
  size_t bytes = 0;
  if (const auto metadata = row.find("metadata"); metadata != row.end()) {
    const Json& record = Unwrapped(*metadata);
    if (record.is_object()) LOGQUERY_RETURN_IF_ERROR(Flatten(record, "", out, bytes, flat));
    row.erase(metadata);
  }
  return Flatten(row, "", out, bytes, flat);
}

absl::Status Attributes(const Row& in, Output& out) {
  Json flat = Json::object();
  LOGQUERY_RETURN_IF_ERROR(FlattenRow(in, out, flat));
  return out.Text(WriteJson(flat));
}

// All keys, and then their texts in the same order: a map that an engine makes of its own type, without another parse.
absl::Status AttributeParts(const Row& in, Output& out) {
  std::map<std::string, std::string> flat;
  LOGQUERY_RETURN_IF_ERROR(FlattenRow(in, out, flat));
  std::vector<std::optional<std::string>> parts;
  parts.reserve(2 * flat.size());
  for (const auto& [key, text] : flat) parts.emplace_back(key);
  for (auto& [key, text] : flat) parts.emplace_back(std::move(text));
  return out.Texts(parts);
}

absl::Status Get(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json map, ReadJson(in.Text(0)));
  const auto found = map.find(std::string(in.Text(1)));
  return found == map.end() ? out.TextAsItIs("") : out.Text(TextOf(*found));
}

absl::Status Attribute(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json map, ReadJson(in.Text(0)));
  const auto found = map.find(std::string(in.Text(1)));
  return found == map.end() ? absl::OkStatus() : out.Text(TextOf(*found));
}

absl::Status Contains(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json map, ReadJson(in.Text(0)));
  return out.Bool(map.contains(std::string(in.Text(1))));
}

absl::Status Parts(const Row& in, Output& out, bool keys) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json map, ReadJson(in.Text(0)));
  std::vector<std::optional<std::string>> parts;
  for (const auto& [key, value] : map.items()) parts.emplace_back(keys ? key : TextOf(value));
  return out.Texts(parts);
}
absl::Status Keys(const Row& in, Output& out) { return Parts(in, out, true); }
absl::Status Values(const Row& in, Output& out) { return Parts(in, out, false); }

absl::Status MakeMap(const Row& in, Output& out) {
  const TextList keys = in.Texts(0);
  const TextList values = in.Texts(1);
  Json map = Json::object();
  for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
    map[std::string(keys[i].value_or(""))] = std::string(values[i].value_or(""));
  }
  return out.Text(WriteJson(map));
}

// {'key':'value'}
absl::Status MapText(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json map, ReadJson(in.Text(0)));
  std::string text = "{";
  for (const auto& [key, value] : map.items()) {
    base::StrAppend(&text, text.size() == 1 ? "" : ",", ChQuotedText(key), ":", ChQuotedText(TextOf(value)));
    LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(text.size()));
  }
  return out.Text(text + "}");
}

constexpr FunctionEntry kEntries[] = {
    {"lq_ch_attributes", "(STRING) -> STRING", Attributes, "$ch.attributes"},
    {"lq_ch_attribute_parts", "(STRING) -> ARRAY<STRING>", AttributeParts},
    {"lq_ch_attribute", "(STRING, STRING) -> STRING", Attribute},
    {"lq_ch_map_get", "(STRING, STRING) -> STRING", Get, "$ch.map_get"},
    {"lq_ch_map_contains", "(STRING, STRING) -> BOOL", Contains, "$ch.map_contains"},
    {"lq_ch_map_keys", "(STRING) -> ARRAY<STRING>", Keys, "$ch.map_keys"},
    {"lq_ch_map_values", "(STRING) -> ARRAY<STRING>", Values, "$ch.map_values"},
    {"lq_ch_map_text", "(STRING) -> STRING", MapText, "$ch.map_text"},
    {"lq_ch_map", "(ARRAY<STRING>, ARRAY<STRING>) -> STRING", MakeMap, "$ch.map"},
};

}  // namespace

FunctionEntries ChMapFunctions() { return kEntries; }

}  // namespace logquery::functions
