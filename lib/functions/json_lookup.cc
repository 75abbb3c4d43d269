// Follows paths through trees of JSON.
#include "lib/functions/json_lookup.h"

#include <vector>

#include "lib/base/json/value.h"

namespace logquery::functions {
namespace {

using base::JsonPath;
using base::JsonStep;
using Json = base::SortedJson;

const Json* FindStep(const Json& value, const JsonStep& step) {
  if (step.index.has_value()) return value.is_array() && *step.index < value.size() ? &value[*step.index] : nullptr;
  if (!value.is_object()) return nullptr;
  const auto found = value.find(step.member);
  return found == value.end() ? nullptr : &*found;
}

// Appends what a lax path finds, in order. A member of an array is that member of each of its elements, and element 0
// of a value that is not an array is the value itself.
void FindLax(const Json& value, const JsonPath& path, size_t place, bool in_array, std::vector<const Json*>& found) {
  if (place == path.steps.size()) {
    found.push_back(&value);
    return;
  }
  const JsonStep& step = path.steps[place];
  if (const Json* next = FindStep(value, step)) {
    FindLax(*next, path, place + 1, false, found);
  } else if (step.index.has_value()) {
    if (!value.is_array() && *step.index == 0) FindLax(value, path, place + 1, false, found);
  } else if (value.is_array() && (!in_array || path.recursive)) {
    for (const Json& element : value) FindLax(element, path, place, true, found);
  }
}

}  // namespace

const Json* FindByPath(const Json& root, const JsonPath& path) {
  const Json* value = &root;
  for (const JsonStep& step : path.steps) {
    value = FindStep(*value, step);
    if (value == nullptr) return nullptr;
  }
  return value;
}

Json FindInLaxMode(const Json& root, const JsonPath& path) {
  std::vector<const Json*> found;
  FindLax(root, path, 0, false, found);
  Json list = Json::array();
  for (const Json* value : found) list.push_back(*value);
  return list;
}

}  // namespace logquery::functions
