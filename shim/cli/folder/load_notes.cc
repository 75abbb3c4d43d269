// Names come from rows and files of others, so each is kept to one line.
#include "shim/cli/folder/load_notes.h"

#include <cstdint>
#include <string>

#include "shim/observe/display.h"

namespace logquery::shim {

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
  for (const std::string& row : totals.first_rejected) terminal.err << "  rejected: " << OneLine(row, 300) << "\n";
  const auto more = totals.rejected_rows - static_cast<int64_t>(totals.first_rejected.size());
  if (more > 0) terminal.err << "  rejected: " << WithCommas(more) << " more\n";
}

}  // namespace logquery::shim
