// JSON of files and request bodies: parsed strictly, with errors that say where.
//
// For .cc files only, which include <nlohmann/json.hpp> themselves: the library's headers stay out of ours.
#ifndef LOGQUERY_LIB_BASE_JSON_H_
#define LOGQUERY_LIB_BASE_JSON_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::base {

// `text` as JSON, objects in the order of their keys. `source` names it in errors.
// InvalidArgument: not JSON, with line and column; an object that has a key twice, or more than 4,000; nested deeper than 200.
absl::StatusOr<nlohmann::ordered_json> ParseJson(std::string_view source, std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_H_
