// Chooses the format of rows by `format=` or the Accept header.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_CONTENT_TYPE_H_
#define LOGQUERY_SHIM_HTTP_CALLS_CONTENT_TYPE_H_

#include <optional>
#include <string_view>

#include "logquery/row_encoder.h"

namespace logquery::shim {

// If `format` ("json", "ndjson", "csv", "json-rows", "arrow", "parquet") is not empty, it decides. Otherwise the type with the
// highest quality in `accept` does (RFC 9110, section 12.5.1); of equal ones JSON. An empty `accept` means JSON. Absent: there is
// no such format.
std::optional<RowFormat> ChooseFormat(std::string_view format, std::string_view accept);

// Returns the header's value: "text/csv; charset=utf-8; header=present".
std::string_view ContentTypeOf(RowFormat format);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_CONTENT_TYPE_H_
