// JSON functions that inspect values: with paths that are not literals, in lax mode, and where DuckDB is less strict
// than GoogleSQL.
#include <algorithm>
#include <set>
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/json_path.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/json_lookup.h"
#include "lib/functions/json_text.h"

namespace logquery::functions {
namespace {

using base::JsonPath;
using base::StrCat;
using Json = base::SortedJson;

absl::StatusOr<std::optional<Json>> Queried(const Row& in, bool legacy) {
  LOGQUERY_ASSIGN_OR_RETURN(const JsonPath path, base::ParseJsonPath(in.Text(1), legacy));
  LOGQUERY_ASSIGN_OR_RETURN(Json root, ReadJson(in.Text(0)));
  if (path.lax) return std::optional<Json>(FindInLaxMode(root, path));
  const Json* found = FindByPath(root, path);
  return found == nullptr ? std::nullopt : std::optional<Json>(*found);
}

// JSON_QUERY; with a third argument TRUE a path may be as JSON_EXTRACT's.
absl::Status Query(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<Json> value, Queried(in, in.Bool(2)));
  return value.has_value() ? out.Text(WriteJson(*value)) : absl::OkStatus();
}

std::string ScalarText(const Json& value) { return value.is_string() ? value.get<std::string>() : WriteJson(value); }

// JSON_VALUE: a scalar, null being NULL.
absl::Status Value(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<Json> value, Queried(in, in.Bool(2)));
  if (!value.has_value() || value->is_structured() || value->is_null()) return absl::OkStatus();
  return out.Text(ScalarText(*value));
}

absl::Status QueryArray(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<Json> value, Queried(in, in.Bool(2)));
  if (!value.has_value() || !value->is_array()) return absl::OkStatus();
  std::vector<std::optional<std::string>> texts;
  for (const Json& element : *value) texts.emplace_back(WriteJson(element));
  return out.Texts(texts);
}

// Returns an array of scalars only.
absl::Status ValueArray(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<Json> value, Queried(in, in.Bool(2)));
  if (!value.has_value() || !value->is_array()) return absl::OkStatus();
  std::vector<std::optional<std::string>> texts;
  for (const Json& element : *value) {
    if (element.is_structured()) return absl::OkStatus();
    texts.emplace_back(element.is_null() ? std::nullopt : std::optional(ScalarText(element)));
  }
  return out.Texts(texts);
}

absl::StatusOr<bool> IsExactMode(std::string_view mode) {
  if (mode == "exact") return true;
  if (mode == "round") return false;
  return absl::InvalidArgumentError(StrCat("wide_number_mode is 'exact' or 'round', not '", mode.substr(0, 40), "'"));
}

absl::Status Parse(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool exact, IsExactMode(in.Text(1)));
  LOGQUERY_ASSIGN_OR_RETURN(const Json value, ReadJson(in.Text(0), exact));
  return out.Text(WriteJson(value));
}

// FLOAT64(JSON): whole numbers that it can't hold are refused in exact mode.
absl::Status Float(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool exact, IsExactMode(in.Text(1)));
  LOGQUERY_ASSIGN_OR_RETURN(const Json value, ReadJson(in.Text(0)));
  if (!value.is_number()) return absl::InvalidArgumentError("the JSON is no number");
  const auto number = value.get<double>();
  const bool fits =
      !value.is_number_integer() ||
      (value.is_number_unsigned()
           ? static_cast<double>(UINT64_MAX) != number && static_cast<uint64_t>(number) == value.get<uint64_t>()
           : static_cast<double>(INT64_MAX) != number && static_cast<int64_t>(number) == value.get<int64_t>());
  if (exact && !fits) {
    return absl::InvalidArgumentError(
        StrCat("the JSON number ", WriteJson(value), " is no FLOAT64 without rounding it"));
  }
  return out.Float(number);
}

