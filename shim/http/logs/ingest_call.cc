// Reads ingest requests, and responds as collectors for Logflare and OpenTelemetry expect.
#include "shim/http/logs/ingest_call.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/call_parameters.h"
#include "lib/base/json/value.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/content_coding.h"
#include "logquery/serving/event_form.h"
#include "logquery/serving/ingest_response.h"
#include "logquery/unpack.h"
#include "shim/http/calls/endpoint_call.h"
#include "shim/http/logs/otlp_answer.h"

namespace logquery::shim {
namespace {

using base::Json;

std::string_view HeaderOf(const HttpRequest& request, std::string_view name) {
  const std::string* const header = request.Header(name);
  if (header == nullptr) return {};
  return base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(*header)));
}

// nullopt: a coding that is not known here.
std::optional<ContentCoding> CodingOf(const HttpRequest& request) {
  const std::string_view coding = HeaderOf(request, "Content-Encoding");
  if (coding.empty() || base::EqualsIgnoreCase(coding, "identity")) return ContentCoding::kIdentity;
  if (base::EqualsIgnoreCase(coding, "gzip") || base::EqualsIgnoreCase(coding, "x-gzip")) return ContentCoding::kGzip;
  if (base::EqualsIgnoreCase(coding, "zstd")) return ContentCoding::kZstd;
  return std::nullopt;
}

absl::StatusOr<EventForm> FormOf(const HttpRequest& request) {
  return EventFormOf(request.path, HeaderOf(request, "Content-Type"), request.headers);
}

// 0: the body may be read.
HttpProblem CheckForm(const HttpRequest& request) {
  const absl::Status form = FormOf(request).status();
  if (!form.ok()) return {absl::IsUnimplemented(form) ? 415 : 400, std::string(base::Message(form))};
  if (CodingOf(request)) return {};
  return {415, base::StrCat("a body is taken plain, as gzip and as zstd, not as ",
                            base::QuotedText(HeaderOf(request, "Content-Encoding")))};
}

// InvalidArgument: none is named, or several.
absl::StatusOr<std::string> SourceOf(const HttpRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const ParameterTexts parameters, base::ParseQueryString(request.query));
  std::string source;
  for (const auto& [name, value] : parameters) {
    const bool is_name = name == "source_name" || name == "source" || name == "collection_name" || name == "collection";
    if (!is_name || value.empty()) continue;
    if (!source.empty() && source != value) {
      return absl::InvalidArgumentError("the URL names two logs; a request is for one");
    }
    source = value;
  }
  if (source.empty()) source = HeaderOf(request, "X-Source");
  if (source.empty()) source = HeaderOf(request, "X-Collection");
  if (source.empty()) {
    return absl::InvalidArgumentError("the request does not say which log its events are for: add ?source_name=LOG");
  }
  return source;
}

// The text of the body, which may be the request's own.
absl::StatusOr<std::string_view> TextOf(const HttpRequest& request, LogAdmission& admission, std::string& unpacked) {
  const ContentCoding coding = CodingOf(request).value_or(ContentCoding::kIdentity);
  if (coding == ContentCoding::kIdentity) return std::string_view(request.body);
  const auto grow = [&admission](size_t bytes) { return admission.Grow(static_cast<int64_t>(bytes)); };
  LOGQUERY_RETURN_IF_ERROR(Unpack(coding, request.body, {static_cast<size_t>(kMaxUnpackedBytes), grow}, unpacked));
  return std::string_view(unpacked);
}

// Looks the source of the request up, unless that was done before its body was read.
absl::StatusOr<std::unique_ptr<LogAdmission>>& Admitted(Exchange& exchange, size_t bytes, LogReceiver& receiver) {
  if (exchange.admission) return *exchange.admission;
  const absl::StatusOr<std::string> source = SourceOf(exchange.http);
  if (!source.ok()) return exchange.admission.emplace(source.status());
  return exchange.admission.emplace(receiver.Admit(**exchange.principal, *source, static_cast<int64_t>(bytes)));
}

