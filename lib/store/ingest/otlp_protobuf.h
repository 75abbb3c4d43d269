// Converts OpenTelemetry log records in protobuf (OTLP 1.x) to rows.
#ifndef LOGQUERY_LIB_STORE_INGEST_OTLP_PROTOBUF_H_
#define LOGQUERY_LIB_STORE_INGEST_OTLP_PROTOBUF_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace logquery::store {

// Like RowsOfOtlp, for an ExportLogsServiceRequest in protobuf. InvalidArgument: it is malformed; the message says where. Rows may
// have been taken before that is found.
absl::Status RowsOfOtlpProtobuf(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
                                absl::FunctionRef<bool(std::string row)> take);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OTLP_PROTOBUF_H_
