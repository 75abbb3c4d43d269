// The logs that the differential fuzz makes its queries of (tests/fuzz/differential/logs.h), here two of the nine: what
// callers see of the edge gateway and, as relay_logs, of function calls. A row of theirs is made here, too.
#include <map>

#include "tests/clickhouse_oracle/rewritten_rows.h"
#include "tests/fuzz/differential/logs.h"

namespace logquery::fuzz {
namespace {

const std::map<std::string, std::vector<Column>>& Fields() {
  static const auto* fields = new std::map<std::string, std::vector<Column>>{
      {"edge_logs",
       {{"id", "STRING"}, {"timestamp", "TIMESTAMP"}, {"event_message", "STRING"}, {"metadata", "RECORD:metadata"}}},
      {"relay_logs",
       {{"id", "STRING"}, {"timestamp", "TIMESTAMP"}, {"event_message", "STRING"}, {"metadata", "RECORD:relay"}}},
      {"metadata", {{"request", "RECORD:request"}, {"response", "RECORD:response"}}},
      {"relay",
       {{"project_ref", "STRING"},
        {"execution_time_ms", "INT64"},
        {"version", "STRING"},
        {"request", "RECORD:request"},
        {"response", "RECORD:response"}}},
      {"request", {{"method", "STRING"}, {"host", "STRING"}, {"search", "STRING"}, {"headers", "RECORD:headers"}}},
      {"headers", {{"user_agent", "STRING"}, {"content_length", "STRING"}}},
      {"response", {{"status_code", "INT64"}, {"origin_time", "INT64"}}},
  };
  return *fields;
}

// A record has its first field, so that it can be told from one that is absent.
Json MakeRecord(const std::string& type, Choices& choices) {
  static const auto* texts =
      new std::vector<std::string>{"GET", "POST", "error",      "info", "/rest/v1/a", "/auth", "",
                                   "12",  "007",  "2026-03-04", "été",  "agent x",    "a",     "100%"};
  static const auto* numbers = new std::vector<int>{0, 1, 2, 12, 200, 200, 404, 500, 1'000, -3};
  Json record = Json::object();
  bool first = true;
  for (const Column& field : Fields().at(type)) {
    const bool absent = !first && choices.Chance(20);
    first = false;
    if (absent) continue;
    if (field.type.starts_with("RECORD:")) {
      record[field.text] = MakeRecord(field.type.substr(7), choices);
    } else if (field.type == "INT64") {
      record[field.text] = choices.Of(*numbers);
    } else {
      record[field.text] = choices.Of(*texts);
    }
  }
  return record;
}

}  // namespace

const std::vector<Column>& LogColumns(const std::string& log) { return Fields().at(log); }
const std::vector<Column>& RecordColumns(const std::string& record) { return Fields().at(record.substr(7)); }

}  // namespace logquery::fuzz

namespace logquery::clickhouse_oracle {

std::string RewrittenRow(const std::string& log, int number, const std::string& project, fuzz::Choices& choices) {
  const bool relay = log == "relay_logs";
  fuzz::Json row;
  row["id"] = base::StrCat(log.substr(0, 1), project, 100 + number);
  const int second = choices.Below(12) * 15;
  row["timestamp"] = base::StrCat("2026-03-04T05:0", second / 60, ":", second % 60 < 10 ? "0" : "", second % 60,
                                  choices.Chance(10) ? ".25Z" : "Z");
  row["event_message"] = choices.Chance(30) ? "" : choices.Chance(50) ? "GET | 200 | a" : "täble \"x\" 12";
  if (!relay) row["project"] = project;
  // Function calls are of the project that their metadata names; other rows may have none.
  if (!relay && choices.Chance(10)) return row.dump();
  row["metadata"] = fuzz::MakeRecord(relay ? "relay" : "metadata", choices);
  if (relay) row["metadata"]["project_ref"] = project;
  return row.dump();
}

}  // namespace logquery::clickhouse_oracle
