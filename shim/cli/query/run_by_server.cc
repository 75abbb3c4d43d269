// Converts the command's arguments to an HTTP request, and its response to the command's output.
#include "shim/cli/query/run_by_server.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/call_parameters.h"
#include "lib/base/error_body.h"
#include "lib/base/json/value.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/query/error_text.h"
#include "shim/cli/query/http_answer.h"
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
  if (arguments.format == "table") http.headers.emplace_back(kWantColumns, "true");
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

int Print(const RunArguments& arguments, const ServerResponse& response, const Terminal& terminal) {
  int code = kExitFailed;
  if (response.status == 200) {
    code = PrintHttpRows(response, arguments.format, terminal);
  } else {
    PrintErrorOf(response.body, arguments.format, terminal);
  }
  if (response.status >= 500) {
    terminal.err << "logquery: the server's log says more, at request " << ResponseHeader(response, "X-Request-Id")
                 << "\n";
  }
  PrintHttpNotes(response, terminal);
  return code;
}

}  // namespace

std::optional<int> RunByServer(const RunArguments& arguments, const QueryRequest& request, const Terminal& terminal) {
  if (arguments.service.data.empty() || !HasServer(arguments.service.data)) return std::nullopt;
  if (const absl::Status options = CheckOptions(arguments); !options.ok()) return Fail(terminal, options);
  const absl::StatusOr<HttpRequest> http = MakeHttpRequest(arguments, request);
  if (!http.ok()) return Fail(terminal, http.status());
  const absl::StatusOr<ServerResponse> response = AskServer(arguments.service.data, *http);
  // It has just ended: now the folder is free.
  if (absl::IsNotFound(response.status())) return std::nullopt;
  return response.ok() ? Print(arguments, *response, terminal) : Fail(terminal, response.status());
}

}  // namespace logquery::shim
