// JSONPath as GoogleSQL takes it: $.member, $['member'], $."member", $[0]; "lax $.a" and "lax recursive $.a".
#ifndef LOGQUERY_LIB_BASE_JSON_PATH_H_
#define LOGQUERY_LIB_BASE_JSON_PATH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::base {

struct JsonStep {
  std::string member;
  std::optional<uint64_t> index;  // of an array; none: of an object, by member
};

struct JsonPath {
  std::vector<JsonStep> steps;
  bool lax = false;  // an array where an object is wanted means each of its elements, a value where an array is, itself
  bool recursive = false;  // arrays in arrays as well
};

// `legacy`: also $[member], as JSON_EXTRACT takes it.
// InvalidArgument, with the offset: what is no path.
absl::StatusOr<JsonPath> ParseJsonPath(std::string_view text, bool legacy = false);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_PATH_H_
