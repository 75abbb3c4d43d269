// The settings that are sent with each statement, so that a user's profile can't change results.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_SETTINGS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_SETTINGS_H_

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "logquery/call_tags.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::clickhouse {

// Returns "&readonly=2&…" with the settings that the server has, whose names are `known`. FailedPrecondition: the
// server lacks a setting that results depend on.
absl::StatusOr<std::string> SettingsInUrl(const ClickHouseOptions& options, const std::set<std::string>& known);

// "&log_comment=…", the labels as a JSON object: what system.query_log then shows. Empty: there are none.
std::string CommentInUrl(const Labels& labels);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_SETTINGS_H_
