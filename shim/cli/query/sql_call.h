// The call behind `logquery query`: answered by a deployment of this process, or by the server that has the data folder open, which
// gets it as text through the socket in the folder.
//
//     options.actions.push_back(SqlAction(deployment));                                          // the server: POST /query
//     request.body = SqlCallText(arguments);                                                     // the command
//     absl::StatusOr<SqlReply> reply = ParseSqlReply(*AskOwner(folder, request));
#ifndef LOGQUERY_SHIM_CLI_QUERY_SQL_CALL_H_
#define LOGQUERY_SHIM_CLI_QUERY_SQL_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/cancellation.h"
#include "logquery/http_server.h"
#include "logquery/serving/deployment.h"
#include "logquery/type.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// The result of a call: rows, or an error.
struct SqlReply {
  std::string body;        // rows in the call's format, JSON for a table; or the error's body, as over HTTP
  bool is_binary = false;  // Arrow or Parquet, which JSON can't hold as text
  bool failed = false;
  bool truncated = false;
  Schema schema;         // of the rows; by a server, types as ShownTypeNamed has them
  std::string internal;  // what an internal error was, which the body hides
};

// Runs `call.sql`; of `call` everything but `service` and `file` is used. `max_result_bytes`: see logquery::SqlOptions.
SqlReply AnswerSql(Deployment& deployment, const SqlArguments& call, std::optional<int64_t> max_result_bytes,
                   CancellationToken cancellation);

// The call and the reply as JSON. InvalidArgument: the text is another one.
std::string SqlCallText(const SqlArguments& call);
absl::StatusOr<SqlArguments> ParseSqlCall(std::string_view text);
std::string SqlReplyText(const SqlReply& reply);
absl::StatusOr<SqlReply> ParseSqlReply(std::string_view text);

// POST /query of a server, for the folder's owner. A client that leaves cancels its query. `deployment` is borrowed.
HttpAction SqlAction(Deployment& deployment);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_SQL_CALL_H_
