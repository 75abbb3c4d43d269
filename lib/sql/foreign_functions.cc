// A table of names in PostgreSQL, MySQL, SQLite, SQL Server, ClickHouse and DuckDB.
#include "lib/sql/foreign_functions.h"

#include "lib/base/strings.h"

namespace logquery::sql {

// Functions of PostgreSQL, MySQL, SQLite, SQL Server, ClickHouse and DuckDB.
const std::vector<ForeignFunction>& ForeignFunctions() {
  static const auto& all = *new std::vector<ForeignFunction>{
      {"now", {"CURRENT_TIMESTAMP"}},
      {"getdate", {"CURRENT_TIMESTAMP"}},
      {"today", {"CURRENT_DATE"}},
      {"date_format", {"FORMAT_TIMESTAMP"}},
      {"formatdatetime", {"FORMAT_TIMESTAMP"}},
      {"strftime", {"FORMAT_TIMESTAMP"}},
      {"to_char", {"FORMAT_TIMESTAMP", "FORMAT"}},
      {"to_timestamp", {"PARSE_TIMESTAMP", "TIMESTAMP_SECONDS"}},
      {"str_to_date", {"PARSE_TIMESTAMP"}},
      {"strptime", {"PARSE_TIMESTAMP"}},
      {"from_unixtime", {"TIMESTAMP_SECONDS"}},
      {"unix_timestamp", {"UNIX_SECONDS"}},
      {"epoch", {"UNIX_SECONDS"}},
      {"date_part", {"EXTRACT"}},
      {"datepart", {"EXTRACT"}},
      {"year", {"EXTRACT"}},
      {"month", {"EXTRACT"}},
      {"day", {"EXTRACT"}},
      {"hour", {"EXTRACT"}},
      {"minute", {"EXTRACT"}},
      {"datediff", {"TIMESTAMP_DIFF", "DATE_DIFF"}},
      {"dateadd", {"TIMESTAMP_ADD", "DATE_ADD"}},
      {"time_bucket", {"TIMESTAMP_TRUNC"}},
      {"tostartofhour", {"TIMESTAMP_TRUNC"}},
      {"tostartofminute", {"TIMESTAMP_TRUNC"}},
      {"tostartofday", {"TIMESTAMP_TRUNC"}},
      {"isnull", {"IFNULL"}},
      {"nvl", {"IFNULL"}},
      {"iif", {"IF"}},
      {"len", {"LENGTH"}},
      {"charindex", {"STRPOS", "INSTR"}},
      {"position", {"STRPOS"}},
      {"locate", {"STRPOS"}},
      {"split_part", {"SPLIT"}},
      {"string_split", {"SPLIT"}},
      {"regexp_matches", {"REGEXP_CONTAINS", "REGEXP_EXTRACT_ALL"}},
      {"regexp_match", {"REGEXP_CONTAINS", "REGEXP_EXTRACT"}},
      {"regexp_like", {"REGEXP_CONTAINS"}},
      {"contains", {"STRPOS", "REGEXP_CONTAINS"}},
      {"startswith", {"STARTS_WITH"}},
      {"endswith", {"ENDS_WITH"}},
      {"group_concat", {"STRING_AGG"}},
      {"listagg", {"STRING_AGG"}},
      {"grouparray", {"ARRAY_AGG"}},
      {"json_extract_path_text", {"JSON_VALUE"}},
      {"json_extract_string", {"JSON_VALUE"}},
      {"uniq", {"APPROX_COUNT_DISTINCT"}},
      {"quantile", {"APPROX_QUANTILES"}},
      {"percentile", {"APPROX_QUANTILES"}},
      {"median", {"APPROX_QUANTILES"}},
      {"bool_and", {"LOGICAL_AND"}},
      {"bool_or", {"LOGICAL_OR"}},
      {"random", {"RAND"}},
      {"array_contains", {}, "value IN UNNEST(array)"},
      {"arraycontains", {}, "value IN UNNEST(array)"},
      {"list_contains", {}, "value IN UNNEST(array)"},
      {"has", {}, "value IN UNNEST(array)"},
      {"first", {}, "MIN_BY(x, time), the value of the earliest row"},
      {"last", {}, "MAX_BY(x, time), the value of the latest row"},
  };
  return all;
}

std::vector<std::string> FunctionsLike(std::string_view foreign) {
  for (const ForeignFunction& each : ForeignFunctions()) {
    if (base::EqualsIgnoreCase(each.name, foreign)) return each.ours;
  }
  return {};
}

std::string_view FormLike(std::string_view foreign) {
  for (const ForeignFunction& each : ForeignFunctions()) {
    if (base::EqualsIgnoreCase(each.name, foreign)) return each.form;
  }
  return {};
}

}  // namespace logquery::sql
