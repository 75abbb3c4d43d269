// The command stats: prints a folder's statistics as a table or as JSON.
#include <string>
#include <utility>
#include <vector>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/folder_stats.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/table_printer.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;

std::string CellOf(const Json& table, const std::string& name) {
  const auto value = table.find(name);
  if (value == table.end() || value->is_null()) return "";
  if (value->is_string()) return value->get<std::string>();
  if (value->is_array()) return WithCommas(static_cast<int64_t>(value->size()));
  if (!value->is_number_integer()) return value->ToString();
  const auto number = value->get<int64_t>();
  return name.find("bytes") != std::string::npos ? BytesText(number) : WithCommas(number);
}

absl::Status PrintTable(const std::string& body, const Terminal& terminal) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("the statistics", body));
  // Numbers stand to the right. Names are short, so that a line holds them all.
  struct Column {
    Field field;
    const char* key;
  };
  const std::vector<Column> columns = {{{"log", Type::String()}, "log"},
                                       {{"rows", Type::Int64()}, "rows"},
                                       {{"first", Type::String()}, "first"},
                                       {{"last", Type::String()}, "last"},
                                       {{"days", Type::Int64()}, "days"},
                                       {{"on disk", Type::Int64()}, "bytes_on_disk"},
                                       {{"read", Type::Int64()}, "bytes_read"},
                                       {{"loads", Type::Int64()}, "loads"},
                                       {{"rejected", Type::Int64()}, "rejected_rows"},
                                       {{"clustered", Type::Int64()}, "clustered_rows"},
                                       {{"removed", Type::Int64()}, "removed_rows"},
                                       {{"learned", Type::Int64()}, "learned_fields"}};
  Schema schema;
  for (const Column& column : columns) schema.push_back(column.field);
  // A program that reads it wants names whole.
  constexpr int kUncut = 10'000;
  TablePrinter printer(terminal.out_is_terminal ? terminal.columns : kUncut);
  // Logs that have rows come first: a folder has many more.
  for (const bool has_rows : {true, false}) {
    for (const Json& table : json.at("tables")) {
      if ((table.value("rows", int64_t{0}) > 0) != has_rows) continue;
      std::vector<std::string> cells;
      for (const Column& column : columns) cells.push_back(CellOf(table, column.key));
      if (cells[0].empty()) cells[0] = CellOf(table, "table");
      printer.AppendTexts(std::move(cells));
    }
  }
  printer.Print(schema, terminal.out);
  return absl::OkStatus();
}

}  // namespace

int RunStats(const StatsArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::string> body = ReadFolderStats(arguments.data);
  if (!body.ok()) return Fail(terminal, body.status());
  if (arguments.format == "json") {
    terminal.out << *body << (terminal.out_is_terminal ? "\n" : "");
    return kExitOk;
  }
  const absl::Status printed = PrintTable(*body, terminal);
  return printed.ok() ? static_cast<int>(kExitOk) : Fail(terminal, printed);
}

}  // namespace logquery::shim
