// JSON as text: laid out anew without being read into a tree, and read into one within bounds.
//
// For .cc files of this folder; a tree is nlohmann's, whose objects are ordered by key as GoogleSQL's are.
#ifndef LOGQUERY_LIB_FUNCTIONS_JSON_TEXT_H_
#define LOGQUERY_LIB_FUNCTIONS_JSON_TEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::functions {

// Deeper is refused: trees are written by recursion.
inline constexpr int kMaxJsonDepth = 500;

// `text` on one line without spaces, or `pretty`: an element a line, two spaces deeper each. Order and numbers stay as they
// are. InvalidArgument: nested too deep.
absl::StatusOr<std::string> JsonTextIn(std::string_view text, bool pretty);

// InvalidArgument: not JSON, nested too deep; `exact`: a number that a FLOAT64 can't hold as it is written. Of a key that comes
// twice the first value counts.
absl::StatusOr<nlohmann::json> ReadJson(std::string_view text, bool exact = false);
std::string WriteJson(const nlohmann::json& value);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_JSON_TEXT_H_
