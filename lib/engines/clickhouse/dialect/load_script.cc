// ClickHouse's client reads the files and sends them; columns are matched by their names.
#include "lib/engines/clickhouse/dialect/load_script.h"

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/dialect/schema_script.h"
#include "lib/engines/clickhouse/dialect/texts.h"

namespace logquery::emit {

using base::StrAppend;
using base::StrCat;

std::string ClickHouseLoad(const LoadScriptOptions& options) {
  std::string script =
      "-- Loads this export into the tables of `logquery schema --dialect clickhouse`. Run it once, in this folder:\n"
      "--     clickhouse-client --queries-file load_clickhouse.sql\n";
  for (const ScriptTable& table : options.tables) {
    std::string columns;
    const auto add = [&](std::string_view name) {
      StrAppend(&columns, columns.empty() ? "" : ", ", ClickHouseIdentifier(name));
    };
    for (const Field& column : table.declared->columns) add(column.name);
    for (const HotColumn& hot : table.hot) add(hot.column);
    StrAppend(&script, "\nINSERT INTO ", ClickHouseIdentifier(options.database), ".", ClickHouseIdentifier(table.name),
              " (", columns, ")\nFROM INFILE ", ClickHouseQuoted(StrCat(table.name, "/*.parquet")),
              "\nFORMAT Parquet;\n");
  }
  return script;
}

std::string ClickHouseOtelLoad(std::string_view database) {
  const std::string columns = "id, timestamp, event_message, severity_text, source, project, log_attributes";
  return StrCat(
      "-- Loads this export into the table of `logquery schema --dialect clickhouse --layout otel`. Run it once, in "
      "this folder:\n"
      "--     clickhouse-client --queries-file load_clickhouse.sql\n\nINSERT INTO ",
      ClickHouseIdentifier(database), ".", kOtelTable, " (", columns, ")\nFROM INFILE ",
      ClickHouseQuoted(StrCat(kOtelTable, "/*.parquet")), "\nFORMAT Parquet;\n");
}

}  // namespace logquery::emit
