// Parses JSON as lib/base/json.h does, for callers that report the place of an error themselves.
//
//     Json parsed;
//     JsonTextError error;
//     if (!ParseJsonText(text, parsed, error)) Report(PlaceInText(text, error.offset), error.message);
#ifndef LOGQUERY_LIB_BASE_JSON_PARSE_H_
#define LOGQUERY_LIB_BASE_JSON_PARSE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/base/json/value.h"

namespace logquery::base {

struct JsonTextError {
  bool syntax =
      false;  // true: the text is not JSON; false: it is JSON that is not allowed, for example with a duplicate key
  size_t offset = 0;  // in bytes
  std::string message;
};

// Returns false on an error, and sets `error`. ParseJson lists what is rejected.
bool ParseJsonText(std::string_view text, Json& parsed, JsonTextError& error);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_PARSE_H_
