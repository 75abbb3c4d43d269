// The columns are those of Logflare's migrations: id, event_message, a timestamp without a zone, and body.
#include "tests/postgres/logflare_loader.h"

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::testing {

using base::StrCat;

namespace {

constexpr char kProjectColumn[] =
    R"(, project text COLLATE "C" GENERATED ALWAYS AS
         (CASE WHEN jsonb_typeof(body -> 'project') NOT IN ('object', 'array') THEN body ->> 'project' END) STORED)";

}  // namespace

PostgresTable LoadLogflare(Cluster& cluster, const std::string& name, const std::string& ndjson, LogflareIndex index) {
  std::string table = "log_events_";
  for (const unsigned char c : name) table += absl::ascii_isalnum(c) ? static_cast<char>(absl::ascii_tolower(c)) : '_';
  cluster.Sql("CREATE TEMP TABLE lines (line jsonb)");
  cluster.Copy("lines", ndjson);
  cluster.Sql(StrCat("CREATE TABLE ", table,
                     " (id varchar(255), body jsonb, event_message text, \"timestamp\" timestamp(6) without time zone",
                     index == LogflareIndex::kProject ? kProjectColumn : "", ")"));
  cluster.Sql(StrCat(
      "INSERT INTO ", table,
      " (id, body, event_message, \"timestamp\") SELECT line ->> 'id', line, COALESCE(line ->> "
      "'event_message', ''), CASE jsonb_typeof(line -> 'timestamp') WHEN 'number' THEN to_timestamp(0) + ((line ->> "
      "'timestamp')::int8 / 1000000) * interval '1 second' + ((line ->> 'timestamp')::int8 % 1000000) * interval '1 "
      "microsecond' ELSE (line ->> 'timestamp')::timestamptz END AT TIME ZONE 'UTC' FROM lines"));
  cluster.Sql(StrCat("CREATE INDEX ON ", table, " (\"timestamp\")"));
  PostgresTable mapping;
  if (index == LogflareIndex::kProject) {
    cluster.Sql(StrCat("CREATE INDEX ON ", table, " (project, \"timestamp\" DESC NULLS LAST)"));
    mapping.columns["project"] = "project";
  }
  cluster.Sql("DROP TABLE lines");
  cluster.Sql(StrCat("VACUUM ANALYZE ", table));
  mapping.name = name;
  mapping.table = table;
  mapping.layout = PostgresTable::Layout::kLogflare;
  return mapping;
}

}  // namespace logquery::testing
