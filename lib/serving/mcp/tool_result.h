// Results of tools: structured for programs, and as text for models, which says what is data.
#ifndef LOGQUERY_LIB_SERVING_MCP_TOOL_RESULT_H_
#define LOGQUERY_LIB_SERVING_MCP_TOOL_RESULT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/base/json/value.h"
#include "logquery/endpoint.h"
#include "logquery/query_answer.h"
#include "logquery/sandbox_verdict.h"
#include "logquery/serving/mcp_server.h"
#include "logquery/type.h"

namespace logquery::serving {

// The result of a tool that fails: with the message, its place in the SQL, and what to do. `call_id` and `redact` as in
// base::MakeErrorAnswer.
base::Json ErrorResult(const absl::Status& status, std::string_view call_id, bool redact, const McpOptions& options);

// Facts that a call's result states beside the rows.
struct RowsContext {
  const Endpoint* endpoint = nullptr;
  int64_t most_rows = 0;           // that a call may ask for
  int64_t asked_rows = 0;          // that this one did
  absl::Duration queued;           // the time that it waited
  std::vector<std::string> notes;  // sentences of ours
};

// The rows of an answer in RowFormat::kNdjson. Unavailable: its file can't be read.
absl::StatusOr<base::Json> RowsResult(const QueryAnswer& answer, RowsContext context, const McpOptions& options);

// The result of query_logs with dry_run.
base::Json VerdictResult(const SandboxVerdict& verdict, RowsContext context);

// A value with the text that shows it. `text` is ours, or framed.
base::Json Result(base::Json structured, std::string text);

// Passes on the first rows of an answer in RowFormat::kNdjson: all, or those in its first 8 MiB, with TIMESTAMP values as ISO
// 8601. Stops when `take` returns false. Unavailable: its file can't be read.
absl::Status ForEachRow(const QueryAnswer& answer, const std::function<bool(base::Json row)>& take);

// Returns "kept" for an answer that was not computed for this call, otherwise "computed".
std::string_view CacheName(CacheUse use);

// The name of a type without its fields: RECORD for what has some.
std::string PlainTypeName(const Type& type);

// The schemas of structured results. Clients check errors against them, too, so members of other results are not required. Without
// columns: of any row.
base::Json RowsSchema(const std::optional<Schema>& columns);
base::Json ListLogsSchema();
base::Json ExplanationSchema();

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_TOOL_RESULT_H_
