// Names come from rows and files of others, so each is kept to one line.
#include "shim/cli/folder/load_notes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

// "FILE:LINE: reason" → where the reason begins.
size_t ReasonAt(std::string_view row) {
  for (size_t colon = row.find(": "); colon != row.npos; colon = row.find(": ", colon + 1)) {
    size_t digits = colon;
    while (digits > 0 && absl::ascii_isdigit(static_cast<unsigned char>(row[digits - 1]))) --digits;
    if (digits < colon && digits > 0 && row[digits - 1] == ':') return colon + 2;
  }
  return 0;
}

// Rows in a row that were rejected for the same reason are one line.
void PrintRejected(const std::vector<std::string>& rows, const Terminal& terminal) {
  for (size_t i = 0; i < rows.size();) {
    const std::string_view first = rows[i];
    const size_t at = ReasonAt(first);
    size_t end = i + 1;
    const auto is_same = [&](std::string_view row) {
      const size_t reason = ReasonAt(row);
      return reason > 0 && at > 0 && row.substr(reason) == first.substr(at) &&
             row.substr(0, row.rfind(':', reason - 3)) == first.substr(0, first.rfind(':', at - 3));
    };
    while (end < rows.size() && is_same(rows[end])) ++end;
    std::string line = rows[i];
    if (end - i > 1) line.insert(at - 2, base::StrCat(" and ", end - i - 1, " more"));
    terminal.err << "  rejected: " << OneLine(line, 300) << "\n";
    i = end;
  }
}

}  // namespace

void PrintLoadNotes(const LoadTotals& totals, const Terminal& terminal) {
  for (const std::string& column : totals.left_out)
    terminal.err << "  no longer declared, and stays: " << OneLine(column, 300) << "\n";
  for (const std::string& file : totals.files_skipped)
    terminal.err << "  skipped, as it is there already: " << file << "\n";
  for (const std::string& file : totals.incomplete) terminal.err << "  " << OneLine(file, 300) << "\n";
  if (!totals.incomplete.empty()) terminal.err << "  --again --dedupe id loads the rows that are missing\n";
  for (const std::string& field : totals.learned_fields)
    terminal.err << "  a column from now on: " << OneLine(field, 300) << "\n";
  for (const std::string& field : totals.widened_fields)
    terminal.err << "  has a wider type from now on: " << OneLine(field, 300) << "\n";
  for (const std::string& field : totals.undeclared_fields)
    terminal.err << "  kept, but not as a column: " << OneLine(field, 300) << "\n";
  PrintRejected(totals.first_rejected, terminal);
  const auto more = totals.rejected_rows - static_cast<int64_t>(totals.first_rejected.size());
  if (more > 0) terminal.err << "  rejected: " << WithCommas(more) << " more\n";
}

}  // namespace logquery::shim
