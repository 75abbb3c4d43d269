// Few values a column, so that groups, filters and joins meet.
#include "tests/support/random_logs.h"

#include <utility>

#include "lib/base/strings.h"
#include "tests/support/value_json.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using Row = std::vector<Value>;
using Leaves = std::map<std::string, Value>;  // by path: "metadata.request.method"

// A record of those leaves that are below `path`; NULL: there are none.
Value Record(const Type& type, const std::string& path, const Leaves& leaves) {
  std::vector<Value> fields;
  bool any = leaves.contains(path);
  for (const Field& field : type.fields()) {
    const std::string below = StrCat(path, ".", field.name);
    const auto leaf = leaves.find(below);
    fields.push_back(field.type.is_record() ? Record(field.type, below, leaves)
                     : leaf == leaves.end() ? Value::Null(field.type)
                                            : leaf->second);
    any = any || !fields.back().is_null();
  }
  return any ? Value::Struct(type, std::move(fields)) : Value::Null(type);
}

Leaves MakeLeaves(Random& random, const std::string& table, int64_t now) {
  Leaves leaves;
  const std::string project = random.Of({"abc", "xyz"});
  leaves["project"] = Value::String(project);
  // Most in the last hour, some in the last day and week, some in the future.
  const int64_t ago = random.Below(random.Of({"3600", "86400", "604800"}) == "3600" ? 3'600 : 604'800) * 1'000'000;
  leaves["timestamp"] = Value::TimestampMicros(random.OneIn(50) ? now + ago : now - ago + random.Below(1'000'000));
  leaves["event_message"] = Value::String(random.Of({"GET /", "an error", ""}));
  if (random.OneIn(20)) return leaves;
  if (random.OneIn(20)) leaves["metadata"] = Value();  // a record of NULLs
  if (table == "deno-relay-logs") {
    leaves["metadata.project_ref"] = Value::String(project);
    leaves["metadata.function_id"] = Value::String(random.Of({"f1", "f2"}));
    if (!random.OneIn(10)) leaves["metadata.execution_time_ms"] = Value::Int64(random.Below(5'000));
    if (!random.OneIn(10)) leaves["metadata.response.status_code"] = Value::Int64(200 + 100 * random.Below(4));
  } else {
    leaves["metadata.request.url"] =
        Value::String(StrCat("https://", project, ".example.co/", random.Of({"rest/v1/a", "auth/x", "storage/o"})));
    if (!random.OneIn(10))
      leaves["metadata.request.path"] = Value::String(random.Of({"/rest/v1/a", "/auth/x", "/storage/o", "/realtime"}));
    if (!random.OneIn(10)) leaves["metadata.request.method"] = Value::String(random.Of({"GET", "POST"}));
    if (!random.OneIn(10)) leaves["metadata.response.status_code"] = Value::Int64(200 + 100 * random.Below(4));
  }
  return leaves;
}

Row MakeRow(Random& random, const Table& table, int64_t number, int64_t now) {
  Leaves leaves = MakeLeaves(random, table.name, now);
  leaves["id"] = Value::String(StrCat(table.name, "-", number));
  Row row;
  for (const Field& column : table.columns) {
    const auto leaf = leaves.find(column.name);
    row.push_back(column.type.is_record() ? Record(column.type, column.name, leaves)
                  : leaf == leaves.end()  ? Value::Null(column.type)
                                          : leaf->second);
  }
  return row;
}

std::string LineOf(const Table& table, const Row& row) {
  std::string line;
  for (size_t i = 0; i < row.size(); ++i)
    base::StrAppend(&line, i == 0 ? "{\"" : ",\"", table.columns[i].name, "\":", JsonOf(row[i]));
  return line + "}\n";
}

}  // namespace

RandomLogs::RandomLogs(uint64_t seed, int64_t now_micros, int rows) {
  Random random(seed);
  const Catalog declared = Catalog::DeclaredLogs();
  for (Table table : declared.tables()) {
    std::vector<Row>& made = rows_[table.name];
    const bool is_read = table.name == "deno-relay-logs" || table.name == "cloudflare.logs.prod";
    for (int i = 0; i < (is_read ? rows : 3); ++i) made.push_back(MakeRow(random, table, i, now_micros));
    tables_.push_back(std::move(table));
  }
}

absl::Status RandomLogs::Scan(const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
  Schema schema;
  for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
  std::vector<Row> wanted;
  for (const Row& row : rows_.at(request.table->name)) {
    Row& some = wanted.emplace_back();
    for (const size_t column : request.columns) some.push_back(row[column]);
  }
  return sink.Append(ValueBatch(schema, wanted).batch());
}

std::string RandomLogs::Lines(const Table& table) const {
  std::string lines;
  for (const Row& row : rows_.at(table.name)) lines += LineOf(table, row);
  return lines;
}

QueryRequest RandomCall(Random& random) {
  QueryRequest call;
  call.endpoint = random.Of({"logs.all", "functions.invocation-stats", "usage.api-counts"});
  const std::string project = random.Of({"abc", "xyz", "none"});
  call.parameters = {{"project", project}};
  if (call.endpoint == "usage.api-counts") {
    call.parameters = {{"project", random.Of({project, "a|x", "^https://abc", ".*"})},
                       {"interval", random.Of({"hourly", "minutely", "daily"})}};
  } else if (call.endpoint == "functions.invocation-stats") {
    call.parameters.emplace_back("project_tier", random.Of({"FREE", "ENTERPRISE"}));
    call.parameters.emplace_back("interval", random.Of({"5min", "15min", "1hr", "1day", "7day"}));
    if (random.OneIn(2)) call.parameters.emplace_back("function_id", random.Of({"f1", "f2"}));
  } else {
    call.parameters.emplace_back("project_tier", random.Of({"FREE", "PRO", "ENTERPRISE"}));
    if (random.OneIn(2))
      call.parameters.emplace_back("iso_timestamp_end", random.Of({"2026-03-04T05:00:00Z", "2026-03-03"}));
    if (random.OneIn(2))
      call.parameters.emplace_back("iso_timestamp_start", random.Of({"2026-03-04T04:00:00Z", "2026-03-01"}));
    const std::string sql = random.Of(
        {"", "select count(*) as n from edge_logs",
         "select r.method, s.status_code, count(*) as n from edge_logs cross join unnest(metadata) as m left join "
         "unnest(m.request) as r left join unnest(m.response) as s group by 1, 2 order by 1, 2",
         "select id, m.execution_time_ms from function_edge_logs cross join unnest(metadata) as m order by "
         "m.execution_time_ms desc, id limit 7",
         "select avg(m.execution_time_ms) as a, count(distinct m.function_id) as f from function_edge_logs, "
         "unnest(metadata) as m"});
    if (!sql.empty()) call.parameters.emplace_back("sql", sql);
  }
  return call;
}

}  // namespace logquery::testing
