// Parses a call's parameters, runs it, and creates the response with its rows or error.
#include "shim/http/calls/endpoint_call.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/await_answer.h"
#include "lib/base/call_parameters.h"
#include "lib/base/error_body.h"
#include "lib/base/negotiation.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/readable_text.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/call_labels.h"
#include "logquery/cancellation.h"
#include "logquery/error.h"
#include "logquery/project_parameter.h"
#include "logquery/serving/query_rewrite.h"
#include "shim/http/calls/call_record.h"
#include "shim/http/calls/content_type.h"
#include "shim/http/transport/entity.h"

namespace logquery::shim {
namespace {

constexpr std::string_view kFormats =
    "rows are served as application/json (format=json), application/x-ndjson (ndjson), text/csv (csv), "
    "application/vnd.logquery.rows+json (json-rows), application/vnd.apache.arrow.stream (arrow) and "
    "application/vnd.apache.parquet (parquet); the request accepts only others";

// The parts of a call that choose the answer's form. In the URL they stand among the endpoint's parameters.
struct Form {
  std::string format;
  std::string int64;
  std::string csv_safe;
  std::string dry_run;
  std::string explain;
};

struct Call {
  QueryRequest query;
  Form form;
};

void TakeForm(const Endpoint& endpoint, ParameterTexts& texts, Form& form) {
  for (const auto& [name, to] : {std::make_pair("format", &form.format), std::make_pair("int64", &form.int64),
                                 std::make_pair("csv_safe", &form.csv_safe), std::make_pair("dry_run", &form.dry_run),
                                 std::make_pair("explain", &form.explain)}) {
    if (endpoint.FindParameter(name) != nullptr) continue;  // the endpoint's own
    const auto found =
        std::find_if(texts.begin(), texts.end(), [n = name](const auto& text) { return text.first == n; });
    if (found == texts.end()) continue;
    *to = std::move(found->second);
    texts.erase(found);
  }
}

absl::Status CheckForm(const Form& form) {
  if (!form.int64.empty() && form.int64 != "string" && form.int64 != "number") {
    return base::WrongParameter("int64", "must be string or number");
  }
  for (const auto& [name, text] : {std::make_pair("csv_safe", &form.csv_safe), std::make_pair("dry_run", &form.dry_run),
                                   std::make_pair("explain", &form.explain)}) {
    if (!text->empty() && *text != "true" && *text != "false")
      return base::WrongParameter(name, "must be true or false");
  }
  if (form.explain == "true" && form.dry_run != "true")
    return base::WrongParameter("explain", "goes with dry_run=true");
  return absl::OkStatus();
}

// Whether a header of this name, of which there may be several, has this element, in a list with commas or alone.
bool HasElement(const HttpRequest& request, std::string_view name, std::string_view element) {
  for (const auto& [key, value] : request.headers) {
    if (!base::EqualsIgnoreCase(key, name)) continue;
    for (std::string_view rest = value; !rest.empty();) {
      const size_t comma = std::min(rest.find(','), rest.size());
      const absl::string_view one = absl::StripAsciiWhitespace(base::ToAbsl(rest.substr(0, comma)));
      if (base::EqualsIgnoreCase(base::ToStd(one), element)) return true;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return false;
}

bool AsksNotToStore(const HttpRequest& request) { return HasElement(request, "Cache-Control", "no-store"); }

absl::StatusOr<Call> ReadCall(const HttpRequest& request, const Endpoint& endpoint) {
  Call call;
  LOGQUERY_ASSIGN_OR_RETURN(call.query.parameters, base::ParseQueryString(request.query));
  if (!request.body.empty()) {
    LOGQUERY_RETURN_IF_ERROR(request.method == "GET" ? base::AddSqlOfBody(request.body, call.query.parameters)
                                                     : base::AddJsonBody(request.body, call.query.parameters));
  }
  TakeForm(endpoint, call.query.parameters, call.form);
  LOGQUERY_RETURN_IF_ERROR(CheckForm(call.form));
  call.query.int64_as_string = call.form.int64 == "string";
  call.query.csv_safe = call.form.csv_safe == "true";
  call.query.explain = call.form.explain == "true";
  call.query.redact_pii = AsksToRedact(request);
  call.query.no_store = AsksNotToStore(request);
  if (const std::string* labels = request.Header("LF-ENDPOINT-LABELS"); labels != nullptr && TakesLabels(endpoint)) {
    LOGQUERY_ASSIGN_OR_RETURN(call.query.labels, ParseLabelHeader(*labels));
  }
  const std::string* encodings = request.Header("Accept-Encoding");
  if (encodings != nullptr) call.query.coding = base::ChooseCoding(*encodings);
  return call;
}

// A list in a header has at most this many bytes, and three dots in place of what follows.
constexpr size_t kMaxListBytes = 1'000;

// Names come from the caller: what is no letter, digit or one of -._~ is escaped, so that no name ends a header.
std::string HeaderName(std::string_view name) { return base::PercentEncode(name.substr(0, kMaxListBytes + 1)); }

std::string HeaderList(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    const std::string text = HeaderName(name);
    if (list.size() + text.size() > kMaxListBytes) return base::StrCat(list, list.empty() ? "" : ",", "...");
    base::StrAppend(&list, list.empty() ? "" : ",", text);
  }
  return list;
}

std::string CacheUseName(CacheUse use) {
  switch (use) {
    case CacheUse::kNone:
      break;
    case CacheUse::kCurrent:
      return "current";
    case CacheUse::kHit:
      return "hit";
    case CacheUse::kMiss:
      return "miss";
    case CacheUse::kShared:
      return "shared";
    case CacheUse::kBypass:
      return "bypass";
  }
  return "none";
}

// "id:STRING,timestamp:TIMESTAMP", for who prints rows for people.
std::string ColumnList(const Schema& schema) {
  std::string list;
  for (const Field& field : schema) {
    base::StrAppend(
        &list, list.empty() ? "" : ",", HeaderName(field.name), ":",
        field.type.is_array() || field.type.is_struct() || field.type.is_record() ? "NESTED" : field.type.ToString());
  }
  return list;
}

// A longer header than this, few clients take.
constexpr size_t kMaxLinkBytes = 4'096;
constexpr size_t kMaxHeaderBytesOfAnswer = 7'000;

// Returns a part of a URL as it was sent; what could end the URL or the header is escaped.
std::string TargetPart(std::string_view part) {
  return base::PercentEncode(
      part, [](char c) { return c > ' ' && c < 0x7f && std::string_view("<>\"\\").find(c) == std::string_view::npos; });
}

// The same call for the page after this one.
std::string NextPage(const HttpRequest& request, const std::string& cursor) {
  std::string link = base::StrCat("<", TargetPart(request.path), "?");
  for (std::string_view rest = request.query; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.empty() || part.substr(0, part.find('=')) == "cursor") continue;
    base::StrAppend(&link, TargetPart(part), "&");
  }
  return base::StrCat(link, "cursor=", cursor, ">; rel=\"next\"");
}

void AddPages(const HttpRequest& request, const std::string& cursor, HttpResponse& response) {
  if (cursor.empty()) return;
  response.AddHeader("Logquery-Cursor", cursor);
  std::string link = NextPage(request, cursor);
  if (link.size() <= kMaxLinkBytes) response.AddHeader("Link", std::move(link));
}

// RFC 3339 in UTC; ".." for an end that is open.
std::string TimeOrOpen(const std::optional<absl::Time>& time) {
  return time ? absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", *time, absl::UTCTimeZone()) : std::string("..");
}

std::string WindowText(const CutWindow& window) {
  return base::StrCat(TimeOrOpen(window.start), "/", TimeOrOpen(window.end), "; asked=", TimeOrOpen(window.asked_start),
                      "/", TimeOrOpen(window.asked_end));
}

// The header Server-Timing: the query's times in milliseconds.
std::string ServerTiming(const HttpRequestRecord& record) {
  std::string text;
  text.reserve(128);
  for (const auto& [name, time] : {std::make_pair("parse", record.parse), std::make_pair("plan", record.plan),
                                   std::make_pair("queue", record.queued), std::make_pair("execute", record.execute),
                                   std::make_pair("redact", record.redact), std::make_pair("encode", record.encode)}) {
    base::StrAppend(&text, text.empty() ? "" : ", ", name, ";dur=", base::MillisecondsText(time));
  }
  return text;
}

HttpResponse AnswerRows(QueryAnswer answer, const HttpRequest& request, HttpRequestRecord& record) {
  record.rows = answer.rows;
  record.parse = answer.parse_time;
  record.plan = answer.plan_time;
  record.execute = answer.execute_time;
  record.redact = answer.redact_time;
  record.encode = answer.encode_time;
  HttpResponse response;
  response.body = std::move(answer.body);
  response.file = std::move(answer.file);
  if (!answer.receipt.empty()) response.AddHeader("Logquery-Receipt", std::move(answer.receipt));
  if (answer.cache != CacheUse::kNone) {
    record.cache = CacheUseName(answer.cache);
    response.AddHeader("Age", std::to_string(absl::ToInt64Seconds(answer.age)));
    response.AddHeader("Logquery-Cache", record.cache);
  }
  if (answer.truncated) response.AddHeader("Logquery-Truncated", "true");
  if (answer.window) response.AddHeader("Logquery-Window", WindowText(*answer.window));
  if (!answer.revision.empty()) response.AddHeader("Logquery-Revision", std::move(answer.revision));
  AddPages(request, answer.next_cursor, response);
  if (!answer.ignored_parameters.empty()) {
    response.AddHeader("Logquery-Ignored-Parameters", HeaderList(answer.ignored_parameters));
  }
  if (request.Header("Logquery-Want-Columns") != nullptr) {
    // Without all of them, the header says less than the rows.
    if (std::string columns = ColumnList(answer.schema); columns.size() <= kMaxHeaderBytesOfAnswer) {
      response.AddHeader("Logquery-Columns", std::move(columns));
    }
  }
  Deliver(request, answer.digest, answer.coding, response);
  return response;
}

// A token for one project that asks for another one gets no rows of logs, which looks like an empty project.
HttpResponse WithScope(const std::optional<std::string>& scope, HttpResponse response) {
  if (scope) response.AddHeader("Logquery-Token-Project", HeaderName(*scope));
  return response;
}

}  // namespace

// A gateway's `true` holds, whatever else the client sends; a gateway may also have joined both to a list.
bool AsksToRedact(const HttpRequest& request) { return HasElement(request, "LF-ENDPOINT-REDACT-PII", "true"); }

HttpResponse AnswerError(const absl::Status& status, bool redact, HttpRequestRecord& record) {
  base::ErrorAnswer answer = base::MakeErrorAnswer(status, record.request_id, redact);
  record.error = base::Message(status);
  HttpResponse response;
  response.status = answer.http_status;
  response.body = std::move(answer.body);
  if (answer.retry_after_seconds > 0) response.AddHeader("Retry-After", std::to_string(answer.retry_after_seconds));
  if (answer.http_status == 401) response.AddHeader("WWW-Authenticate", "Bearer realm=\"logquery\"");
  return response;
}

HttpResponse AnswerHttpError(int status, std::string_view message, HttpRequestRecord& record) {
  record.error = message;
  HttpResponse response;
  response.status = status;
  response.body = base::HttpErrorBody(status, message, record.request_id);
  return response;
}

namespace {

HttpResponse AnswerRefusal(const absl::Status& status, const Endpoint& endpoint, bool redact,
                           HttpRequestRecord& record) {
  HttpResponse response = AnswerError(status, redact, record);
  record.error = LoggedError(status, endpoint, record);
  return response;
}

// Says whether the call's SQL would run, without running it. It takes no query's turn: a verdict is a matter of milliseconds.
HttpResponse DryRun(const HttpRequest& request, const CallTarget& target, const QueryRequest& query, bool redact,
                    QueryService& service, HttpRequestRecord& record) {
  const absl::StatusOr<SandboxVerdict> verdict = service.Check(target, query);
  if (!verdict.ok()) return AnswerRefusal(verdict.status(), *target.definition, redact, record);
  HttpResponse response;
  response.body = VerdictJson(*verdict);
  Deliver(request, base::Sha256Hex(response.body), ContentCoding::kIdentity, response);
  return response;
}

// Runs the query and waits for its answer. If the client leaves, cancels the query, and returns Cancelled without waiting
// for its end.
absl::StatusOr<QueryAnswer> RunWhileConnected(QueryQueue& queue, CallTarget target, QueryRequest query,
                                              const std::function<bool()>& client_left, absl::Duration& queued) {
  CancellationSource cancellation;
  query.cancellation = cancellation.token();
  std::optional<QueuedAnswer> answer = base::AwaitWhileConnected<QueuedAnswer>(
      client_left, cancellation,
      [&](QueryQueue::Done done) { queue.Submit(std::move(target), std::move(query), std::move(done)); });
  if (!answer) return absl::CancelledError("the client left");
  queued = answer->queued;
  return std::move(answer->answer);
}

}  // namespace

HttpResponse CallEndpoint(Exchange& exchange, QueryService& service, QueryQueue& queue, bool log_parameters) {
  const HttpRequest& request = exchange.http;
  const Principal& caller = **exchange.principal;
  HttpRequestRecord& record = exchange.record;
  const absl::StatusOr<std::string> name = base::PercentDecode(exchange.argument, false);
  const bool asked = caller.redact_pii || AsksToRedact(request);
  if (!name.ok()) return AnswerError(name.status(), asked, record);
  absl::StatusOr<CallTarget> target = service.Find(caller, *name);
  if (!target.ok()) {
    // From a token for some endpoints only, such calls are no mere typing errors: the log marks them.
    record.denied = caller.endpoints.has_value() && absl::IsNotFound(target.status());
    return AnswerError(target.status(), asked, record);
  }
  record.endpoint = target->definition->name;
  const bool redact = asked || target->MandatesRedaction();
  absl::StatusOr<Call> call = ReadCall(request, *target->definition);
  if (!call.ok()) return AnswerRefusal(call.status(), *target->definition, redact, record);
  QueryRequest& query = call->query;
  query.call_id = record.request_id;
  query.traceparent = record.traceparent;
  query.trace = record.trace;
  const bool dry_run = call->form.dry_run == "true";
  RecordQuery(query, log_parameters && !dry_run, record);
  record.labels = LabelsOf(target->principal, *target->definition, query);
  query.call_labels = std::make_shared<const Labels>(record.labels);
  const std::optional<std::string> scope = OtherScope(target->principal, *target->definition, query);
  if (dry_run) return WithScope(scope, DryRun(request, *target, query, redact, service, record));
  const std::string* accept = request.Header("Accept");
  const std::optional<RowFormat> format = ChooseFormat(call->form.format, accept != nullptr ? *accept : std::string());
  if (!format.has_value()) return AnswerHttpError(406, kFormats, record);

  query.format = *format;
  const std::shared_ptr<const Endpoint> definition = target->definition;
  absl::StatusOr<QueryAnswer> answer =
      RunWhileConnected(queue, *std::move(target), std::move(query), request.client_left, record.queued);
  if (!answer.ok()) return AnswerRefusal(answer.status(), *definition, redact, record);
  HttpResponse response = AnswerRows(*std::move(answer), request, record);
  response.content_type = ContentTypeOf(*format);
  response.AddHeader("Server-Timing", ServerTiming(record));
  return WithScope(scope, std::move(response));
}

HttpResponse CallRewrite(Exchange& exchange, QueryService& service) {
  const HttpRequest& request = exchange.http;
  const Principal& caller = **exchange.principal;
  const bool redact = caller.redact_pii || AsksToRedact(request);
  absl::StatusOr<std::string> answer = AnswerRewrite(service, caller, request.body, redact);
  if (!answer.ok()) {
    HttpResponse response = AnswerError(answer.status(), redact, exchange.record);
    // The message quotes the SQL.
    exchange.record.error = base::StrCat(absl::StatusCodeToString(answer.status().code()), "; the answer says why");
    return response;
  }
  HttpResponse response;
  response.body = *std::move(answer);
  return response;
}

}  // namespace logquery::shim
