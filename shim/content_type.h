// In which form a caller wants rows, by `format=` or the header Accept; and whether a body is JSON.
#ifndef LOGQUERY_SHIM_CONTENT_TYPE_H_
#define LOGQUERY_SHIM_CONTENT_TYPE_H_

#include <string_view>

namespace logquery::shim {

enum class Format { kJson, kNdjson, kCsv, kUnknown };

// `format` ("json", "ndjson", "csv") decides when it is not empty; otherwise the type of the highest quality in `accept`
// (RFC 9110, section 12.5.1), of equal ones JSON. An empty `accept` is JSON.
Format ChooseFormat(std::string_view format, std::string_view accept);

// "application/json", with or without a charset of UTF-8; empty counts as such.
bool IsJsonContentType(std::string_view content_type);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CONTENT_TYPE_H_
