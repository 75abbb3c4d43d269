// Writes what pushdown_of.cc finds of each row as Markdown; rows of one function that are treated alike share a line.
#include "tests/split/pushdown_page.h"

#include <algorithm>
#include <array>

#include "absl/container/flat_hash_map.h"
#include "lib/base/strings.h"
#include "lib/emit/explain/spellings.h"
#include "lib/engines/bigquery/dialect/fragments.h"
#include "lib/engines/clickhouse/dialect/clickhouse_dialect.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "lib/engines/postgres/dialect/postgres_dialect.h"
#include "lib/rewrite/functions/function_signature.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;
using rewrite::Function;
using rewrite::FunctionKind;
using rewrite::Overload;

// Notes that cells refer to by number, in the order in which they are first needed.
class Notes {
 public:
  size_t NumberOf(const std::string& note) {
    const auto [found, added] = numbers_.try_emplace(note, numbers_.size() + 1);
    if (added) StrAppend(&text_, found->second, ". ", note, "\n");
    return found->second;
  }
  const std::string& text() const { return text_; }

 private:
  absl::flat_hash_map<std::string, size_t> numbers_;
  std::string text_;
};

std::string Cell(const Overload& overload, const emit::Powers& powers, Notes& notes) {
  const Pushdown pushdown = PushdownOf(overload, powers);
  switch (pushdown.answer) {
    case Pushdown::Answer::kYes:
      return "yes";
    case Pushdown::Answer::kIf:
      return StrCat("if ", notes.NumberOf(pushdown.note));
    case Pushdown::Answer::kNo:
      return StrCat("no ", notes.NumberOf(pushdown.note));
  }
  return "";
}

std::string HereCell(const Overload& overload) {
  if (overload.function->Has(rewrite::kReadsClock)) return "bound";
  return emit::DuckDbSpellings().Of(overload).empty() ? "refused" : "yes";
}

// The overload as a query writes it where that is not a call: "(INT64 + INT64)".
std::string Written(const Overload& overload) {
  const std::string_view spelling = emit::GoogleSqlSpellings().Of(overload);
  // "$1" and "TRUE" are of functions that a text for people leaves out.
  const bool shows_it = overload.row->name.front() == '$' && spelling.size() > 4 && spelling.front() != '@';
  if (!shows_it) return rewrite::SignatureText(overload);
  std::vector<std::string> types;
  for (const rewrite::ParameterPattern& parameter : overload.parameters) {
    types.push_back(StrCat(rewrite::TypePatternText(parameter.type), parameter.repeated ? "..." : ""));
  }
  return emit::FillTemplate(spelling, types);
}

std::string Code(std::string_view text) {
  std::string code = "`";
  for (const char c : text) StrAppend(&code, c == '|' ? "\\|" : std::string(1, c));
  return code + "`";
}

using Cells = std::array<std::string, 4>;

void AddFunction(const Function& function, Notes& notes, std::string& out) {
  std::vector<std::pair<std::string, Cells>> lines;
  for (const Overload& overload : function.overloads) {
    if (SampleCallsOf(overload).empty()) continue;
    Cells cells;
    for (size_t i = 0; i < RemoteEngines().size(); ++i) {
      cells[i] = Cell(overload, *RemoteEngines()[i].dialect->powers(), notes);
    }
    cells.back() = HereCell(overload);
    const std::string written = Code(Written(overload));
    if (!lines.empty() && lines.back().second == cells) {
      if (lines.back().first.find(written) == std::string::npos) StrAppend(&lines.back().first, "<br>", written);
    } else {
      lines.emplace_back(written, cells);
    }
  }
  for (const auto& [signatures, cells] : lines) {
    StrAppend(&out, "| ", signatures);
    for (const std::string& cell : cells) StrAppend(&out, " | ", cell);
    out += " |\n";
  }
}

// All functions that have rows, operators first, each once.
std::vector<const Function*> Functions(FunctionKind kind, bool operators) {
  std::vector<const Function*> functions;
  for (const rewrite::FunctionRow* const row : rewrite::AllFunctionRows()) {
    const Function* const function = rewrite::FindFunction(row->name);
    if (function->kind != kind || (row->name.front() == '$') != operators) continue;
    if (std::find(functions.begin(), functions.end(), function) == functions.end()) functions.push_back(function);
  }
  return functions;
}

void AddKind(FunctionKind kind, bool operators, std::string_view title, Notes& notes, std::string& out) {
  StrAppend(&out, "### ", title, "\n\n| |");
  for (const RemoteEngine& engine : RemoteEngines()) StrAppend(&out, " ", engine.name, " |");
  out += " runs here |\n|---|---|---|---|---|\n";
  for (const Function* const function : Functions(kind, operators)) AddFunction(*function, notes, out);
  out += "\n";
}

}  // namespace

const std::vector<RemoteEngine>& RemoteEngines() {
  static const auto& engines = *new std::vector<RemoteEngine>{{"PostgreSQL", &emit::PostgresSql()},
                                                              {"ClickHouse", &emit::ClickHouseSql()},
                                                              {"BigQuery", &emit::BigQueryFragmentSql()}};
  return engines;
}

std::string FunctionTables() {
  std::string out;
  Notes notes;
  AddKind(FunctionKind::kScalar, true, "Operators", notes, out);
  AddKind(FunctionKind::kScalar, false, "Functions of a row", notes, out);
  AddKind(FunctionKind::kAggregate, true, "Aggregates that only plans have", notes, out);
  AddKind(FunctionKind::kAggregate, false, "Aggregates", notes, out);
  AddKind(FunctionKind::kWindow, false, "Window functions", notes, out);
  return StrCat(out, "### Notes\n\n", notes.text());
}

}  // namespace logquery::testing
