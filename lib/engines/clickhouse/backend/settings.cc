// Three kinds of settings: those that the SQL text relies on, those that keep a profile from changing results, and
// limits.
#include "lib/engines/clickhouse/backend/settings.h"

#include "lib/backend/http/client.h"
#include "lib/base/strings.h"
#include "logquery/row_encoder.h"

namespace logquery::clickhouse {
namespace {

using base::StrAppend;
using base::StrCat;

struct Setting {
  const char* name;
  const char* value;
  bool needed;  // a server without it is refused; otherwise it is not sent to one that does not know it
};

constexpr Setting kSettings[] = {
    {"readonly", "2", true},
    {"transform_null_in", "0", true},
    {"cast_keep_nullable", "0", true},
    {"prefer_column_name_to_alias", "1", true},
    {"enable_positional_arguments", "1", true},
    {"aggregate_functions_null_for_empty", "0", true},
    {"group_by_use_nulls", "0", true},
    {"join_use_nulls", "1", true},
    {"session_timezone", "UTC", true},
    {"empty_result_for_aggregation_by_empty_set", "0", true},
    {"empty_result_for_aggregation_by_constant_keys_on_empty_set", "1", true},
    {"enable_extended_results_for_datetime_functions", "1", false},
    {"use_variant_as_common_type", "0", false},
    // Views of a table of all logs read FLOAT64 from texts.
    {"precise_float_parsing", "1", false},
    // Settings with which a profile could silently truncate an answer.
    {"limit", "0", true},
    {"offset", "0", true},
    {"extremes", "0", true},
    {"max_result_rows", "0", true},
    {"max_result_bytes", "0", true},
    {"result_overflow_mode", "throw", true},
    {"read_overflow_mode", "throw", true},
    {"timeout_overflow_mode", "throw", true},
    {"group_by_overflow_mode", "throw", true},
    {"sort_overflow_mode", "throw", true},
    {"distinct_overflow_mode", "throw", true},
    {"set_overflow_mode", "throw", true},
    {"max_rows_to_group_by", "0", true},
    {"skip_unavailable_shards", "0", true},
    {"distributed_group_by_no_merge", "0", true},
    {"use_query_cache", "0", false},
    {"read_overflow_mode_leaf", "throw", false},
    {"timeout_overflow_mode_leaf", "throw", false},
    // A chain of equalities is not to become an IN, which compares FLOAT64 bit by bit: -0.0 is not 0.0 there.
    {"optimize_min_equality_disjunction_chain_length", "4294967295", false},
    {"optimize_min_inequality_conjunction_chain_length", "4294967295", false},
    // Limits on the query's text, which we limit ourselves: a list of 60 KB becomes some 360 KB there.
    {"max_query_size", "16777216", true},
    {"max_ast_elements", "10000000", true},
    {"max_expanded_ast_elements", "10000000", true},
    // The answer's form.
    {"output_format_binary_write_json_as_string", "1", false},
    {"output_format_binary_encode_types_in_binary_format", "0", false},
    {"http_write_exception_in_output_format", "0", false},
    {"send_progress_in_http_headers", "0", true},
    {"cancel_http_readonly_queries_on_client_close", "1", true},
};

}  // namespace

absl::StatusOr<std::string> SettingsInUrl(const ClickHouseOptions& options, const std::set<std::string>& known) {
  std::string url;
  for (const Setting& setting : kSettings) {
    if (known.contains(setting.name)) {
      StrAppend(&url, "&", setting.name, "=", setting.value);
    } else if (setting.needed) {
      return absl::FailedPreconditionError(
          StrCat("this ClickHouse has no setting ", setting.name, ", which the answers count on: use a later version"));
    }
  }
  // Whole seconds are what all versions take, and a fraction of one is rounded up.
  const int64_t seconds = absl::ToInt64Seconds(options.statement_timeout + absl::Milliseconds(999));
  StrAppend(&url, "&max_execution_time=", seconds, "&max_memory_usage=", options.max_server_memory_bytes,
            "&max_rows_to_read=", options.max_rows_to_read, "&enable_http_compression=", options.compression ? 1 : 0);
  return url;
}

std::string CommentInUrl(const Labels& labels) {
  if (labels.empty()) return "";
  std::string json;
  for (const auto& [key, value] : labels) {
    json += json.empty() ? '{' : ',';
    AppendJsonString(key, json);
    json += ':';
    AppendJsonString(value, json);
  }
  return StrCat("&log_comment=", http::UrlEncoded(json + "}"));
}

}  // namespace logquery::clickhouse
