// The scanner finds the error.
#include "lib/base/json_syntax.h"

#include "lib/base/json/scanner.h"

namespace logquery::base {

std::optional<JsonSyntaxError> FindJsonSyntaxError(std::string_view text) { return ScanJson(text, nullptr); }

}  // namespace logquery::base
