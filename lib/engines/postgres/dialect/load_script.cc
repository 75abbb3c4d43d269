// PostgreSQL reads no Parquet: DuckDB's command line turns the files into CSV, in which NULL is nothing and empty text has quotes,
// as COPY reads it.
#include "lib/engines/postgres/dialect/load_script.h"

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;

// The column as text that COPY takes.
std::string ValueText(const Field& column) {
  const std::string name = PostgresIdentifier(column.name);
  return column.type.is(TypeKind::kBytes) ? StrCat("'\\x' || hex(", name, ")") : name;
}

// Quotes SQL for '…' of psql, where a backslash stands for itself, inside '…' of a shell.
std::string ProgramText(const std::string& sql) {
  const std::string shell = absl::StrReplaceAll(sql, {{"'", "'\\''"}});
  return absl::StrReplaceAll(StrCat("duckdb -c '", shell, "'"), {{"'", "''"}});
}

}  // namespace

std::string PostgresLoad(const LoadScriptOptions& options) {
  std::string script =
      "-- Loads this export into the tables of `logquery schema --dialect postgres`. Run it once, in this folder, "
      "where\n"
      "-- DuckDB's command line is on the PATH: it reads the files.\n"
      "--     psql -v ON_ERROR_STOP=1 --single-transaction -f load_postgres.sql DATABASE\n";
  for (const ScriptTable& table : options.tables) {
    std::string columns, values;
    for (const Field& column : table.declared->columns) {
      StrAppend(&columns, columns.empty() ? "" : ", ", PostgresIdentifier(column.name));
      StrAppend(&values, values.empty() ? "" : ", ", ValueText(column));
    }
    const std::string sql = StrCat("COPY (SELECT ", values, " FROM read_parquet('", table.name,
                                   "/*.parquet', union_by_name = true)) TO '/dev/stdout' (FORMAT csv, HEADER false)");
    // One line: \copy ends with it.
    StrAppend(&script, "\n\\copy ", PostgresIdentifier(options.database), ".", PostgresIdentifier(table.name), " (",
              columns, ") FROM PROGRAM '", ProgramText(sql), "' WITH (FORMAT csv)\n");
  }
  return script;
}

}  // namespace logquery::emit
