// The settings that each statement is sent with, so that a user's profile changes no answer.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_SETTINGS_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_SETTINGS_H_

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "logquery/call_tags.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::clickhouse {

// "&readonly=2&…", of those that the server has, whose names are `known`. FailedPrecondition: it lacks one that an answer depends
// on.
absl::StatusOr<std::string> SettingsInUrl(const ClickHouseOptions& options, const std::set<std::string>& known);

// "&log_comment=…", the labels as a JSON object: what system.query_log then shows. Empty: there are none.
std::string CommentInUrl(const Labels& labels);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_SETTINGS_H_
