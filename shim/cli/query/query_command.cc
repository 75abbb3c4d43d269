// The command query: SQL over all logs of a data folder, or on a server elsewhere.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/query/error_text.h"
#include "shim/cli/query/json_table.h"
#include "shim/cli/query/query_by_url.h"
#include "shim/cli/query/row_format.h"
#include "shim/cli/query/sql_call.h"
#include "shim/cli/query/sql_input.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/deployment_options.h"

namespace logquery::shim {
namespace {

// The limit of an answer that this process keeps in memory.
constexpr int64_t kMaxResultBytes = int64_t{256} << 20;

absl::StatusOr<std::string> SqlOf(const SqlArguments& arguments, std::istream& in) {
  if (!arguments.sql.empty() && !arguments.file.empty()) {
    return absl::InvalidArgumentError("the SELECT is given twice: as the argument and by --file");
  }
  if (!arguments.file.empty()) return ReadSql(arguments.file, in);
  if (arguments.sql.empty()) {
    return absl::InvalidArgumentError(
        "there is no SQL: give the SELECT as one argument, in quotes, or - to read it from standard input");
  }
  return arguments.sql == "-" ? ReadSql("-", in) : arguments.sql;
}

// nullopt: no server has the folder open.
std::optional<absl::StatusOr<SqlReply>> AskServerForRows(const SqlArguments& call) {
  if (call.service.data.empty() || !HasServer(call.service.data)) return std::nullopt;
  if (!call.service.now.empty()) {
    return absl::InvalidArgumentError(
        base::StrCat("a server has ", call.service.data,
                     " open and runs this query by its own clock: leave --now out, or give it to the server"));
  }
  HttpRequest request;
  request.method = "POST";
  request.path = "/query";
  request.headers = {{"Content-Type", "application/json"}};
  request.body = SqlCallText(call);
  const std::optional<absl::StatusOr<std::string>> answer = AskOwner(call.service.data, request);
  // It has just ended: now the folder is free.
  if (!answer.has_value()) return std::nullopt;
  if (!answer->ok()) return answer->status();
  return ParseSqlReply(**answer);
}

absl::StatusOr<SqlReply> RunHere(const SqlArguments& call) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<Deployment> deployment, OpenToRead(call.service));
  return AnswerSql(*deployment, call, kMaxResultBytes, CancellationToken());
}

}  // namespace

int RunSql(const SqlArguments& given, const Terminal& terminal) {
  SqlArguments call = given;
  const bool has_url = !call.server.url.empty();
  const absl::Status backend = has_url ? absl::OkStatus() : ReadBackend(call.service);
  if (!backend.ok()) return Fail(terminal, backend);
  absl::StatusOr<std::string> sql = SqlOf(call, terminal.in);
  if (!sql.ok()) return Fail(terminal, sql.status());
  call.sql = *std::move(sql);
  const absl::Status shown = CheckTerminalShows(call.format, "query", terminal);
  if (!shown.ok()) return Fail(terminal, shown);
  if (has_url) return QueryByUrl(call, terminal);
  std::optional<absl::StatusOr<SqlReply>> asked = AskServerForRows(call);
  const absl::StatusOr<SqlReply> reply = asked.has_value() ? *std::move(asked) : RunHere(call);
  if (!reply.ok()) return Fail(terminal, reply.status());
  if (reply->failed) {
    PrintErrorOf(reply->body, call.format, terminal);
    if (!reply->internal.empty()) terminal.err << "logquery: " << reply->internal << "\n";
    return kExitFailed;
  }
  if (call.format == "table") {
    if (const absl::Status printed = PrintJsonTable(reply->body, reply->schema, terminal); !printed.ok()) {
      return Fail(terminal, printed);
    }
  } else {
    PrintBody(reply->body, terminal);
  }
  if (reply->truncated) {
    terminal.err << "logquery: there are more rows than these " << call.limit << "; --limit N prints up to N\n";
  }
  return kExitOk;
}

}  // namespace logquery::shim
