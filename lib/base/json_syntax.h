// Explains why a text is not JSON, for people who edit files by hand: a comma after the last member, single quotes, a text
// without its closing quote, a backslash that is no escape.
//
//     if (std::optional<JsonSyntaxError> error = FindJsonSyntaxError(text)) Report(error->offset, error->message);
#ifndef LOGQUERY_LIB_BASE_JSON_SYNTAX_H_
#define LOGQUERY_LIB_BASE_JSON_SYNTAX_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace logquery::base {

struct JsonSyntaxError {
  size_t offset = 0;  // in bytes, of the place to change
  std::string message;
};

// Returns the first error; nullopt: the text is one JSON value (RFC 8259), which a byte order mark may precede. Does not
// recurse, so the depth of the text does not matter. Numbers may have any size.
std::optional<JsonSyntaxError> FindJsonSyntaxError(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_SYNTAX_H_
