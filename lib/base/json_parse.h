// JSON parsed as lib/base/json.h parses it, for callers that say themselves where an error stands.
//
//     nlohmann::ordered_json parsed;
//     JsonTextError error;
//     if (!ParseJsonText(text, parsed, error)) Report(PlaceInText(text, error.offset), error.message);
#ifndef LOGQUERY_LIB_BASE_JSON_PARSE_H_
#define LOGQUERY_LIB_BASE_JSON_PARSE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "nlohmann/json_fwd.hpp"

namespace logquery::base {

struct JsonTextError {
  bool syntax =
      false;  // the text is no JSON; otherwise it is JSON that is not allowed, such as an object with a key twice
  size_t offset = 0;  // in bytes
  std::string message;
};

// False: `error` says why. ParseJson lists what is refused.
bool ParseJsonText(std::string_view text, nlohmann::ordered_json& parsed, JsonTextError& error);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_PARSE_H_