absl::StatusOr<ReceivedLogs> Take(Exchange& exchange, LogReceiver& receiver) {
  const HttpRequest& request = exchange.http;
  const auto& admission = Admitted(exchange, request.body.size(), receiver);
  if (!admission.ok()) return admission.status();
  std::string unpacked;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string_view text, TextOf(request, **admission, unpacked));
  LOGQUERY_ASSIGN_OR_RETURN(EventForm form, FormOf(request));
  const LogBody body = {.text = text,
                        .shape = form.shape,
                        .by_lines = form.by_lines,
                        .idempotency_key = std::string(HeaderOf(request, "Idempotency-Key")),
                        .attributes = std::move(form.attributes)};
  LOGQUERY_ASSIGN_OR_RETURN(ReceivedLogs logs, receiver.Append(**admission, body));
  if ((*exchange.principal)->redact_pii) RedactReasons(logs);
  exchange.record.rows = logs.rows;
  return logs;
}

HttpResponse AnswerFailure(const absl::Status& status, HttpRequestRecord& record) {
  // Unpacked it is too long: what it was as it came has been received.
  if (absl::IsOutOfRange(status)) return AnswerHttpError(413, base::Message(status), record);
  return AnswerError(status, false, record);
}

}  // namespace

HttpProblem AdmitLogs(Exchange& exchange, const BodyLength& length, LogReceiver& receiver, size_t& max_bytes) {
  const HttpRequest& request = exchange.http;
  if (CheckForm(request).status != 0) return {};
  if (length.bytes > static_cast<size_t>(kMaxIngestBodyBytes)) {
    return SourceOf(request).ok() ? BodyTooLong(kMaxIngestBodyBytes) : HttpProblem();
  }
  const auto& admission = Admitted(exchange, length.chunked ? kChunkedRoomBytes : length.bytes, receiver);
  if (absl::IsResourceExhausted(admission.status())) return {429, std::string(base::Message(admission.status()))};
  if (admission.ok()) max_bytes = static_cast<size_t>(kMaxIngestBodyBytes);
  return {};
}

HttpResponse TakeLogs(Exchange& exchange, LogReceiver& receiver) {
  HttpRequestRecord& record = exchange.record;
  if (const HttpProblem problem = CheckForm(exchange.http); problem.status != 0) {
    return AnswerHttpError(problem.status, problem.message, record);
  }
  const absl::StatusOr<ReceivedLogs> logs = Take(exchange, receiver);
  if (!logs.ok()) return AnswerFailure(logs.status(), record);
  absl::StatusOr<std::string> body = IngestResponse(*logs);
  if (!body.ok()) return AnswerError(body.status(), false, record);
  HttpResponse response;
  response.body = *std::move(body);
  if (logs->repeated) response.AddHeader("Idempotent-Replayed", "true");
  return response;
}

HttpResponse TakeOtlp(Exchange& exchange, LogReceiver& receiver) {
  HttpRequestRecord& record = exchange.record;
  if (const HttpProblem problem = CheckForm(exchange.http); problem.status != 0) {
    return AnswerHttpError(problem.status, problem.message, record);
  }
  const bool is_protobuf = IsProtobuf(exchange.http);
  const absl::StatusOr<ReceivedLogs> logs = Take(exchange, receiver);
  if (!logs.ok()) return AnswerFailure(logs.status(), record);
  if (const absl::Status body = CheckBody(*logs); !body.ok()) return AnswerError(body, false, record);
  HttpResponse response = OtlpAnswer(is_protobuf, logs->rejected_rows, IngestNote(*logs));
  if (logs->repeated) response.AddHeader("Idempotent-Replayed", "true");
  return response;
}

std::string SourcesJson(const Principal& principal, const LogReceiver& receiver) {
  Json sources = Json::array();
  for (const std::string& name : receiver.Sources(principal)) {
    sources.push_back({{"id", sources.size() + 1}, {"name", name}, {"favorite", false}});
  }
  return sources.ToString();
}

}  // namespace logquery::shim
