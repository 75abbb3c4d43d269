// Finds paths in a JSON tree. For .cc files of this folder, as is json_text.h.
#ifndef LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_
#define LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_

#include "lib/base/json/value.h"
#include "lib/base/json_path.h"

namespace logquery::functions {

// Returns the value at a path that is not lax, borrowed from `root`; nullptr: there is none.
const base::SortedJson* FindByPath(const base::SortedJson& root, const base::JsonPath& path);

// Returns an array of all values that a lax path finds, in order.
base::SortedJson FindInLaxMode(const base::SortedJson& root, const base::JsonPath& path);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_JSON_LOOKUP_H_
