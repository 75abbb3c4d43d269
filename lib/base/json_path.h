// Parses JSONPath in GoogleSQL's form: $.member, $['member'], $."member", $[0]; "lax $.a" and "lax recursive $.a".
#ifndef LOGQUERY_LIB_BASE_JSON_PATH_H_
#define LOGQUERY_LIB_BASE_JSON_PATH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::base {

struct JsonStep {
  std::string member;
  std::optional<uint64_t> index;  // an array index; absent: a member of an object
};

struct JsonPath {
  std::vector<JsonStep> steps;
  // Lax: where an object is required, an array stands for each of its elements; where an array is required, a value
  // stands for itself.
  bool lax = false;
  bool recursive = false;  // also for nested arrays
};

// Paths are followed recursively, and JSON_SET nests objects as deep as its path is long.
inline constexpr size_t kMaxJsonSteps = 1'000;

// `legacy`: also accepts $[member], as JSON_EXTRACT does. InvalidArgument, with the offset: not a path, or one of more than
// kMaxJsonSteps steps.
absl::StatusOr<JsonPath> ParseJsonPath(std::string_view text, bool legacy = false);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_PATH_H_
