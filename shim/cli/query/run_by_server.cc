// Converts the command's arguments to an HTTP request, and its response to the command's output.
#include "shim/cli/query/run_by_server.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/error_body.h"
#include "lib/base/json/value.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/query/error_text.h"
#include "shim/cli/query/json_table.h"
#include "shim/http/calls/call_parameters.h"
#include "shim/http/calls/content_type.h"

namespace logquery::shim {
namespace {

using base::Json;

absl::StatusOr<HttpRequest> MakeHttpRequest(const RunArguments& arguments, const QueryRequest& request) {
  Json parameters = Json::object();
  for (const auto& [name, value] : request.parameters) {
    if (parameters.contains(name)) {
      return absl::InvalidArgumentError(base::StrCat("parameter ", name, " is given twice"));
    }
    parameters[name] = value;
  }
  if (request.int64_as_string) parameters["int64"] = "string";
  if (request.csv_safe) parameters["csv_safe"] = "true";
  HttpRequest http;
  http.method = "POST";
  http.path = base::StrCat("/api/endpoints/query/", base::PercentEncode(request.endpoint));
  http.headers = {{"Content-Type", "application/json"}};
  if (request.redact_pii) http.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
  if (arguments.format == "table") http.headers.emplace_back("Logquery-Want-Columns", "true");
  // By header, as the endpoint may have a parameter `format` of its own.
  http.headers.emplace_back("Accept", std::string(ContentTypeOf(request.format)));
  http.body = parameters.ToString();
  return http;
}

// Options that a server can't be told for one call.
absl::Status CheckOptions(const RunArguments& arguments) {
  const bool has_now = !arguments.service.now.empty();
  if (!has_now && arguments.service.endpoints.empty()) return absl::OkStatus();
  const char* const option = has_now ? "--now" : "--endpoints";
  return absl::InvalidArgumentError(base::StrCat("a server has ", arguments.service.data,
                                                 " open and runs this query with its own settings: leave ", option,
                                                 " out, or give it to the server"));
}

// "id:STRING,timestamp:TIMESTAMP": of the types only what a table shows differently matters.
Schema ParseColumns(std::string_view list) {
  Schema schema;
  while (!list.empty()) {
    const std::string_view column = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), column.size() + 1));
    const size_t colon = column.find(':');
    const absl::StatusOr<std::string> name = base::PercentDecode(column.substr(0, colon), false);
    const std::string_view kind = colon == column.npos ? "" : column.substr(colon + 1);
    schema.push_back({name.ok() ? *name : std::string(column), ShownTypeNamed(kind)});
  }
  return schema;
}

std::string Header(const HttpResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (base::EqualsIgnoreCase(key, name)) return value;
  }
  return "";
}

int Print(const RunArguments& arguments, const HttpResponse& response, const Terminal& terminal) {
  const bool good = response.status == 200;
  if (good && arguments.format == "table") {
    // An answer of very many columns does not list them.
    const absl::Status printed =
        PrintJsonTable(response.body, ParseColumns(Header(response, "Logquery-Columns")), terminal);
    if (!printed.ok()) return Fail(terminal, printed);
  } else if (good) {
    PrintBody(response.body, terminal);
  } else {
    PrintErrorOf(response.body, arguments.format, terminal);
  }
  if (response.status >= 500) {
    terminal.err << "logquery: the server's log says more, at request " << Header(response, "X-Request-Id") << "\n";
  }
  if (!Header(response, "Logquery-Truncated").empty()) {
    terminal.err << "logquery: there are more rows than the endpoint's max rows\n";
  }
  if (const std::string cursor = Header(response, "Logquery-Cursor"); !cursor.empty()) {
    terminal.err << "logquery: for the rows after these: cursor=" << cursor << "\n";
  }
  if (const std::string ignored = Header(response, "Logquery-Ignored-Parameters"); !ignored.empty()) {
    terminal.err << "logquery: the endpoint has no parameter " << ignored << "; ignored\n";
  }
  return good ? kExitOk : kExitFailed;
}

}  // namespace

std::optional<int> RunByServer(const RunArguments& arguments, const QueryRequest& request, const Terminal& terminal) {
  if (arguments.service.data.empty() || !HasServer(arguments.service.data)) return std::nullopt;
  if (const absl::Status options = CheckOptions(arguments); !options.ok()) return Fail(terminal, options);
  const absl::StatusOr<HttpRequest> http = MakeHttpRequest(arguments, request);
  if (!http.ok()) return Fail(terminal, http.status());
  const absl::StatusOr<HttpResponse> response = AskServer(arguments.service.data, *http);
  // It has just ended: now the folder is free.
  if (absl::IsNotFound(response.status())) return std::nullopt;
  return response.ok() ? Print(arguments, *response, terminal) : Fail(terminal, response.status());
}

}  // namespace logquery::shim
