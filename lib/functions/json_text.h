// Reformats JSON text without building a tree, and parses it into a tree with limits.
//
// For .cc files of this folder. Objects of the tree are ordered by key, as in GoogleSQL.
#ifndef LOGQUERY_LIB_FUNCTIONS_JSON_TEXT_H_
#define LOGQUERY_LIB_FUNCTIONS_JSON_TEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/base/json/value.h"

namespace logquery::functions {

// Deeper text is rejected, because trees are written recursively.
inline constexpr int kMaxJsonDepth = 500;

// Writes `text` on one line without spaces, or `pretty`: one element per line, indented by two spaces per level. Keeps
// order and numbers. InvalidArgument: nested too deeply.
absl::StatusOr<std::string> JsonTextIn(std::string_view text, bool pretty);

// InvalidArgument: not JSON, or nested too deeply; with `exact` also a number that FLOAT64 can't represent. Of
// duplicate keys the first value is kept.
absl::StatusOr<base::SortedJson> ReadJson(std::string_view text, bool exact = false);
// The same; objects keep the order of their members, and all members of duplicate keys.
absl::StatusOr<base::Json> ReadJsonInOrder(std::string_view text);
std::string WriteJson(const base::SortedJson& value);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_JSON_TEXT_H_
