// Walks a request, and has each resource, scope and record written as OTLP's JSON, of which rows are made as for requests in JSON.
// docs/architecture.md has why neither protobuf's library nor a generated schema does this.
#include "lib/store/ingest/otlp_protobuf.h"

#include <cstdint>
#include <optional>

#include "lib/store/ingest/otlp_record.h"
#include "lib/store/ingest/otlp_transcoder.h"

namespace logquery::store {
namespace {

// The numbers of fields in logs_service.proto, logs.proto and resource.proto.
namespace field {
constexpr uint32_t kResourceLogs = 1;              // ExportLogsServiceRequest
constexpr uint32_t kResource = 1, kScopeLogs = 2;  // ResourceLogs
constexpr uint32_t kScope = 1, kLogRecords = 2;    // ScopeLogs
constexpr uint32_t kResourceAttributes = 1;        // Resource
}  // namespace field

// Walks a request, and makes room for JSON and row before they are there.
class Walk {
 public:
  Walk(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
       absl::FunctionRef<bool(std::string row)> take)
      : transcoder_(request), make_room_(make_room), take_(take) {}

  absl::Status Run(std::string_view request) {
    transcoder_.ForEach(request, field::kResourceLogs,
                        [this](std::string_view resource_logs) { return Resource(resource_logs); });
    return transcoder_.status();
  }

 private:
  // Each returns false if the walk has ended.
  bool Resource(std::string_view resource_logs) {
    std::optional<std::string_view> resource;
    if (!Last(resource_logs, field::kResource, resource)) return false;
    json_.clear();
    OtlpAround around;
    if (!MakeRoom(resource.value_or(""))) return false;
    if (resource && !transcoder_.Attributes(*resource, field::kResourceAttributes, json_)) return false;
    if (!make_room_(json_.size() + MostOtlpBytes(json_, around))) return false;
    SetResource(json_, around);
    return transcoder_.ForEach(resource_logs, field::kScopeLogs,
                               [&](std::string_view scope_logs) { return ScopeOf(scope_logs, around); });
  }

  bool ScopeOf(std::string_view scope_logs, OtlpAround& around) {
    std::optional<std::string_view> scope;
    if (!Last(scope_logs, field::kScope, scope)) return false;
    json_.clear();
    if (!MakeRoom(scope.value_or(""))) return false;
    if (scope && !transcoder_.Scope(*scope, json_)) return false;
    if (!make_room_(json_.size() + MostOtlpBytes(json_, around))) return false;
    SetScope(json_, around);
    return transcoder_.ForEach(scope_logs, field::kLogRecords, [&](std::string_view record) {
      json_.clear();
      if (!MakeRoom(record) || !transcoder_.Record(record, json_)) return false;
      return make_room_(json_.size() + MostOtlpBytes(json_, around)) && take_(RowOfOtlpRecord(json_, around));
    });
  }

  bool MakeRoom(std::string_view message) { return make_room_(kOtlpJsonGrowth * message.size() + kOtlpRecordNames); }

  // A message may stand behind those that it is about.
  bool Last(std::string_view message, uint32_t number, std::optional<std::string_view>& last) {
    return transcoder_.ForEach(message, number, [&last](std::string_view bytes) {
      last = bytes;
      return true;
    });
  }

  OtlpTranscoder transcoder_;
  const absl::FunctionRef<bool(size_t bytes)> make_room_;
  const absl::FunctionRef<bool(std::string row)> take_;
  std::string json_;
};

}  // namespace

absl::Status RowsOfOtlpProtobuf(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
                                absl::FunctionRef<bool(std::string row)> take) {
  return Walk(request, make_room, take).Run(request);
}

}  // namespace logquery::store
