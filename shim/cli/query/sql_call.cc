// Both ways give one reply, so that the command prints the same.
#include "shim/cli/query/sql_call.h"

#include <functional>
#include <limits>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/synchronization/notification.h"
#include "lib/base/error_body.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/worker_pool.h"
#include "shim/cli/query/json_table.h"
#include "shim/cli/query/row_format.h"
#include "shim/http/calls/content_type.h"

namespace logquery::shim {
namespace {

using base::Json;
using base::JsonFields;

// How often the server looks whether the client is still there.
constexpr absl::Duration kLookEvery = absl::Milliseconds(50);

constexpr JsonFields::Range kLimits = {1, 1'000'000};

QueryRequest RequestOf(const SqlArguments& call, CancellationToken cancellation) {
  QueryRequest request;
  request.redact_pii = call.redact_pii;
  request.csv_safe = call.csv_safe;
  request.int64_as_string = call.int64_as_string;
  request.format = RowFormatNamed(call.format);
  request.cancellation = std::move(cancellation);
  return request;
}

}  // namespace

SqlReply AnswerSql(Deployment& deployment, const SqlArguments& call, std::optional<int64_t> max_result_bytes,
                   CancellationToken cancellation) {
  SqlOptions options;
  options.language = call.language == "clickhouse" ? QueryLanguage::kClickHouse : QueryLanguage::kBigQuery;
  options.max_rows = call.limit;
  options.max_result_bytes = max_result_bytes;
  if (!call.project.empty()) options.project = call.project;
  absl::StatusOr<QueryAnswer> answer = deployment.RunSql(call.sql, options, RequestOf(call, std::move(cancellation)));
  SqlReply reply;
  if (answer.ok()) {
    reply.body = answer->body.text();
    reply.is_binary = IsBinary(RowFormatNamed(call.format));
    reply.truncated = answer->truncated;
    reply.schema = std::move(answer->schema);
    return reply;
  }
  const base::ErrorAnswer error = base::MakeErrorAnswer(answer.status(), "", call.redact_pii);
  reply.failed = true;
  reply.body = error.body;
  if (error.http_status >= 500) reply.internal = base::Message(answer.status());
  return reply;
}

std::string SqlCallText(const SqlArguments& call) {
  return Json({{"sql", call.sql},
               {"project", call.project},
               {"language", call.language},
               {"format", call.format},
               {"limit", call.limit},
               {"csv_safe", call.csv_safe},
               {"redact_pii", call.redact_pii},
               {"int64_as_string", call.int64_as_string}})
      .ToString();
}

absl::StatusOr<SqlArguments> ParseSqlCall(std::string_view text) {
  SqlArguments call;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("the request's body", text, [&](JsonFields& fields) {
    call.sql = fields.Text("sql");
    call.project = fields.Text("project", "");
    call.language = fields.Text("language", call.language);
    call.format = fields.Text("format", "json");
    call.limit = fields.Integer("limit", kLimits, call.limit);
    call.csv_safe = fields.Flag("csv_safe", false);
    call.redact_pii = fields.Flag("redact_pii", false);
    call.int64_as_string = fields.Flag("int64_as_string", false);
    if (call.language != "bigquery" && call.language != "clickhouse") {
      fields.Fail("language", "must be bigquery or clickhouse");
    }
    if (call.format != "table" && !ChooseFormat(call.format, "").has_value()) {
      fields.Fail("format", "must be table, json, ndjson, csv, json-rows, arrow or parquet");
    }
  }));
  return call;
}

std::string SqlReplyText(const SqlReply& reply) {
  Json columns = Json::array();
  for (const Field& field : reply.schema) {
    columns.push_back({{"name", field.name}, {"type", field.type.ToString()}});
  }
  return Json({{"body", reply.is_binary ? absl::Base64Escape(reply.body) : reply.body},
               {"is_binary", reply.is_binary},
               {"failed", reply.failed},
               {"truncated", reply.truncated},
               {"columns", std::move(columns)},
               {"internal", reply.internal}})
      .ToString();
}

absl::StatusOr<SqlReply> ParseSqlReply(std::string_view text) {
  SqlReply reply;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("the server's answer", text, [&](JsonFields& fields) {
    reply.body = fields.Text("body");
    reply.is_binary = fields.Flag("is_binary", false);
    if (std::string bytes; reply.is_binary) {
      if (!absl::Base64Unescape(reply.body, &bytes)) fields.Fail("body", "must be Base64");
      reply.body = std::move(bytes);
    }
    reply.failed = fields.Flag("failed", false);
    reply.truncated = fields.Flag("truncated", false);
    reply.internal = fields.Text("internal", "");
    const Json* const columns = fields.Find("columns");
    if (columns == nullptr || !columns->is_array()) return fields.Fail("columns", "must be a list");
    for (const Json& column : *columns) {
      JsonFields inner = fields.Inner(column, fields.Place("columns") + ".");
      std::string name = inner.Text("name");
      reply.schema.push_back({std::move(name), ShownTypeNamed(inner.Text("type"))});
    }
  }));
  return reply;
}

HttpAction SqlAction(Deployment& deployment) {
  const auto run = [&deployment](const HttpActionCall& call) -> absl::StatusOr<std::string> {
    LOGQUERY_ASSIGN_OR_RETURN(const SqlArguments arguments, ParseSqlCall(call.body));
    CancellationSource source;
    const CancellationToken::Registration stopping = call.stopping.OnCancel([&source] { source.Cancel(); });
    SqlReply reply;
    absl::Notification done;
    base::WorkerPool thread(1, 1);
    LOGQUERY_RETURN_IF_ERROR(thread.Start(1));
    const bool is_taken = thread.Submit([&] {
      reply = AnswerSql(deployment, arguments, std::nullopt, source.token());
      done.Notify();
    });
    if (!is_taken) return absl::UnavailableError("no thread is free for the query; try again in a moment");
    while (!done.WaitForNotificationWithTimeout(kLookEvery)) {
      if (call.client_left()) source.Cancel();
    }
    return SqlReplyText(reply);
  };
  return {"/query", true, run};
}

}  // namespace logquery::shim
