// Converts OpenTelemetry log records in protobuf (OTLP 1.x) to rows.
#ifndef LOGQUERY_LIB_STORE_INGEST_OTLP_PROTOBUF_H_
#define LOGQUERY_LIB_STORE_INGEST_OTLP_PROTOBUF_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "lib/store/ingest/row_sink.h"

namespace logquery::store {

// Like RowsOfOtlp, for an ExportLogsServiceRequest in protobuf. A malformed part of a resource, a scope or a record is
// rejected together with it, as TextOfOtlpProtobuf of a request with this alone. InvalidArgument: the request itself is
// malformed; the message says where. Rows may have been taken before that is found.
absl::Status RowsOfOtlpProtobuf(std::string_view request, RowSink& sink);

// {"otlp_protobuf":"…"} with the request in base64, to keep it in a file of lines. `project`, JSON, is added to it.
std::string TextOfOtlpProtobuf(std::string_view request, std::string_view project = {});

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OTLP_PROTOBUF_H_
