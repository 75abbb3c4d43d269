// The values of the columns beside a record are worked out here, by the rules of loading, so they are not what the server or the
// reader of JSON makes of its text.
#include "tests/clickhouse/log_loader.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/dialect/texts.h"
#include "lib/model/civil_text.h"
#include "logquery/parameter_binder.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;
using Json = nlohmann::ordered_json;

constexpr size_t kBytesOfInsert = 4 << 20;

std::string Flat(const std::string& path) { return absl::StrReplaceAll(path, {{".", "_"}}); }

bool IsHot(const Type& type) {
  return type.is(TypeKind::kString) || type.is(TypeKind::kInt64) || type.is(TypeKind::kBool);
}

std::string ServerType(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt64:
      return "Nullable(Int64)";
    case TypeKind::kBool:
      return "Nullable(Bool)";
    case TypeKind::kFloat64:
      return "Nullable(Float64)";
    case TypeKind::kString:
      return "Nullable(String)";
    default:
      return "String";  // JSON
  }
}

// The record in `value`; nullptr: there is none.
const Json* RecordIn(const Json* value) {
  if (value != nullptr && value->is_array() && value->size() == 1) value = &value->front();
  return value != nullptr && value->is_object() ? value : nullptr;
}

const Json* Find(const Json* record, const std::string& name) {
  if (record == nullptr) return nullptr;
  const auto found = record->find(name);
  return found == record->end() || found->is_null() ? nullptr : &*found;
}

Json Scalar(const Type& type, const Json* value) {
  if (value == nullptr || value->is_structured()) return nullptr;
  if (type.is(TypeKind::kString)) return value->is_string() ? *value : Json(value->dump());
  if (type.is(TypeKind::kInt64) && value->is_string()) {
    int64_t number = 0;
    return absl::SimpleAtoi(value->get<std::string>(), &number) ? Json(number) : Json(nullptr);
  }
  return *value;
}

std::string TimeText(const Json* value) {
  if (value == nullptr) throw std::runtime_error("a row without a time");
  int64_t micros = 0;
  if (value->is_string()) {
    const auto time = ParseTimestamp(value->get<std::string>());
    if (!time.ok()) throw std::runtime_error(time.status().ToString());
    micros = absl::ToUnixMicros(*time);
  } else {
    micros = value->get<int64_t>();
  }
  std::string text;
  model::AppendDatetime(micros, ' ', text);
  return text;
}

class Loader {
 public:
  Loader(ClickHouse& server, const Table& log) : server_(server), log_(log) {
    mapping_.name = log.name;
    for (const unsigned char c : log.name) mapping_.table += absl::ascii_isalnum(c) ? static_cast<char>(c) : '_';
    name_ = StrCat("logs.", mapping_.table);
  }

  ClickHouseTable Run(const std::string& ndjson) {
    Create();
    std::istringstream lines(ndjson);
    std::string rows;
    for (std::string line; std::getline(lines, line);) {
      const Json row = Json::parse(line);
      Json made;
      for (const Field& column : log_.columns) AddColumn(column, Find(&row, column.name), made);
      StrAppend(&rows, made.dump(), "\n");
      if (rows.size() > kBytesOfInsert) Insert(rows);
    }
    Insert(rows);
    return mapping_;
  }

 private:
  void Create() {
    std::string columns;
    for (const Field& column : log_.columns) {
      StrAppend(&columns, columns.empty() ? "" : ", ", emit::ClickHouseIdentifier(column.name), " ",
                column.name == log_.time_column ? "DateTime64(6, 'UTC')" : ServerType(column.type));
      if (column.type.is_record()) CreateHot(column.type, column.name, columns);
    }
    server_.Sql(StrCat("CREATE TABLE ", name_, " (", columns, ") ENGINE = MergeTree ORDER BY (",
                       log_.project_path.size() == 1 ? log_.project_path[0] + ", " : "",
                       log_.time_column.empty() ? "id" : log_.time_column,
                       ") SETTINGS allow_nullable_key = 1, index_granularity = 1024"));
  }

  void CreateHot(const Type& record, const std::string& path, std::string& columns) {
    StrAppend(&columns, ", has_", Flat(path), " Bool");
    mapping_.presence[path] = StrCat("has_", Flat(path));
    for (const Field& field : record.fields()) {
      const std::string below = StrCat(path, ".", field.name);
      if (field.type.is_record()) CreateHot(field.type, below, columns);
      if (!IsHot(field.type)) continue;
      StrAppend(&columns, ", ", emit::ClickHouseIdentifier(Flat(below)), " ", ServerType(field.type));
      mapping_.fields[below] = Flat(below);
    }
  }

  void AddColumn(const Field& column, const Json* value, Json& row) {
    if (column.name == log_.time_column) {
      row[column.name] = TimeText(value);
    } else if (column.type.is_record()) {
      const Json* const record = RecordIn(value);
      row[column.name] = record == nullptr ? "" : record->dump();
      AddHot(column.type, column.name, record, row);
    } else if (column.type.is_array()) {
      row[column.name] = value == nullptr ? "" : value->dump();
    } else {
      row[column.name] = Scalar(column.type, value);
    }
  }

  void AddHot(const Type& type, const std::string& path, const Json* record, Json& row) {
    row[StrCat("has_", Flat(path))] = record != nullptr;
    for (const Field& field : type.fields()) {
      const std::string below = StrCat(path, ".", field.name);
      const Json* const value = Find(record, field.name);
      if (field.type.is_record()) AddHot(field.type, below, RecordIn(value), row);
      if (IsHot(field.type)) row[Flat(below)] = Scalar(field.type, value);
    }
  }

  void Insert(std::string& rows) {
    if (!rows.empty()) server_.Sql(StrCat("INSERT INTO ", name_, " FORMAT JSONEachRow ", rows));
    rows.clear();
  }

  ClickHouse& server_;
  const Table& log_;
  ClickHouseTable mapping_;
  std::string name_;
};

}  // namespace

ClickHouseTable LoadLog(ClickHouse& server, const Table& log, const std::string& ndjson) {
  return Loader(server, log).Run(ndjson);
}

}  // namespace logquery::testing
