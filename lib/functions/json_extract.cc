// JSON_VALUE, JSON_QUERY and similar functions on text: return the value at a path, with numbers as written. Text that
// is not JSON gives NULL. Results are parts of the argument and therefore need no memory limit.

#include "lib/base/json/value.h"
#include "lib/base/json_find.h"
#include "lib/base/json_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/json_lookup.h"
#include "lib/functions/json_text.h"

namespace logquery::functions {
namespace {

using base::JsonPath;

// The paths that this thread parsed last. A query has few paths; one that computes them does not profit from a larger
// cache.
constexpr size_t kKept = 8;
// A larger buffer is not kept for the next row.
constexpr size_t kKeptBytes = 64 << 10;

absl::StatusOr<const JsonPath*> Path(std::string_view text, bool legacy) {
  thread_local base::StringMap<JsonPath> kept[2];
  auto& map = kept[legacy ? 1 : 0];
  if (const auto found = map.find(text); found != map.end()) return &found->second;
  LOGQUERY_ASSIGN_OR_RETURN(JsonPath path, base::ParseJsonPath(text, legacy));
  if (map.size() >= kKept) map.clear();
  return &(map[text] = std::move(path));
}

// Returns what the path in argument 1 finds in argument 0. The path may be in JSON_EXTRACT's form if argument 2 is
// TRUE. The text is valid until the thread's next row.
absl::StatusOr<std::optional<std::string_view>> Found(const Row& in) {
  LOGQUERY_ASSIGN_OR_RETURN(const JsonPath* path, Path(in.Text(1), in.Bool(2)));
  thread_local std::string compact;
  compact.clear();
  if (compact.capacity() > kKeptBytes) compact = std::string();
  if (!base::AppendCompactJson(in.Text(0), nullptr, compact, base::JsonEscapes::kNeeded)) {
    return std::optional<std::string_view>();
  }
  if (path->lax) {
    LOGQUERY_ASSIGN_OR_RETURN(const base::SortedJson root, ReadJson(compact));
    compact = WriteJson(FindInLaxMode(root, *path));
    return std::optional<std::string_view>(compact);
  }
  return base::FindInCompactJson(compact, *path);
}

bool IsContainer(std::string_view json) { return json[0] == '{' || json[0] == '['; }

// A scalar as a STRING; absent: null.
std::optional<std::string> ScalarText(std::string_view json) {
  if (json == "null") return std::nullopt;
  return json[0] == '"' ? base::JsonStringValue(json) : std::string(json);
}

absl::Status Query(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<std::string_view> found, Found(in));
  return found.has_value() && *found != "null" ? out.TextAsItIs(*found) : absl::OkStatus();
}

absl::Status Value(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<std::string_view> found, Found(in));
  if (!found.has_value() || IsContainer(*found)) return absl::OkStatus();
  const std::optional<std::string> text = ScalarText(*found);
  return text.has_value() ? out.TextAsItIs(*text) : absl::OkStatus();
}

// The elements of the array that is found.
absl::StatusOr<std::optional<std::vector<std::string_view>>> Elements(const Row& in) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<std::string_view> found, Found(in));
  return found.has_value() ? base::CompactJsonElements(*found) : std::nullopt;
}

absl::Status QueryArray(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto elements, Elements(in));
  if (!elements.has_value()) return absl::OkStatus();
  return out.TextsAsTheyAre({elements->begin(), elements->end()});
}

// Returns an array of scalars only.
absl::Status ValueArray(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto elements, Elements(in));
  if (!elements.has_value()) return absl::OkStatus();
  std::vector<std::optional<std::string>> texts;
  for (const std::string_view element : *elements) {
    if (IsContainer(element)) return absl::OkStatus();
    texts.push_back(ScalarText(element));
  }
  return out.TextsAsTheyAre({texts.begin(), texts.end()});
}

constexpr FunctionEntry kEntries[] = {
    {"lq_json_text_query", "(STRING, STRING, BOOL) -> STRING", Query},
    {"lq_json_text_value", "(STRING, STRING, BOOL) -> STRING", Value},
    {"lq_json_text_query_array", "(STRING, STRING, BOOL) -> ARRAY<STRING>", QueryArray},
    {"lq_json_text_value_array", "(STRING, STRING, BOOL) -> ARRAY<STRING>", ValueArray},
};

}  // namespace

FunctionEntries JsonExtractFunctions() { return kEntries; }

}  // namespace logquery::functions
