#include "tests/fuzz/differential/logs.h"

#include <string_view>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::fuzz {
namespace {

constexpr std::string_view kRecord = "RECORD:";

const std::map<std::string, std::vector<Column>>& Fields() {
  static const auto* fields = new std::map<std::string, std::vector<Column>>{
      {"edge_logs",
       {{"id", "STRING"},
        {"timestamp", "TIMESTAMP"},
        {"event_message", "STRING"},
        {"project", "STRING"},
        {"status", "INT64"},
        {"score", "FLOAT64", true},
        {"tags", "ARRAY<STRING>"},
        {"marks", "ARRAY<INT64>"},
        {"metadata", "RECORD:metadata"}}},
      {"relay_logs",
       {{"id", "STRING"},
        {"timestamp", "TIMESTAMP"},
        {"event_message", "STRING"},
        {"project", "STRING"},
        {"status", "INT64"},
        {"cached", "BOOL"},
        {"metadata", "RECORD:metadata"}}},
      {"metadata",
       {{"level", "STRING"},
        {"execution_time_ms", "INT64"},
        {"request", "RECORD:request"},
        {"response", "RECORD:response"}}},
      {"request", {{"method", "STRING"}, {"path", "STRING"}, {"headers", "RECORD:headers"}}},
      {"headers", {{"agent", "STRING"}, {"hops", "ARRAY<STRING>"}}},
      {"response", {{"status_code", "INT64"}, {"origin_time", "FLOAT64", true}}},
  };
  return *fields;
}

bool IsRecord(const std::string& type) { return type.starts_with(kRecord); }

const std::vector<Column>& FieldsOf(const std::string& record) { return Fields().at(record.substr(kRecord.size())); }

Json Declared(const std::vector<Column>& columns, bool lists) {
  Json declared = Json::object();
  for (const Column& column : columns) {
    Json type = column.type;
    if (IsRecord(column.type)) {
      type = Declared(FieldsOf(column.type), lists);
      if (lists) type = Json::array({type});
    } else if (column.type.starts_with("ARRAY<")) {
      type = Json::array({column.type.substr(6, column.type.size() - 7)});
    }
    declared[column.text] = type;
  }
  return declared;
}

Json MakeRecord(const std::vector<Column>& fields, Choices& choices);

// Null: it is not there.
Json MakeField(const Column& field, Choices& choices) {
  static const auto* texts = new std::vector<std::string>{"GET",
                                                          "POST",
                                                          "error",
                                                          "info",
                                                          "/rest/v1/a",
                                                          "/auth",
                                                          "",
                                                          "12",
                                                          "2026-03-04",
                                                          "été",
                                                          "agent x",
                                                          "a",
                                                          "http://p1.example/rest"};
  static const auto* numbers = new std::vector<int>{0, 1, 2, 12, 200, 200, 404, 500, 1'000, -3};
  if (choices.Chance(15) || field.type == "TIMESTAMP") return nullptr;
  if (IsRecord(field.type)) return MakeRecord(FieldsOf(field.type), choices);
  if (field.type == "STRING") return choices.Of(*texts);
  if (field.type == "INT64") return choices.Of(*numbers);
  if (field.type == "FLOAT64") return choices.Below(4'000) / 8.0 - 50;
  if (field.type == "BOOL") return choices.Chance(50);
  Json array = Json::array();
  for (int i = choices.Below(4); i > 0; --i) {
    // Elements are never NULL, as in BigQuery, and never the same twice, so that a row and one of them are a key.
    const Json element = MakeField({"", field.type.substr(6, field.type.size() - 7)}, choices);
    bool fresh = !element.is_null();
    for (const Json& other : array) fresh = fresh && other != element;
    if (fresh) array.push_back(element);
  }
  return array;
}

Json MakeRecord(const std::vector<Column>& fields, Choices& choices) {
  Json record = Json::object();
  for (const Column& field : fields) {
    Json value = MakeField(field, choices);
    if (!value.is_null()) record[field.text] = std::move(value);
  }
  return record;
}

Json MakeRow(const std::string& log, int number, Choices& choices) {
  Json row = MakeRecord(LogColumns(log), choices);
  row["id"] = base::StrCat(log.substr(0, 1), 100 + number);
  const int second = choices.Below(12) * 15;
  row["timestamp"] = base::StrCat("2026-03-04T05:0", second / 60, ":", second % 60 < 10 ? "0" : "", second % 60,
                                  choices.Chance(10) ? ".25Z" : "Z");
  row["project"] = kProjects[choices.Below(3)];
  if (!row.contains("event_message")) row["event_message"] = "";
  return row;
}

// A record that is not there is a list of none, inside one that is.
Json ListOf(const std::string& type, const Json* value) {
  if (value == nullptr || value->is_null()) return Json::array();
  Json record = Json::object();
  for (const Column& field : FieldsOf(type)) {
    const Json* inner = value->contains(field.text) ? &value->at(field.text) : nullptr;
    if (IsRecord(field.type)) {
      record[field.text] = ListOf(field.type, inner);
    } else if (inner != nullptr) {
      record[field.text] = *inner;
    }
  }
  return Json::array({record});
}

}  // namespace

const std::vector<Column>& LogColumns(const std::string& log) { return Fields().at(log); }
const std::vector<Column>& RecordColumns(const std::string& record) { return FieldsOf(record); }

std::string SchemaText(bool lists) {
  Json schema;
  for (const char* log : {"edge_logs", "relay_logs"}) {
    Json& table = schema[log];
    table["log"] = log;
    table["project"] = {"project"};
    table["time"] = "timestamp";
    if (!lists) {
      table["hot"]["values"] = {"metadata.level", "metadata.request.path", "metadata.response.status_code"};
      table["hot"]["presence"] = {"metadata", "metadata.request", "metadata.response"};
    }
    table["columns"] = Declared(LogColumns(log), lists);
  }
  return schema.dump();
}

FuzzLogs MakeLogs(Choices& choices) {
  FuzzLogs logs;
  for (const auto& [log, most] : {std::pair("edge_logs", 40), std::pair("relay_logs", 25)}) {
    std::vector<Json>& rows = logs[log];
    for (int i = choices.Below(8) == 0 ? choices.Below(3) : most; i > 0; --i) rows.push_back(MakeRow(log, i, choices));
  }
  return logs;
}

FuzzLogs AsLists(const FuzzLogs& logs) {
  FuzzLogs lists = logs;
  for (auto& [table, rows] : lists) {
    for (Json& row : rows) {
      row["metadata"] = ListOf("RECORD:metadata", row.contains("metadata") ? &row.at("metadata") : nullptr);
    }
  }
  return lists;
}

FuzzLogs OfProject(const FuzzLogs& logs, const std::string& project) {
  FuzzLogs own;
  for (const auto& [table, rows] : logs) {
    for (const Json& row : rows) {
      if (row.at("project") == project) own[table].push_back(row);
    }
    own.try_emplace(table);
  }
  return own;
}

}  // namespace logquery::fuzz
