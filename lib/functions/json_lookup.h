// Finds paths in a JSON tree. For .cc files of this folder, as is json_text.h.
#ifndef LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_
#define LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_

#include "lib/base/json_path.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::functions {

// Returns the value at a path that is not lax, borrowed from `root`; nullptr: there is none.
const nlohmann::json* FindByPath(const nlohmann::json& root, const base::JsonPath& path);

// Returns an array of all values that a lax path finds, in order.
nlohmann::json FindInLaxMode(const nlohmann::json& root, const base::JsonPath& path);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_
