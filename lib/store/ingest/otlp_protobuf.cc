// Walks a request, and has each resource, scope and record written as OTLP's JSON, of which rows are made as for requests in JSON.
// docs/architecture.md has why neither protobuf's library nor a generated schema does this.
#include "lib/store/ingest/otlp_protobuf.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/checked_json.h"
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

void AppendVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::string Message(uint32_t number, std::string_view bytes) {
  std::string message;
  AppendVarint(uint64_t{number} << 3 | static_cast<uint64_t>(WireType::kBytes), message);
  AppendVarint(bytes.size(), message);
  message += bytes;
  return message;
}

// The bytes of a message's field, the last of its number; nullopt: it has none, or is malformed.
std::optional<std::string_view> Last(std::string_view message, uint32_t number) {
  std::optional<std::string_view> last;
  WireReader reader(message);
  while (reader.Next()) {
    if (reader.field() == number && reader.type() == WireType::kBytes) last = reader.bytes();
  }
  return reader.ok() ? last : std::nullopt;
}

// Walks a request, and reserves memory for JSON and rows before they are made. A malformed part of a resource, a scope
// or a record costs no more than these.
class Walk {
 public:
  Walk(std::string_view request, RowSink& sink) : transcoder_(request), sink_(sink) {}

  absl::Status Run(std::string_view request) {
    transcoder_.ForEach(request, field::kResourceLogs,
                        [this](std::string_view resource_logs) { return Resource(resource_logs); });
    const absl::Status status = transcoder_.TakeStatus();
    if (status.ok()) return status;
    return absl::InvalidArgumentError(base::StrCat("the body is not OTLP in protobuf: ", base::Message(status)));
  }

 private:
  // Each returns false if the walk has ended.
  bool Resource(std::string_view resource_logs) {
    if (!transcoder_.IsWhole(resource_logs)) return Refuse(Message(field::kResourceLogs, resource_logs), TakeProblem());
    OtlpAround around;
    resource_ = Last(resource_logs, field::kResource);
    json_ = "{\"attributes\":";
    if (!MakeRoom(resource_.value_or(""))) return false;
    if (!transcoder_.Attributes(resource_.value_or(""), field::kResourceAttributes, json_)) {
      around.problem = base::StrCat("its resource: ", TakeProblem());
    } else {
      json_ += '}';
      if (!sink_.MakeRoom(json_.size() + MostOtlpBytes(json_, around))) return false;
      SetResource(CheckedJson(json_), around);
    }
    return transcoder_.ForEach(resource_logs, field::kScopeLogs,
                               [&](std::string_view scope_logs) { return Scope(scope_logs, around); });
  }

  bool Scope(std::string_view scope_logs, OtlpAround around) {
    if (!transcoder_.IsWhole(scope_logs)) return Refuse(WithResource(scope_logs), TakeProblem());
    scope_ = Last(scope_logs, field::kScope);
    json_.clear();
    if (!MakeRoom(scope_.value_or(""))) return false;
    if (!transcoder_.Scope(scope_.value_or(""), json_)) {
      around.problem = base::StrCat("its scope: ", TakeProblem());
    } else {
      if (!sink_.MakeRoom(json_.size() + MostOtlpBytes(json_, around))) return false;
      SetScope(CheckedJson(json_), around);
    }
    return transcoder_.ForEach(scope_logs, field::kLogRecords,
                               [&](std::string_view record) { return Record(record, around); });
  }

  bool Record(std::string_view record, const OtlpAround& around) {
    json_.clear();
    if (!MakeRoom(record)) return false;
    if (!transcoder_.Record(record, json_)) return RefuseRecord(record, around, TakeProblem());
    if (!sink_.MakeRoom(json_.size() + MostOtlpBytes(json_, around))) return false;
    OtlpRow row = RowOfOtlpRecord(CheckedJson(json_), around, sink_);
    return row.problem.empty() ? sink_.Take(std::move(row.row)) : RefuseRecord(record, around, std::move(row.problem));
  }

  bool RefuseRecord(std::string_view record, const OtlpAround& around, std::string reason) {
    std::string scope_logs = scope_.has_value() ? Message(field::kScope, *scope_) : "";
    scope_logs += Message(field::kLogRecords, record);
    return Refuse(WithResource(scope_logs), std::move(reason), around.project);
  }

  // Keeps a request with one part of the request.
  bool Refuse(std::string_view request, std::string reason, std::string_view project = {}) {
    return sink_.MakeRoom(2 * request.size()) && sink_.Refuse(TextOfOtlpProtobuf(request, project), std::move(reason));
  }

  std::string WithResource(std::string_view scope_logs) const {
    std::string resource_logs = resource_.has_value() ? Message(field::kResource, *resource_) : "";
    resource_logs += Message(field::kScopeLogs, scope_logs);
    return Message(field::kResourceLogs, resource_logs);
  }

  std::string TakeProblem() { return std::string(transcoder_.TakeStatus().message()); }
  bool MakeRoom(std::string_view message) {
    return sink_.MakeRoom(kOtlpJsonGrowth * message.size() + kOtlpRecordNames);
  }

  OtlpTranscoder transcoder_;
  RowSink& sink_;
  std::optional<std::string_view> resource_;  // as they came
  std::optional<std::string_view> scope_;
  std::string json_;
};

}  // namespace

std::string TextOfOtlpProtobuf(std::string_view request, std::string_view project) {
  return base::StrCat("{", project.empty() ? "" : base::StrCat("\"project\":", project, ","), "\"otlp_protobuf\":\"",
                      absl::Base64Escape(base::ToAbsl(request)), "\"}");
}

absl::Status RowsOfOtlpProtobuf(std::string_view request, RowSink& sink) { return Walk(request, sink).Run(request); }

}  // namespace logquery::store
