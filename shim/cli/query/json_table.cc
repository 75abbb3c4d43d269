// Times and texts get the form that a table of a local query has.
#include "shim/cli/query/json_table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/model/civil_text.h"
#include "shim/cli/options/table_printer.h"

namespace logquery::shim {
namespace {

using base::Json;

constexpr Type (*kTypes[])() = {Type::String,     Type::Int64,     Type::Float64, Type::Numeric,
                                Type::BigNumeric, Type::Bytes,     Type::Date,    Type::Time,
                                Type::Datetime,   Type::Timestamp, Type::Interval};

std::string CellText(const Json& value, const Type& type) {
  if (value.is_null()) return "NULL";
  if (value.is_string() && !type.is(TypeKind::kJson)) return value.get<std::string>();
  if (!type.is(TypeKind::kTimestamp) || !value.is_number_integer()) return value.ToString();
  std::string text;
  model::AppendDatetime(value.get<int64_t>(), 'T', text);
  return text + "Z";
}

}  // namespace

Type ShownTypeNamed(std::string_view name) {
  for (const auto& make : kTypes) {
    if (make().ToString() == name) return make();
  }
  return Type::Json();
}

absl::Status PrintJsonTable(std::string_view body, Schema schema, const Terminal& terminal) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("the server's answer", body));
  const auto rows = json.find("result");
  if (rows == json.end() || !rows->is_array()) return absl::InternalError("the server's answer has no result");
  if (schema.empty() && !rows->empty()) {
    for (const auto& [name, value] : rows->front().items()) {
      schema.push_back({name, value.is_string() ? Type::String() : Type::Json()});
    }
  }
  TablePrinter table(terminal.columns);
  for (const Json& row : *rows) {
    std::vector<std::string> cells;
    for (const Field& field : schema) {
      const auto value = row.find(field.name);
      cells.push_back(value == row.end() ? "" : CellText(*value, field.type));
    }
    table.AppendTexts(std::move(cells));
  }
  table.Print(schema, terminal.out);
  return absl::OkStatus();
}

}  // namespace logquery::shim
