// Keeps the cells as text, and narrows the widest columns first.
#include "shim/cli/options/table_printer.h"

#include <algorithm>
#include <utility>

#include "lib/model/civil_text.h"
#include "logquery/row_encoder.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

constexpr int kNarrowest = 12;
// No cell is longer, however few columns there are: a table of one column is still to be read line by line.
constexpr int kWidest = 200;

std::string CellText(const ColumnView& column, int64_t row) {
  if (column.IsNull(row)) return "NULL";
  std::string text;
  switch (column.type().kind()) {
    case TypeKind::kString:
      text = column.StringAt(row);
      break;
    case TypeKind::kTimestamp:
      // JSON would have microseconds; a person wants to read the time.
      model::AppendDatetime(column.Int64At(row), 'T', text);
      text.push_back('Z');
      break;
    default:
      AppendJson(column, row, {}, text);
      // Dates, decimals, bytes and the like are strings in JSON, without a character that JSON escapes.
      if (!column.type().is(TypeKind::kJson) && text.front() == '"') text = text.substr(1, text.size() - 2);
      break;
  }
  return OneLine(text, kWidest);
}

bool IsNumber(const Type& type) {
  return type.is(TypeKind::kInt64) || type.is(TypeKind::kFloat64) || type.is(TypeKind::kNumeric) ||
         type.is(TypeKind::kBigNumeric);
}

void PrintCell(std::string_view text, int width, bool right, std::ostream& out) {
  const std::string cell = OneLine(text, width);
  const std::string padding(static_cast<size_t>(std::max(0, width - DisplayWidth(cell))), ' ');
  if (right) {
    out << padding << cell;
  } else {
    out << cell << padding;
  }
}

}  // namespace

absl::Status TablePrinter::Append(const Batch& batch) {
  for (int64_t row = 0; row < batch.rows(); ++row) {
    std::vector<std::string>& cells = rows_.emplace_back();
    for (size_t i = 0; i < batch.column_count(); ++i) cells.push_back(CellText(batch.column(i), row));
  }
  return absl::OkStatus();
}

void TablePrinter::AppendTexts(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = OneLine(cell, kWidest);
  rows_.push_back(std::move(cells));
}

std::vector<int> TablePrinter::Widths(const Schema& schema) const {
  std::vector<int> widths;
  for (size_t i = 0; i < schema.size(); ++i) {
    int width = std::max(1, DisplayWidth(OneLine(schema[i].name, kWidest)));
    for (const auto& cells : rows_) width = std::max(width, DisplayWidth(cells[i]));
    widths.push_back(width);
  }
  int over = 2 * (static_cast<int>(widths.size()) - 1) - columns_;
  for (const int width : widths) over += width;
  while (over > 0 && !widths.empty()) {
    // The widest gives way first, down to the next.
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) break;
    int next = kNarrowest;
    for (const int width : widths) {
      if (width < *widest) next = std::max(next, width);
    }
    const int cut = std::min(over, std::max(1, *widest - next));
    *widest -= cut;
    over -= cut;
  }
  return widths;
}

void TablePrinter::Print(const Schema& schema, std::ostream& out) const {
  const std::vector<int> widths = Widths(schema);
  for (size_t i = 0; i < schema.size(); ++i) {
    out << (i > 0 ? "  " : "");
    PrintCell(schema[i].name, widths[i], IsNumber(schema[i].type), out);
  }
  out << "\n";
  for (size_t i = 0; i < schema.size(); ++i) {
    out << (i > 0 ? "  " : "");
    for (int n = 0; n < widths[i]; ++n) out << "─";
  }
  out << "\n";
  for (const auto& cells : rows_) {
    for (size_t i = 0; i < schema.size(); ++i) {
      out << (i > 0 ? "  " : "");
      PrintCell(cells[i], widths[i], IsNumber(schema[i].type), out);
    }
    out << "\n";
  }
  out << "(" << WithCommas(static_cast<int64_t>(rows_.size())) << (rows_.size() == 1 ? " row)" : " rows)") << "\n";
}

}  // namespace logquery::shim
