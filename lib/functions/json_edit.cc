// JSON_SET, JSON_REMOVE, JSON_ARRAY_APPEND, JSON_ARRAY_INSERT and JSON_STRIP_NULLS.
//
// All but the last two take alternating paths and values, each value as JSON text; a value that is an ARRAY is passed as
// its JSON. A NULL path leaves the JSON unchanged.
#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/json_path.h"
#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/json_text.h"

namespace logquery::functions {
namespace {

using base::JsonPath;
using base::JsonStep;
using base::StrCat;
using Json = base::SortedJson;

// A larger index would have an array be filled with as many nulls.
absl::Status CheckIndex(uint64_t index) {
  if (index < static_cast<uint64_t>(base::kMaxGeneratedElements)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat("a JSON array may have at most ", base::kMaxGeneratedElements, " elements, not ", index));
}

void Extend(Json& array, uint64_t size) {
  while (array.size() < size) array.push_back(nullptr);
}

// The value at a step; nullptr: there is none. `create`: it is made, and null becomes what the step wants.
absl::StatusOr<Json*> Step(Json& value, const JsonStep& step, bool create) {
  if (create && value.is_null()) value = step.index.has_value() ? Json::array() : Json::object();
  if (step.index.has_value()) {
    if (!value.is_array()) return nullptr;
    if (*step.index >= value.size()) {
      if (!create) return nullptr;
      LOGQUERY_RETURN_IF_ERROR(CheckIndex(*step.index));
      Extend(value, *step.index + 1);
    }
    return &value[*step.index];
  }
  if (!value.is_object()) return nullptr;
  const auto found = value.find(step.member);
  if (found != value.end()) return &*found;
  return create ? &value[step.member] : nullptr;
}

// The value `path` leads to but for its last `left_out` steps.
absl::StatusOr<Json*> Follow(Json& root, const JsonPath& path, size_t left_out, bool create) {
  Json* value = &root;
  for (size_t i = 0; i + left_out < path.steps.size() && value != nullptr; ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(value, Step(*value, path.steps[i], create));
  }
  return value;
}

// Returns whether the path exists or can be created: up to a null or missing value, each value on it has the right
// type.
bool IsOpen(const Json& root, const JsonPath& path) {
  const Json* value = &root;
  for (const JsonStep& step : path.steps) {
    if (value->is_null()) return true;
    if (step.index.has_value() ? !value->is_array() : !value->is_object()) return false;
    if (step.index.has_value()) {
      if (*step.index >= value->size()) return true;
      value = &(*value)[*step.index];
      continue;
    }
    const auto found = value->find(step.member);
    if (found == value->end()) return true;
    value = &*found;
  }
  return true;
}

absl::StatusOr<JsonPath> EditPath(std::string_view text) {
  LOGQUERY_ASSIGN_OR_RETURN(JsonPath path, base::ParseJsonPath(text));
  if (path.lax) return absl::InvalidArgumentError("a path to what is changed can't be lax");
  return path;
}

absl::Status Set(Json& root, const JsonPath& path, Json value, bool create) {
  if (create && !IsOpen(root, path)) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(Json * target, Follow(root, path, 0, create));
  if (target != nullptr) *target = std::move(value);
  return absl::OkStatus();
}

// `each`: an array's elements one by one.
absl::Status Append(Json& root, const JsonPath& path, Json value, bool each) {
  LOGQUERY_ASSIGN_OR_RETURN(Json * target, Follow(root, path, 0, false));
  if (target == nullptr) return absl::OkStatus();
  if (target->is_null()) *target = Json::array();
  if (!target->is_array()) return absl::OkStatus();
  if (!each || !value.is_array()) {
    target->push_back(std::move(value));
    return absl::OkStatus();
  }
  for (Json& element : value) target->push_back(std::move(element));
  return absl::OkStatus();
}

// Inserts before the element that the path's last index names.
absl::Status Insert(Json& root, const JsonPath& path, Json value, bool each) {
  if (path.steps.empty() || !path.steps.back().index.has_value()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(Json * array, Follow(root, path, 1, false));
  if (array == nullptr) return absl::OkStatus();
  if (array->is_null()) *array = Json::array();
  if (!array->is_array()) return absl::OkStatus();
  const uint64_t index = *path.steps.back().index;
  LOGQUERY_RETURN_IF_ERROR(CheckIndex(index));
  Extend(*array, index);
  const auto place = array->begin() + static_cast<std::ptrdiff_t>(index);
  if (each && value.is_array()) {
    array->insert(place, value.begin(), value.end());
  } else {
    array->insert(place, std::move(value));
  }
  return absl::OkStatus();
}

absl::Status Remove(Json& root, const JsonPath& path) {
  if (path.steps.empty()) return absl::InvalidArgumentError("JSON_REMOVE: the path $ would leave nothing");
  LOGQUERY_ASSIGN_OR_RETURN(Json * parent, Follow(root, path, 1, false));
  const JsonStep& last = path.steps.back();
  if (parent == nullptr) return absl::OkStatus();
  if (last.index.has_value()) {
    if (parent->is_array() && *last.index < parent->size()) parent->erase(*last.index);
  } else if (parent->is_object()) {
    parent->erase(last.member);
  }
  return absl::OkStatus();
}

// The JSON in argument 0 with an edit for each path and value from argument 2 on; argument 1 says how. A last letter tells
// arrays from other values: "a" or "v" behind each value's JSON.
template <absl::Status (*Edit)(Json&, const JsonPath&, Json, bool), bool kOfArrays>
absl::Status EditAll(const Row& in, Output& out) {
  if (in.IsNull(0) || in.IsNull(1)) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(Json root, ReadJson(in.Text(0)));
  for (size_t i = 2; i + 1 < in.size(); i += 2) {
    if (in.IsNull(i)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(const JsonPath path, EditPath(in.Text(i)));
    std::string_view text = in.Text(i + 1);
    const bool is_array = text.back() == 'a';
    text.remove_suffix(1);
    LOGQUERY_ASSIGN_OR_RETURN(Json value, ReadJson(text));
    LOGQUERY_RETURN_IF_ERROR(Edit(root, path, std::move(value), in.Text(1) == "true" && (!kOfArrays || is_array)));
  }
  return out.Text(WriteJson(root));
}

absl::Status RemoveAll(const Row& in, Output& out) {
  std::vector<JsonPath> paths;
  for (size_t i = 1; i < in.size(); ++i) {
    if (in.IsNull(i)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(paths.emplace_back(), EditPath(in.Text(i)));
  }
  if (in.IsNull(0)) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(Json root, ReadJson(in.Text(0)));
  for (const JsonPath& path : paths) LOGQUERY_RETURN_IF_ERROR(Remove(root, path));
  return out.Text(WriteJson(root));
}

struct Stripping {
  bool arrays;
  bool empty;
};

// Strips the value in place. Returns whether nothing is left of it.
bool Strip(Json& value, const Stripping& how) {
  if (value.is_null()) return true;
  if (value.is_object()) {
    for (auto member = value.begin(); member != value.end();) {
      member = Strip(*member, how) ? value.erase(member) : std::next(member);
    }
    return how.empty && value.empty();
  }
  if (!value.is_array()) return false;
  Json kept = Json::array();
  for (Json& element : value) {
    const bool gone = Strip(element, how);
    if (!gone || !how.arrays) kept.push_back(gone ? Json() : std::move(element));
  }
  value = std::move(kept);
  return how.arrays && how.empty && value.empty();
}

absl::Status StripNulls(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(Json root, ReadJson(in.Text(0)));
  LOGQUERY_ASSIGN_OR_RETURN(const JsonPath path, EditPath(in.Text(1)));
  LOGQUERY_ASSIGN_OR_RETURN(Json * target, Follow(root, path, 0, false));
  if (target != nullptr && Strip(*target, {in.Bool(2), in.Bool(3)})) *target = nullptr;
  return out.Text(WriteJson(root));
}

constexpr FunctionEntry kEntries[] = {
    {"lq_json_set", "(STRING...) -> STRING", EditAll<Set, false>, "", Nulls::kAreTaken},
    {"lq_json_array_append", "(STRING...) -> STRING", EditAll<Append, true>, "", Nulls::kAreTaken},
    {"lq_json_array_insert", "(STRING...) -> STRING", EditAll<Insert, true>, "", Nulls::kAreTaken},
    {"lq_json_remove", "(STRING...) -> STRING", RemoveAll, "", Nulls::kAreTaken},
    {"lq_json_strip_nulls", "(STRING, STRING, BOOL, BOOL) -> STRING", StripNulls},
};

}  // namespace

FunctionEntries JsonEditFunctions() { return kEntries; }

}  // namespace logquery::functions
