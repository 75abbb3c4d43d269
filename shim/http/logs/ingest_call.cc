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
#include "lib/base/utf8.h"
#include "logquery/content_coding.h"
#include "logquery/redactor.h"
#include "logquery/serving/event_form.h"
#include "logquery/unpack.h"
#include "shim/http/calls/endpoint_call.h"
#include "shim/http/logs/otlp_answer.h"

namespace logquery::shim {
namespace {

using base::Json;

// The most entries of `rejected` in an answer; the rest is only counted. Fluent Bit reads 4 KiB of an answer, head and all, and
// sends the batch again if there is more.
constexpr size_t kMaxRejectedBytes = 2 << 10;
constexpr size_t kMaxReasonsInError = 3;
constexpr int kMaxReasonCodePoints = 200;

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

// A reason may quote a value of any length.
std::string Shortened(std::string_view reason) {
  size_t end = 0;
  for (int i = 0; i < kMaxReasonCodePoints && end < reason.size(); ++i) end += base::DecodeUtf8(reason, end).bytes;
  return base::StrCat(reason.substr(0, end), end < reason.size() ? "…" : "");
}

// A reason quotes values of the events, which a token that mandates redaction may not be told either.
void Redact(ReceivedLogs& logs) {
  const Redactor redactor;
  for (RejectedEvent& event : logs.rejected) event.reason = redactor.Redact(event.reason);
  for (MisfitValues& misfit : logs.misfits) misfit.field = redactor.Redact(misfit.field);
  logs.broken = redactor.Redact(logs.broken);
  logs.warning = redactor.Redact(logs.warning);
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
  if ((*exchange.principal)->redact_pii) Redact(logs);
  exchange.record.rows = logs.rows;
  return logs;
}

// The error for a body in which no events are found.
absl::Status BrokenBody(const ReceivedLogs& logs) {
  return absl::InvalidArgumentError(
      base::StrCat(Shortened(logs.broken), "; nothing of it is stored, and it is kept with the rejected events"));
}

HttpResponse AnswerFailure(const absl::Status& status, HttpRequestRecord& record) {
  // Unpacked it is too long: what it was as it came has been received.
  if (absl::IsOutOfRange(status)) return AnswerHttpError(413, base::Message(status), record);
  return AnswerError(status, false, record);
}

std::string Dump(const Json& json) { return json.ToString(); }

std::string ReasonsOf(const ReceivedLogs& logs) {
  std::string reasons;
  for (size_t i = 0; i < std::min(logs.rejected.size(), kMaxReasonsInError); ++i) {
    base::StrAppend(&reasons, i > 0 ? "; " : "", "event ", logs.rejected[i].index, ": ",
                    Shortened(logs.rejected[i].reason));
  }
  return reasons;
}

// The first elements, as many as fit.
template <typename Element, typename ToJson>
Json FirstOf(const std::vector<Element>& elements, ToJson to_json) {
  Json first = Json::array();
  size_t bytes = 0;
  for (const Element& element : elements) {
    Json one = to_json(element);
    bytes += Dump(one).size();
    if (bytes > kMaxRejectedBytes) break;
    first.push_back(std::move(one));
  }
  return first;
}

Json RejectedJson(const RejectedEvent& event) { return {{"index", event.index}, {"reason", Shortened(event.reason)}}; }

Json MisfitJson(const MisfitValues& misfit) {
  return {{"field", misfit.field}, {"type", misfit.type}, {"values", misfit.values}};
}

// For OpenTelemetry's answer, which has one text.
std::string WarningOf(const ReceivedLogs& logs) {
  std::string warning = logs.warning;
  for (size_t i = 0; i < std::min(logs.misfits.size(), kMaxReasonsInError); ++i) {
    const MisfitValues& misfit = logs.misfits[i];
    base::StrAppend(&warning, warning.empty() ? "" : "; ", "stored as JSON, as the column of ", Shortened(misfit.field),
                    " takes ", misfit.type, ": ", misfit.values, misfit.values == 1 ? " value" : " values");
  }
  return warning;
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
  if (!logs->broken.empty()) return AnswerError(BrokenBody(*logs), false, record);
  if (logs->rows == 0 && logs->rejected_rows > 0) {
    return AnswerError(absl::InvalidArgumentError(base::StrCat("none of the ", logs->rejected_rows,
                                                               " events could be taken: ", ReasonsOf(*logs))),
                       false, record);
  }
  Json json = {{"message", "Logged!"}};
  if (logs->rejected_rows > 0) {
    Json rejected = FirstOf(logs->rejected, RejectedJson);
    if (rejected.size() < static_cast<size_t>(logs->rejected_rows)) json["rejected_rows"] = logs->rejected_rows;
    json["rejected"] = std::move(rejected);
  }
  if (!logs->misfits.empty()) json["stored_as_json"] = FirstOf(logs->misfits, MisfitJson);
  HttpResponse response;
  response.body = Dump(json);
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
  if (!logs->broken.empty()) return AnswerError(BrokenBody(*logs), false, record);
  HttpResponse response =
      OtlpAnswer(is_protobuf, logs->rejected_rows, logs->rejected_rows > 0 ? ReasonsOf(*logs) : WarningOf(*logs));
  if (logs->repeated) response.AddHeader("Idempotent-Replayed", "true");
  return response;
}

std::string SourcesJson(const Principal& principal, const LogReceiver& receiver) {
  Json sources = Json::array();
  for (const std::string& name : receiver.Sources(principal)) {
    sources.push_back({{"id", sources.size() + 1}, {"name", name}, {"favorite", false}});
  }
  return Dump(sources);
}

}  // namespace logquery::shim