absl::Status Layout(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, JsonTextIn(in.Text(0), in.Bool(1)));
  return out.Text(text);
}

enum class KeyMode { kStrict, kLax, kLaxRecursive };

// A name as a step of a path: in quotes where it is no plain word.
std::string KeyText(const std::string& key) {
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '_' || c >= 0x80;
  });
  if (plain) return key;
  std::string text = "\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

struct KeyCollector {
  KeyMode mode;
  int64_t max_depth;
  std::set<std::string> keys;
  size_t bytes = 0;

  absl::Status Collect(const Json& value, const std::string& prefix, int64_t depth, bool in_array, const Row& in,
                       const Output& out) {
    if (value.is_array()) {
      if (mode == KeyMode::kStrict || (in_array && mode != KeyMode::kLaxRecursive)) return absl::OkStatus();
      for (const Json& element : value) LOGQUERY_RETURN_IF_ERROR(Collect(element, prefix, depth, true, in, out));
      return absl::OkStatus();
    }
    if (!value.is_object() || depth >= max_depth) return absl::OkStatus();
    for (const auto& [key, member] : value.items()) {
      LOGQUERY_RETURN_IF_ERROR(in.Spend(prefix.size() + key.size()));
      const std::string name = StrCat(prefix, prefix.empty() ? "" : ".", KeyText(key));
      if (keys.insert(name).second) bytes += name.size();
      LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(bytes));
      LOGQUERY_RETURN_IF_ERROR(Collect(member, name, depth + 1, false, in, out));
    }
    return absl::OkStatus();
  }
};

absl::Status Keys(const Row& in, Output& out) {
  const std::string mode = base::ToLower(in.Text(2));
  KeyCollector collector{KeyMode::kStrict, in.Int(1), {}};
  if (mode == "lax") {
    collector.mode = KeyMode::kLax;
  } else if (mode == "lax recursive") {
    collector.mode = KeyMode::kLaxRecursive;
  } else if (mode != "strict") {
    return absl::InvalidArgumentError("JSON_KEYS: the mode is 'strict', 'lax' or 'lax recursive'");
  }
  if (collector.max_depth <= 0) return absl::InvalidArgumentError("JSON_KEYS: max_depth must be positive");
  LOGQUERY_ASSIGN_OR_RETURN(const Json value, ReadJson(in.Text(0)));
  LOGQUERY_RETURN_IF_ERROR(collector.Collect(value, "", 0, false, in, out));
  return out.Texts(TextList(collector.keys.begin(), collector.keys.end()));
}

void Flatten(const Json& value, std::vector<std::optional<std::string>>& texts) {
  if (!value.is_array()) {
    texts.emplace_back(WriteJson(value));
    return;
  }
  for (const Json& element : value) Flatten(element, texts);
}

absl::Status FlattenAll(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json value, ReadJson(in.Text(0)));
  std::vector<std::optional<std::string>> texts;
  Flatten(value, texts);
  return out.Texts(texts);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_json_query", "(STRING, STRING, BOOL) -> STRING", Query},
    {"lq_json_value", "(STRING, STRING, BOOL) -> STRING", Value},
    {"lq_json_query_array", "(STRING, STRING, BOOL) -> ARRAY<STRING>", QueryArray},
    {"lq_json_value_array", "(STRING, STRING, BOOL) -> ARRAY<STRING>", ValueArray},
    {"lq_json_parse", "(STRING, STRING) -> STRING", Parse},
    {"lq_json_float", "(STRING, STRING) -> FLOAT64", Float},
    {"lq_json_text", "(STRING, BOOL) -> STRING", Layout},
    {"lq_json_keys", "(STRING, INT64, STRING) -> ARRAY<STRING>", Keys},
    {"lq_json_flatten", "(STRING) -> ARRAY<STRING>", FlattenAll},
};

}  // namespace

FunctionEntries JsonQueryFunctions() { return kEntries; }

}  // namespace logquery::functions
