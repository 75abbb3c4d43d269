// The table of routes. A new route is a row here and a handler in routes.cc.
#include "shim/http/route_table.h"

#include <utility>

#include "shim/http/routes.h"

namespace logquery::shim {
namespace {

using In = RouteParameter::In;

constexpr std::pair<Methods, std::string_view> kMethodNames[] = {{kGet, "GET"}, {kHead, "HEAD"}, {kPost, "POST"}};
constexpr Methods kReads = kGet | kHead;

constexpr std::string_view kJson = "application/json; charset=utf-8";

constexpr RouteParameter kRequestId = {In::kHeader, "X-Request-Id", "string", false,
                                       "Taken over into the answer and the log: 1 to 128 of A-Z, a-z, 0-9, _, . and -"};

constexpr RouteParameter kCallParameters[] = {
    {In::kPath, "endpoint", "string", true, "The endpoint's id or name"},
    {In::kQuery, "sql", "string", false, "A query over the endpoint's logs, where the endpoint takes one"},
    {In::kQuery, "cursor", "string", false, "Of the answer before: the rows that come after that page"},
    {In::kQuery, "format", "string", false, "The form of the rows; Accept chooses it too", "json,ndjson,csv"},
    {In::kQuery, "int64", "string", false, "Whether integers beyond 2^53 come as strings", "number,string"},
    {In::kQuery, "csv_safe", "boolean", false, "An apostrophe before text that a spreadsheet takes for a formula"},
    {In::kQuery, "dry_run", "boolean", false, "Answers whether the endpoint would run `sql`, and runs nothing"},
    {In::kQuery, "explain", "boolean", false,
     "With dry_run, for tokens of all projects: how the query would run, and the engine's plan"},
    {In::kHeader, "LF-ENDPOINT-REDACT-PII", "boolean", false, "Replaces IP addresses in the rows by REDACTED"},
    {In::kHeader, "Accept", "string", false, "The form of the rows, where `format` does not say it"},
    {In::kHeader, "Accept-Encoding", "string", false, "zstd and gzip are understood"},
    {In::kHeader, "Cache-Control", "string", false, "no-store: an answer that is made for this call"},
    {In::kHeader, "If-None-Match", "string", false, "The ETag of rows that the caller has"},
    kRequestId,
};
constexpr RouteAnswer kCallAnswers[] = {
    {200, kJson, "The rows, as {\"result\":[…]}; with dry_run a verdict"},
    {200, "application/x-ndjson", "The rows, an object a line"},
    {200, "text/csv; charset=utf-8", "The rows, with a line of column names"},
    {304, "", "The caller has these rows: their ETag is in If-None-Match"},
};

constexpr RouteParameter kPlainParameters[] = {kRequestId};
constexpr RouteAnswer kListAnswers[] = {
    {200, kJson, "{\"endpoints\":[…]}: names, ids, settings, parameters and result columns"}};
constexpr RouteParameter kShowParameters[] = {{In::kPath, "endpoint", "string", true, "The endpoint's id or name"},
                                              kRequestId};
constexpr RouteAnswer kShowAnswers[] = {{200, kJson, "What the list has of that endpoint"}};
constexpr RouteAnswer kOpenApiAnswers[] = {{200, kJson, "The document, with the endpoints that the token may call"}};
constexpr RouteAnswer kMetricsAnswers[] = {
    {200, "text/plain; version=0.0.4; charset=utf-8", "Prometheus' text format"}};
constexpr RouteAnswer kHealthAnswers[] = {{200, kJson, "{\"status\":\"ok\"}"}};
constexpr RouteAnswer kReadyAnswers[] = {
    {200, kJson, "{\"status\":\"ready\"}; beside it \"loading\":\"stopped\", \"definitions\":\"outdated\""},
    {503, kJson, "{\"status\":\"unavailable\"}: the server stops; with \"reason\", its engine cannot be asked"}};
constexpr RouteAnswer kDetailAnswers[] = {
    {200, kJson, "The state of queries, loading, the engine, crashes and memory"},
    {503, kJson, "The same, while the server stops or its engine cannot be asked"}};
constexpr RouteAnswer kPageAnswers[] = {{200, "text/html; charset=utf-8", "The page"}};
constexpr RouteAnswer kScriptAnswers[] = {{200, "text/javascript; charset=utf-8", "The page's script"}};
constexpr RouteAnswer kStyleAnswers[] = {{200, "text/css; charset=utf-8", "The page's style"}};
constexpr RouteAnswer kIconAnswers[] = {{200, "image/svg+xml", "The page's icon"}};
constexpr RouteAnswer kCodeAnswers[] = {{200, kJson, "{\"code\":\"…\",\"expires_in\":60}"}};
constexpr RouteParameter kTokenParameters[] = {
    {In::kBody, "code", "string", true, "What the path before this one gave, within 60 seconds"}, kRequestId};
constexpr RouteAnswer kTokenAnswers[] = {{200, kJson, "{\"token\":\"…\"}: what the code stood for; it is now used up"}};
constexpr RouteAnswer kStatsAnswers[] = {{200, kJson, "{\"tables\":[…]}, as `logquery stats --format json` prints it"}};
constexpr RouteParameter kBackupParameters[] = {
    {In::kBody, "target", "string", true, "The absolute path of a folder that is absent or empty"}, kRequestId};
constexpr RouteAnswer kBackupAnswers[] = {{200, kJson, "What was copied: files, bytes, rows"}};
constexpr RouteParameter kCheckParameters[] = {
    {In::kBody, "read_rows", "boolean", true, "Whether each value of each row is read"}, kRequestId};
constexpr RouteAnswer kCheckAnswers[] = {
    {200, kJson, "{\"findings\":[…]}, as `logquery doctor --format json` prints it"}};

constexpr RouteParameter kIngestParameters[] = {
    {In::kQuery, "source_name", "string", false, "The log's or its table's name"},
    {In::kQuery, "source", "string", false, "The same"},
    {In::kHeader, "X-Source", "string", false, "The same, where the URL can't have it"},
    {In::kHeader, "Content-Type", "string", false, "JSON, or lines of it: application/json, application/x-ndjson"},
    {In::kHeader, "Content-Encoding", "string", false, "zstd and gzip are understood"},
    {In::kHeader, "Idempotency-Key", "string", false, "A name of these events: under one name they are taken once"},
    kRequestId,
};
constexpr RouteAnswer kIngestAnswers[] = {
    {200, kJson, "{\"message\":\"Logged!\"}, the events are on the disk; `rejected` has those that were not taken"}};
constexpr RouteAnswer kOtlpAnswers[] = {{200, kJson, "{\"partialSuccess\":{…}}, the records are on the disk"}};
constexpr RouteAnswer kSourcesAnswers[] = {{200, kJson, "[{\"name\":…}]: the logs that the token may write"}};
constexpr RouteAnswer kBackendsAnswers[] = {{200, kJson, "[]: logs go nowhere else from here"}};
constexpr std::string_view kIngests = "Takes events into a log.";
constexpr std::string_view kIngestsJson = "The same of objects of any kind: they are metadata.";
constexpr std::string_view kIngestsVector = "The same of events as Vector has them.";

constexpr std::string_view kCalls = "Runs an endpoint and gives its rows; a POST's JSON object has further parameters.";
constexpr std::string_view kOlder = "The same, for older clients.";

}  // namespace

absl::Span<const Route> Routes::Table() {
  constexpr Methods kCall = kReads | kPost;
  static constexpr Route kRoutes[] = {
      {"/api/endpoints/query/{endpoint}", kCall, Audience::kToken, &Routes::Call, kCalls, kCallParameters, kCallAnswers,
       true},
      {"/api/endpoints/query/name/{endpoint}", kCall, Audience::kToken, &Routes::Call, kOlder, kCallParameters,
       kCallAnswers, true, true},
      {"/endpoints/query/{endpoint}", kCall, Audience::kToken, &Routes::Call, kOlder, kCallParameters, kCallAnswers,
       true, true},
      {"/endpoints/query/name/{endpoint}", kCall, Audience::kToken, &Routes::Call, kOlder, kCallParameters,
       kCallAnswers, true, true},
      {"/api/endpoints", kReads, Audience::kToken, &Routes::List, "Lists the endpoints that the token may call.",
       kPlainParameters, kListAnswers},
      {"/api/endpoints/{endpoint}", kReads, Audience::kToken, &Routes::Show,
       "Describes an endpoint: settings, parameters and result columns.", kShowParameters, kShowAnswers},
      {"/api/openapi.json", kReads, Audience::kToken, &Routes::OpenApi,
       "Describes this interface as an OpenAPI 3.1 document.", kPlainParameters, kOpenApiAnswers},
      {"/api/logs", kPost, Audience::kToken, &Routes::Ingest, kIngests, kIngestParameters, kIngestAnswers, false, false,
       RouteNeeds::kIngest},
      {"/api/logs/json", kPost, Audience::kToken, &Routes::Ingest, kIngestsJson, kIngestParameters, kIngestAnswers,
       false, false, RouteNeeds::kIngest},
      {"/api/logs/vector", kPost, Audience::kToken, &Routes::Ingest, kIngestsVector, kIngestParameters, kIngestAnswers,
       false, false, RouteNeeds::kIngest},
      {"/api/logs/cloudflare", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers,
       false, true, RouteNeeds::kIngest},
      {"/api/events", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers, false, true,
       RouteNeeds::kIngest},
      {"/api/events/json", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers, false,
       true, RouteNeeds::kIngest},
      {"/api/events/vector", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers, false,
       true, RouteNeeds::kIngest},
      {"/api/events/cloudflare", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers,
       false, true, RouteNeeds::kIngest},
      {"/logs", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers, false, true,
       RouteNeeds::kIngest},
      {"/logs/json", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers, false, true,
       RouteNeeds::kIngest},
      {"/logs/vector", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers, false, true,
       RouteNeeds::kIngest},
      {"/logs/cloudflare", kPost, Audience::kToken, &Routes::Ingest, kOlder, kIngestParameters, kIngestAnswers, false,
       true, RouteNeeds::kIngest},
      {"/v1/logs", kPost, Audience::kToken, &Routes::IngestOtlp,
       "Takes log records of OpenTelemetry into a log: OTLP over HTTP, in JSON.", kIngestParameters, kOtlpAnswers,
       false, false, RouteNeeds::kIngest},
      {"/api/sources", kReads, Audience::kToken, &Routes::Sources, "Lists the logs that the token may write.",
       kPlainParameters, kSourcesAnswers, false, false, RouteNeeds::kIngest},
      {"/api/backends", kReads, Audience::kToken, &Routes::Backends, "Lists where logs go on to: nowhere.",
       kPlainParameters, kBackendsAnswers, false, false, RouteNeeds::kIngest},
      {"/metrics", kReads, Audience::kToken, &Routes::MetricsForToken,
       "Counts what the server does, for tokens of all projects.", kPlainParameters, kMetricsAnswers},
      {"/health", kReads, Audience::kAnybody, &Routes::Health, "Says that the process answers.", kPlainParameters,
       kHealthAnswers},
      {"/ready", kReads, Audience::kAnybody, &Routes::Ready, "Says whether the server takes calls.", kPlainParameters,
       kReadyAnswers},
      {"/", kReads, Audience::kAnybody, &Routes::Web, "The console: a page to explore endpoints and logs with.",
       kPlainParameters, kPageAnswers, false, false, RouteNeeds::kConsole},
      {"/console.js", kReads, Audience::kAnybody, &Routes::Web, "The script of that page.", kPlainParameters,
       kScriptAnswers, false, false, RouteNeeds::kConsole},
      {"/console.css", kReads, Audience::kAnybody, &Routes::Web, "The style of that page.", kPlainParameters,
       kStyleAnswers, false, false, RouteNeeds::kConsole},
      {"/console.svg", kReads, Audience::kAnybody, &Routes::Web, "The icon of that page.", kPlainParameters,
       kIconAnswers, false, false, RouteNeeds::kConsole},
      {"/api/console/codes", kPost, Audience::kToken, &Routes::MakeCode,
       "Makes a code that stands for the call's token once, within 60 seconds.", kPlainParameters, kCodeAnswers, false,
       false, RouteNeeds::kConsole},
      {"/api/console/token", kPost, Audience::kAnybody, &Routes::TakeCode, "Exchanges such a code for the token.",
       kTokenParameters, kTokenAnswers, false, false, RouteNeeds::kConsole},
      {"/health", kReads, Audience::kAdmin, &Routes::Health, "Says that the process answers.", kPlainParameters,
       kHealthAnswers},
      {"/ready", kReads, Audience::kAdmin, &Routes::ReadyInDetail, "Says in detail what the server does.",
       kPlainParameters, kDetailAnswers},
      {"/metrics", kReads, Audience::kAdmin, &Routes::Metrics, "Counts what the server does.", kPlainParameters,
       kMetricsAnswers},
      {"/stats", kReads, Audience::kOwner, &Routes::Stats, "Counts what each log of the folder holds.",
       kPlainParameters, kStatsAnswers},
      {"/backup", kPost, Audience::kOwner, &Routes::BackUp, "Copies the folder as it is at one moment.",
       kBackupParameters, kBackupAnswers},
      {"/check", kPost, Audience::kOwner, &Routes::Check, "Looks whether the folder is in order.", kCheckParameters,
       kCheckAnswers},
  };
  return kRoutes;
}

Methods MethodNamed(std::string_view name) {
  for (const auto& [method, known] : kMethodNames) {
    if (known == name) return method;
  }
  return 0;
}

std::string MethodNames(Methods methods) {
  std::string names;
  for (const auto& [method, name] : kMethodNames) {
    if ((methods & method) == 0) continue;
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

std::optional<std::string_view> MatchPath(std::string_view pattern, std::string_view path) {
  const size_t brace = pattern.find('{');
  if (brace == pattern.npos) return pattern == path ? std::make_optional(std::string_view()) : std::nullopt;
  if (path.substr(0, brace) != pattern.substr(0, brace)) return std::nullopt;
  const std::string_view argument = path.substr(brace);
  if (argument.empty() || argument.find('/') != argument.npos) return std::nullopt;
  return argument;
}

}  // namespace logquery::shim
