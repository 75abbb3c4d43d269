// A table with the rows of all logs, in which each row names its log: Logflare's OTel layout. ClickHouse SQL reads it as `logs`.
#ifndef LOGQUERY_LIB_MODEL_ALL_LOGS_H_
#define LOGQUERY_LIB_MODEL_ALL_LOGS_H_

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logquery/catalog.h"

namespace logquery::model {

// Table::log of such a table, which is no log's name.
inline constexpr std::string_view kAllLogs = "*";
// Its columns beside id, timestamp and event_message. The attributes are a JSON object of texts, with dotted names.
inline constexpr std::string_view kSeverityColumn = "severity_text";
inline constexpr std::string_view kSourceColumn = "source";
inline constexpr std::string_view kProjectColumn = "project";
inline constexpr std::string_view kAttributesColumn = "log_attributes";

inline bool HoldsAllLogs(const Table& table) { return table.log == kAllLogs; }

// The severities that rows show; another level is INFO.
inline constexpr std::array<std::string_view, 13> kSeverities = {"TRACE",   "DEBUG", "INFO",  "NOTICE",   "WARN",
                                                                 "WARNING", "ERROR", "FATAL", "CRITICAL", "EMERGENCY",
                                                                 "ALERT",   "LOG",   "PANIC"};
// Returns whether the log has requests, whose level is no severity.
inline bool IsAlwaysInfo(std::string_view log) { return log == "edge_logs" || log == "function_edge_logs"; }
// The fields of a log's row that may have its severity, in any case: the first that is there counts.
inline std::vector<std::vector<std::string>> SeverityPaths() {
  return {
      {"severity_text"}, {"severityText"}, {"metadata", "level"}, {"level"}, {"metadata", "parsed", "error_severity"}};
}

// The declaration of such a table, as a schema would have it. No column is NULL in any row.
inline Table AllLogsTable(std::string name) {
  Table table;
  table.name = std::move(name);
  table.log = kAllLogs;
  table.columns = {{"id", Type::String()},
                   {"timestamp", Type::Timestamp()},
                   {"event_message", Type::String()},
                   {std::string(kSeverityColumn), Type::String()},
                   {std::string(kSourceColumn), Type::String()},
                   {std::string(kProjectColumn), Type::String()},
                   {std::string(kAttributesColumn), Type::Json()}};
  table.id_column = "id";
  table.time_column = "timestamp";
  table.project_path = {std::string(kProjectColumn)};
  return table;
}

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_ALL_LOGS_H_
