// Converts OpenTelemetry log records in JSON (OTLP 1.x) to rows.
#ifndef LOGQUERY_LIB_STORE_INGEST_OTLP_JSON_H_
#define LOGQUERY_LIB_STORE_INGEST_OTLP_JSON_H_

#include <string_view>

#include "absl/status/status.h"
#include "lib/store/ingest/row_sink.h"

namespace logquery::store {

// Produces a row for each log record of an ExportLogsServiceRequest, or of several, one after the other. Each row repeats its
// resource and scope, so the rows may be much longer than the request. A record that is not valid JSON, or whose values can't be
// told, is refused; it is kept as a request with this record alone. InvalidArgument: the text is not of objects; the message says
// where.
absl::Status RowsOfOtlp(std::string_view request, RowSink& sink);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OTLP_JSON_H_
