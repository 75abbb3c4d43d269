// Generated queries in BigQuery SQL such as dashboards save.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_ORACLE_SAVED_QUERIES_H_
#define LOGQUERY_TESTS_CLICKHOUSE_ORACLE_SAVED_QUERIES_H_

#include <random>
#include <string>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::clickhouse_oracle {

struct SavedLog {
  const char* name;
  std::vector<const char*> unnests;  // behind that of the metadata
  std::vector<const char*> texts;
  std::vector<const char*> numbers;
};

inline const std::vector<SavedLog>& SavedLogs() {
  static const auto& logs = *new std::vector<SavedLog>{
      {"edge_logs",
       {"m.request) AS r", "m.response) AS s"},
       {"r.method", "r.path", "r.search", "t.event_message"},
       {"s.status_code", "s.origin_time"}},
      {"function_edge_logs",
       {"m.request) AS r", "m.response) AS s"},
       {"m.function_id", "m.deployment_id", "r.method", "r.pathname"},
       {"m.execution_time_ms", "s.status_code"}},
      {"postgres_logs",
       {"m.parsed) AS p"},
       {"p.error_severity", "p.command_tag", "p.database_name", "p.sql_state_code", "t.event_message"},
       {"p.process_id", "p.session_line_num"}},
      {"auth_logs", {}, {"m.level", "m.path", "m.msg", "t.event_message"}, {"LENGTH(t.event_message)"}},
  };
  return logs;
}

class SavedQueries {
 public:
  explicit SavedQueries(uint64_t seed) : random_(seed) {}

  std::string Make() {
    log_ = &SavedLogs()[Below(SavedLogs().size())];
    switch (Below(5)) {
      case 0:
        return Newest();
      case 1:
        return Chart();
      case 2:
        return Top();
      case 3:
        return base::StrCat("SELECT COUNT(*) AS n, ", Aggregate(), " AS a, ", Aggregate(), " AS b ", From(), Where());
      default:
        return base::StrCat("WITH counts AS (", Groups(),
                            ") SELECT bucket, SUM(n) AS total, MAX(n) AS most FROM counts ",
                            Chance(50) ? "WHERE n > 1 " : "", "GROUP BY bucket ORDER BY bucket");
    }
  }

 private:
  size_t Below(size_t end) { return static_cast<size_t>(random_() % end); }
  bool Chance(size_t percent) { return Below(100) < percent; }
  std::string Of(const std::vector<const char*>& list) { return list[Below(list.size())]; }
  std::string Text() { return Of(log_->texts); }
  std::string Number() { return Of(log_->numbers); }

  std::string From() {
    const char* const join = Chance(70) ? " CROSS JOIN UNNEST(" : " LEFT JOIN UNNEST(";
    std::string from = base::StrCat("FROM ", log_->name, " AS t", join, "t.metadata) AS m");
    for (const char* unnest : log_->unnests) base::StrAppend(&from, join, unnest);
    return from;
  }

  std::string Condition(int depth) {
    if (depth > 0 && Chance(35))
      return base::StrCat("(", Condition(depth - 1), Chance(60) ? " AND " : " OR ", Condition(depth - 1), ")");
    switch (Below(8)) {
      case 0:
        return base::StrCat(Text(), " = '", Of({"GET", "POST", "ERROR", "error", "/token", ""}), "'");
      case 1:
        return base::StrCat(Text(), Chance(70) ? " IN (" : " NOT IN (", "'GET', 'LOG', 'info')");
      case 2:
        return base::StrCat(Text(), " LIKE '", Of({"/rest%", "%auth%", "%e%", "G_T"}), "'");
      case 3:
        return base::StrCat("REGEXP_CONTAINS(", Text(), ", r'", Of({"^/", "rest|auth", "[0-9]+", "(?i)error"}), "')");
      case 4:
        return base::StrCat(Number(), Of({" >= ", " < ", " = ", " != "}), Of({"200", "400", "500", "31"}));
      case 5:
        return base::StrCat(Number(), " BETWEEN 200 AND ", Of({"299", "404", "5000"}));
      case 6:
        return base::StrCat(Chance(50) ? Text() : Number(), Chance(50) ? " IS NULL" : " IS NOT NULL");
      default:
        return base::StrCat("t.timestamp ", Of({">", ">=", "<"}), " TIMESTAMP '2026-03-0", Of({"1", "2", "3"}),
                            " 12:00:00'");
    }
  }
  std::string Where() { return Chance(75) ? base::StrCat(" WHERE ", Condition(2)) : ""; }

  std::string Aggregate() {
    switch (Below(6)) {
      case 0:
        return base::StrCat("COUNTIF(", Condition(1), ")");
      case 1:
        return base::StrCat(Of({"MIN(", "MAX("}), Chance(50) ? Number() : Text(), ")");
      case 2:
        return base::StrCat("AVG(", Number(), ")");
      case 3:
        return base::StrCat("SUM(", Number(), ")");
      case 4:
        return base::StrCat("COUNT(DISTINCT ", Text(), ")");
      default:
        return base::StrCat("COUNT(", Chance(50) ? Number() : Text(), ")");
    }
  }

  std::string Newest() {
    return base::StrCat("SELECT t.id, t.timestamp, t.event_message, ", Text(), " AS a, ", Number(), " AS b ", From(),
                        Where(), " ORDER BY t.timestamp DESC, t.id LIMIT ", Of({"5", "50", "100"}));
  }
  std::string Groups() {
    return base::StrCat("SELECT TIMESTAMP_TRUNC(t.timestamp, ", Of({"MINUTE", "HOUR", "DAY"}), ") AS bucket, ", Text(),
                        " AS k, COUNT(*) AS n, ", Aggregate(), " AS a ", From(), Where(), " GROUP BY bucket, k");
  }
  std::string Chart() { return base::StrCat(Groups(), Chance(30) ? " HAVING n > 1" : "", " ORDER BY bucket, k, n"); }
  std::string Top() {
    return base::StrCat("SELECT ", Text(), " AS k, COUNT(*) AS n, ", Aggregate(), " AS a ", From(), Where(),
                        " GROUP BY k ORDER BY n DESC, k LIMIT ", Of({"3", "20"}));
  }

  std::mt19937_64 random_;
  const SavedLog* log_ = nullptr;
};

}  // namespace logquery::clickhouse_oracle

#endif  // LOGQUERY_TESTS_CLICKHOUSE_ORACLE_SAVED_QUERIES_H_
