// In which form a caller wants rows, by `format=` or the header Accept; and whether a body is JSON.
#ifndef LOGQUERY_SHIM_HTTP_CONTENT_TYPE_H_
#define LOGQUERY_SHIM_HTTP_CONTENT_TYPE_H_

#include <optional>
#include <string_view>

#include "logquery/row_encoder.h"

namespace logquery::shim {

// `format` ("json", "ndjson", "csv") decides when it is not empty; otherwise the type of the highest quality in `accept`
// (RFC 9110, section 12.5.1), of equal ones JSON. An empty `accept` is JSON. Absent: there is no such format.
std::optional<RowFormat> ChooseFormat(std::string_view format, std::string_view accept);

// "text/csv; charset=utf-8; header=present".
std::string_view ContentTypeOf(RowFormat format);

// "application/json", with or without a charset of UTF-8; empty counts as such.
bool IsJsonContentType(std::string_view content_type);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CONTENT_TYPE_H_
