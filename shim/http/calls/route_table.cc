// The table of routes. A new route is a row here and a handler in routes.cc.
#include "shim/http/calls/route_table.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "shim/http/calls/routes.h"

namespace logquery::shim {
namespace {

using In = RouteParameter::In;

constexpr std::pair<Methods, std::string_view> kMethodNames[] = {
    {kGet, "GET"}, {kHead, "HEAD"}, {kPost, "POST"}, {kPut, "PUT"}, {kDelete, "DELETE"}};
constexpr Methods kReads = kGet | kHead;

constexpr std::string_view kJson = "application/json; charset=utf-8";

constexpr RouteParameter kRequestId = {In::kHeader, "X-Request-Id", "string", false,
                                       "Copied to the answer and the log: 1 to 128 of A-Z, a-z, 0-9, _, . and -"};

constexpr RouteParameter kCallParameters[] = {
    {In::kPath, "endpoint", "string", true, "The endpoint's id or name"},
    {In::kQuery, "sql", "string", false, "An SQL query over the endpoint's logs, if the endpoint accepts one"},
    {In::kQuery, "cursor", "string", false, "The cursor of the previous answer: returns the next page"},
    {In::kQuery, "format", "string", false, "The format of the rows; overrides Accept",
     "json,ndjson,csv,json-rows,arrow,parquet"},
    {In::kQuery, "int64", "string", false, "string: integers beyond 2^53 are strings", "number,string"},
    {In::kQuery, "csv_safe", "boolean", false,
     "Put an apostrophe before text that a spreadsheet would take for a formula"},
    {In::kQuery, "dry_run", "boolean", false, "Report whether the endpoint would run `sql`, without running it"},
    {In::kQuery, "explain", "boolean", false,
     "With dry_run, for tokens for all projects: also report how the query would run, and the engine's plan"},
    {In::kHeader, "LF-ENDPOINT-LABELS", "string", false,
     "key=value,key2=value2: values of labels that the endpoint has"},
    {In::kHeader, "LF-ENDPOINT-REDACT-PII", "boolean", false, "Replace IP addresses in the rows with REDACTED"},
    {In::kHeader, "Accept", "string", false, "The format of the rows, if `format` is absent"},
    {In::kHeader, "Accept-Encoding", "string", false, "zstd and gzip are supported"},
    {In::kHeader, "Cache-Control", "string", false, "no-store: compute the answer for this call, without the cache"},
    {In::kHeader, "If-None-Match", "string", false, "The ETag of the rows that the caller already has"},
    kRequestId,
};
constexpr RouteAnswer kCallAnswers[] = {
    {200, kJson, "The rows, as {\"result\":[…]}; with dry_run a verdict"},
    {200, "application/x-ndjson", "The rows, one object per line"},
    {200, "text/csv; charset=utf-8", "The rows, after a line of column names"},
    {200, "application/vnd.logquery.rows+json", "The rows as arrays, {\"schema\":[…],\"rows\":[[…],…]}"},
    {200, "application/vnd.apache.arrow.stream", "The rows as an Arrow IPC stream"},
    {200, "application/vnd.apache.parquet", "The rows as a Parquet file"},
    {304, "", "The rows have not changed since the ETag in If-None-Match"},
};

constexpr RouteParameter kPlainParameters[] = {kRequestId};
constexpr RouteAnswer kListAnswers[] = {
    {200, kJson, "{\"endpoints\":[…]}: names, ids, settings, parameters and result columns"}};
constexpr RouteParameter kShowParameters[] = {{In::kPath, "endpoint", "string", true, "The endpoint's id or name"},
                                              kRequestId};
constexpr RouteAnswer kShowAnswers[] = {{200, kJson, "The endpoint's entry in the list"}};
constexpr RouteAnswer kOpenApiAnswers[] = {{200, kJson, "The document, with the endpoints that the token may call"}};
constexpr RouteAnswer kMetricsAnswers[] = {
    {200, "text/plain; version=0.0.4; charset=utf-8", "Prometheus' text format"}};
constexpr RouteAnswer kHealthAnswers[] = {{200, kJson, "{\"status\":\"ok\"}"}};
constexpr RouteAnswer kReadyAnswers[] = {
    {200, kJson, "{\"status\":\"ready\"}; possibly with \"loading\":\"stopped\" or \"definitions\":\"outdated\""},
    {503, kJson,
     "{\"status\":\"unavailable\"}: the server is stopping or, with \"reason\", its engine cannot be reached"}};
constexpr RouteAnswer kDetailAnswers[] = {
    {200, kJson, "The state of queries, loading, the engine, crashes and memory"},
    {503, kJson, "The same, while the server is stopping or its engine cannot be reached"}};
constexpr RouteAnswer kPageAnswers[] = {{200, "text/html; charset=utf-8", "The page"}};
constexpr RouteAnswer kScriptAnswers[] = {{200, "text/javascript; charset=utf-8", "The page's script"}};
constexpr RouteAnswer kStyleAnswers[] = {{200, "text/css; charset=utf-8", "The page's style"}};
constexpr RouteAnswer kIconAnswers[] = {{200, "image/svg+xml", "The page's icon"}};
constexpr RouteAnswer kCodeAnswers[] = {{200, kJson, "{\"code\":\"…\",\"expires_in\":60}"}};
constexpr RouteParameter kTokenParameters[] = {
    {In::kBody, "code", "string", true, "The code from /api/console/codes, at most 60 seconds old"}, kRequestId};
constexpr RouteAnswer kTokenAnswers[] = {{200, kJson, "{\"token\":\"…\"}: the code's token; the code is now used up"}};
constexpr RouteParameter kIngestParameters[] = {
    {In::kQuery, "source_name", "string", false, "The log's or its table's name"},
    {In::kQuery, "source", "string", false, "The same, or a UUID of the setting source_ids"},
    {In::kHeader, "X-Source", "string", false, "The same, for clients that cannot set it in the URL"},
    {In::kHeader, "Content-Type", "string", false, "application/json, or application/x-ndjson for JSON lines"},
    {In::kHeader, "Content-Encoding", "string", false, "zstd and gzip are supported"},
    {In::kHeader, "Idempotency-Key", "string", false,
     "A key for these events: events with the same key are stored once"},
    kRequestId,
};
constexpr RouteAnswer kIngestAnswers[] = {
    {200, kJson, "{\"message\":\"Logged!\"}, the events are on disk; `rejected` lists those that were refused"}};
constexpr RouteAnswer kOtlpAnswers[] = {
    {200, kJson, "{\"partialSuccess\":{…}}, the records are on disk"},
    {200, "application/x-protobuf", "The same as a message, if the request is one"}};
constexpr RouteAnswer kSourcesAnswers[] = {{200, kJson, "[{\"name\":…}]: the logs that the token may write"}};
constexpr RouteAnswer kProjectsAnswers[] = {
    {200, kJson, "{\"result\":[{\"project\":…,\"newest\":…}]}: `newest` is the time of the project's newest row"}};
constexpr RouteAnswer kBackendsAnswers[] = {{200, kJson, "[]: logquery does not forward logs"}};
constexpr RouteParameter kMcpParameters[] = {
    {In::kQuery, "project", "string", false, "Limits the tools to this project, as a token for it would"},
    {In::kHeader, "MCP-Protocol-Version", "string", false, "The protocol's revision"},
    {In::kHeader, "Mcp-Method", "string", false, "The message's method; required by 2026-07-28"},
    {In::kHeader, "Mcp-Name", "string", false, "The tool's name; required by 2026-07-28 for tools/call"},
    {In::kHeader, "LF-ENDPOINT-REDACT-PII", "boolean", false, "Replace IP addresses in the rows with REDACTED"},
    kRequestId,
};
constexpr RouteAnswer kMcpAnswers[] = {{200, kJson, "The answer, one message of JSON-RPC"},
                                       {202, "", "The message was a notification, which has no answer"}};
constexpr RouteParameter kSavedProject = {In::kQuery, "project", "string", false, "For tokens for all projects"};
constexpr RouteParameter kSavedListParameters[] = {kSavedProject, kRequestId};
constexpr RouteParameter kSavedParameters[] = {
    {In::kPath, "name", "string", true, "The name of the query"},
    kSavedProject,
    {In::kQuery, "shared", "boolean", false, "Only a query that belongs to no project"},
    {In::kQuery, "revision", "integer", false, "To read a former revision"},
    {In::kHeader, "If-Match", "string", false, "To save or delete: the ETag of the revision that is changed"},
    {In::kBody, "endpoint", "string", true, "The endpoint that runs the SQL"},
    {In::kBody, "sql", "string", true, "The SQL"},
    {In::kBody, "description", "string", false, "One line"},
    {In::kBody, "language", "string", false, "Of the endpoint's SQL", "bigquery,clickhouse"},
    {In::kBody, "revision", "integer", false, "In place of If-Match"},
    kRequestId,
};
constexpr RouteAnswer kSavedListAnswers[] = {{200, kJson, "{\"queries\":[…]}, without their SQL"}};
constexpr RouteAnswer kSavedAnswers[] = {{200, kJson, "The query, and who saved which revision"},
                                         {409, kJson, "The query has another revision; `present` has it"}};
constexpr RouteParameter kRewriteParameters[] = {
    {In::kBody, "sql", "string", true, "SQL of logs.all or logs.all.otel"},
    {In::kBody, "to", "string", true, "The language to write it in; it is in the other one", "bigquery,clickhouse"},
    {In::kBody, "rows_have_metadata", "boolean", false, "Take every row to have metadata"},
    {In::kHeader, "LF-ENDPOINT-REDACT-PII", "boolean", false, "Replace IP addresses in errors with REDACTED"},
    kRequestId,
};
constexpr RouteAnswer kRewriteAnswers[] = {
    {200, kJson, "The SQL in the other language, the endpoint that takes it, and notes on places that differ"},
    {400, kJson, "The SQL or the body is wrong; `details` has the place"},
    {501, kJson, "A part of the SQL has no equal in the other language; `details` has the place"}};
constexpr std::string_view kIngests = "Stores events in a log.";
constexpr std::string_view kIngestsJson = "The same for JSON objects of any kind, which become metadata.";
constexpr std::string_view kIngestsVector = "The same for events in Vector's form.";

constexpr std::string_view kCalls =
    "Runs an endpoint and returns its rows; the JSON object of a POST has further parameters.";
constexpr std::string_view kOlder = "The same, for older clients.";

// Logflare's other paths for logs.
constexpr std::string_view kLogPaths[] = {"/api/logs", "/api/events", "/logs"};
constexpr std::string_view kLogFormats[] = {
    "",        "/json",          "/vector",       "/cloudflare",      "/vercel",
    "/zeit",   "/netlify",       "/github",       "/browser/reports", "/elixir/logger",
    "/erlang", "/erlang/logger", "/erlang/lager", "/cloud-event"};

// Adds those of them that are not among the routes, as aliases of "/api/logs".
const std::vector<Route>* WithAliases(std::vector<Route>* routes) {
  static auto* const patterns = new std::deque<std::string>;
  const auto of = [routes](std::string_view pattern) {
    return std::find_if(routes->begin(), routes->end(), [=](const Route& route) { return route.pattern == pattern; });
  };
  Route alias = *of(kLogPaths[0]);
  alias.what = kOlder;
  alias.alias = true;
  for (const std::string_view path : kLogPaths) {
    for (const std::string_view format : kLogFormats) {
      alias.pattern = patterns->emplace_back(base::StrCat(path, format));
      if (of(alias.pattern) == routes->end()) routes->push_back(alias);
    }
  }
  return routes;
}

}  // namespace

absl::Span<const Route> Routes::Table() {
  constexpr Methods kCall = kReads | kPost;
  static const auto* const routes = WithAliases(new std::vector<Route>{
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
      {"/v1/logs", kPost, Audience::kToken, &Routes::IngestOtlp,
       "Stores log records of OpenTelemetry in a log: OTLP over HTTP, in JSON or protobuf.", kIngestParameters,
       kOtlpAnswers, false, false, RouteNeeds::kIngest},
      {"/api/sources", kReads, Audience::kToken, &Routes::Sources, "Lists the logs that the token may write.",
       kPlainParameters, kSourcesAnswers, false, false, RouteNeeds::kIngest},
      {"/api/backends", kReads, Audience::kToken, &Routes::Backends,
       "Lists forwarding targets, of which there are none.", kPlainParameters, kBackendsAnswers, false, false,
       RouteNeeds::kIngest},
      {"/api/projects", kReads, Audience::kToken, &Routes::Projects,
       "Lists the projects that have rows, for tokens for all projects and endpoints.", kPlainParameters,
       kProjectsAnswers, false, false, RouteNeeds::kProjects},
      {"/mcp", kPost, Audience::kToken, &Routes::Mcp,
       "Answers one message of the Model Context Protocol: endpoints as tools for models.", kMcpParameters, kMcpAnswers,
       false, false, RouteNeeds::kMcp},
      {"/api/saved", kReads, Audience::kToken, &Routes::Saved, "Lists the queries that are kept on the server.",
       kSavedListParameters, kSavedListAnswers, false, false, RouteNeeds::kSaved},
      {"/api/saved/{name}", kReads | kPut | kDelete, Audience::kToken, &Routes::Saved,
       "Reads, saves or deletes a query that is kept on the server.", kSavedParameters, kSavedAnswers, false, false,
       RouteNeeds::kSaved},
      {"/api/translate", kPost, Audience::kToken, &Routes::Rewrite,
       "Rewrites SQL of logs.all as ClickHouse SQL for logs.all.otel, or back, without running it.", kRewriteParameters,
       kRewriteAnswers},
      {"/metrics", kReads, Audience::kToken, &Routes::MetricsForToken,
       "Returns metrics, for tokens with that right or for all projects.", kPlainParameters, kMetricsAnswers},
      {"/health", kReads, Audience::kAnybody, &Routes::Health, "Reports that the process is alive.", kPlainParameters,
       kHealthAnswers},
      {"/ready", kReads, Audience::kAnybody, &Routes::Ready, "Reports whether the server accepts calls.",
       kPlainParameters, kReadyAnswers},
      {"/", kReads, Audience::kAnybody, &Routes::Web, "The console: a page to explore endpoints and logs with.",
       kPlainParameters, kPageAnswers, false, false, RouteNeeds::kConsole},
      {"/console.js", kReads, Audience::kAnybody, &Routes::Web, "The script of that page.", kPlainParameters,
       kScriptAnswers, false, false, RouteNeeds::kConsole},
      {"/console.css", kReads, Audience::kAnybody, &Routes::Web, "The style of that page.", kPlainParameters,
       kStyleAnswers, false, false, RouteNeeds::kConsole},
      {"/console.svg", kReads, Audience::kAnybody, &Routes::Web, "The icon of that page.", kPlainParameters,
       kIconAnswers, false, false, RouteNeeds::kConsole},
      {"/api/console/codes", kPost, Audience::kToken, &Routes::MakeCode,
       "Creates a code that can be exchanged for the call's token once, within 60 seconds.", kPlainParameters,
       kCodeAnswers, false, false, RouteNeeds::kConsole},
      {"/api/console/token", kPost, Audience::kAnybody, &Routes::TakeCode, "Exchanges such a code for the token.",
       kTokenParameters, kTokenAnswers, false, false, RouteNeeds::kConsole},
      {"/health", kReads, Audience::kAdmin, &Routes::Health, "Reports that the process is alive.", kPlainParameters,
       kHealthAnswers},
      {"/ready", kReads, Audience::kAdmin, &Routes::ReadyInDetail, "Reports the server's state in detail.",
       kPlainParameters, kDetailAnswers},
      {"/metrics", kReads, Audience::kAdmin, &Routes::Metrics, "Returns metrics.", kPlainParameters, kMetricsAnswers},
  });
  return *routes;
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
