// The command run: builds a service for one call, and prints its answer.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/error_body.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/cli/options/table_printer.h"
#include "shim/cli/query/error_text.h"
#include "shim/cli/query/row_format.h"
#include "shim/cli/query/run_by_server.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/deployment_options.h"

namespace logquery::shim {
namespace {

absl::StatusOr<QueryRequest> MakeRequest(const RunArguments& arguments) {
  QueryRequest request;
  request.endpoint = arguments.endpoint;
  for (const std::string& parameter : arguments.parameters) {
    const size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0) {
      const bool is_sql = !request.parameters.empty() && request.parameters.back().first == "sql";
      return absl::InvalidArgumentError(base::StrCat(
          "parameters are KEY=VALUE, not ", parameter,
          is_sql ? "; SQL is one argument, in quotes: sql='select …'" : "; a value with spaces stands in quotes"));
    }
    request.parameters.emplace_back(parameter.substr(0, equals), parameter.substr(equals + 1));
  }
  request.redact_pii = arguments.redact_pii;
  request.int64_as_string = arguments.int64_as_string;
  request.csv_safe = arguments.csv_safe;
  request.format = RowFormatNamed(arguments.format);
  return request;
}

int PrintError(const RunArguments& arguments, const absl::Status& status, const Terminal& terminal) {
  const base::ErrorAnswer answer = base::MakeErrorAnswer(status, "", arguments.redact_pii);
  PrintErrorOf(answer.body, arguments.format, terminal);
  // The body hides what an internal error was; who runs the program may see it.
  if (answer.http_status >= 500) terminal.err << "logquery: " << base::Message(status) << "\n";
  return kExitFailed;
}

// The names that a call of the endpoint may give.
std::vector<std::string> ParameterNames(const QueryService& service, const std::string& endpoint) {
  std::vector<std::string> names;
  const auto registry = service.registry();
  const RegisteredEndpoint* found = registry->Find(endpoint);
  if (found == nullptr) return names;
  for (const Parameter& parameter : found->definition().parameters) {
    if (!parameter.computed) names.push_back(parameter.name);
  }
  return names;
}

void PrintNotes(const QueryAnswer& answer, const std::vector<std::string>& parameters, const Terminal& terminal) {
  if (answer.truncated) terminal.err << "logquery: there are more rows than the endpoint's max rows\n";
  if (!answer.next_cursor.empty())
    terminal.err << "logquery: for the rows after these: cursor=" << answer.next_cursor << "\n";
  for (const std::string& name : answer.ignored_parameters) {
    terminal.err << "logquery: the endpoint has no parameter " << name << "; ignored" << DidYouMean(name, parameters)
                 << "\n";
  }
}

}  // namespace

int RunQuery(const RunArguments& given, const Terminal& terminal) {
  RunArguments arguments = given;
  if (const absl::Status backend = ReadBackend(arguments.service); !backend.ok()) return Fail(terminal, backend);
  const absl::StatusOr<QueryRequest> request = MakeRequest(arguments);
  if (!request.ok()) return Fail(terminal, request.status());
  const absl::Status shown = CheckTerminalShows(arguments.format, "run", terminal);
  if (!shown.ok()) return Fail(terminal, shown);
  // The process that holds the folder has it alone, and answers for it.
  if (const std::optional<int> code = RunByServer(arguments, *request, terminal)) return *code;
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = OpenToRead(arguments.service);
  if (!deployment.ok()) return Fail(terminal, deployment.status());
  QueryService& service = (*deployment)->service();

  TablePrinter table(terminal.columns);
  const bool as_table = arguments.format == "table";
  const absl::StatusOr<QueryAnswer> answer = as_table ? service.Run(*request, table) : service.Run(*request);
  if (!answer.ok()) return PrintError(arguments, answer.status(), terminal);
  if (as_table) {
    table.Print(answer->schema, terminal.out);
  } else {
    PrintBody(answer->body, terminal);
  }
  PrintNotes(*answer, ParameterNames(service, arguments.endpoint), terminal);
  return kExitOk;
}

}  // namespace logquery::shim
