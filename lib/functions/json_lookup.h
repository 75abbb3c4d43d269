// Where a path leads to in a tree of JSON. For .cc files of this folder, as json_text.h.
#ifndef LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_
#define LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_

#include "lib/base/json_path.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::functions {

// The value at a path that is not lax; nullptr: there is none. Borrowed from `root`.
const nlohmann::json* FindByPath(const nlohmann::json& root, const base::JsonPath& path);

// An array of all that a lax path finds, in order.
nlohmann::json FindInLaxMode(const nlohmann::json& root, const base::JsonPath& path);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_
