// Names come from rows and files of others, so each is kept to one line.
#include "shim/cli/folder/load_notes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "lib/store/rows/timestamp_unit_hint.h"
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

// A rejected row. Rows of one file whose `kind` is equal were rejected for the same reason.
struct Rejected {
  const std::string* text;
  size_t reason_at;  // 0: it has no place
  std::string file;
  std::string kind;
};

Rejected ReadRejected(const std::string& row) {
  Rejected rejected{&row, ReasonAt(row), "", row};
  if (rejected.reason_at == 0) return rejected;
  rejected.file = row.substr(0, row.rfind(':', rejected.reason_at - 3));
  const std::string reason = row.substr(rejected.reason_at);
  // The times differ, and the advice is the same.
  const size_t advice = reason.find(store::kTimestampUnitAdvice);
  rejected.kind = advice == std::string::npos ? reason : reason.substr(0, reason.find(": ")) + reason.substr(advice);
  return rejected;
}

// Rows of one file that were rejected for the same reason are one line, where the first of them is.
void PrintRejected(const std::vector<std::string>& rows, const Terminal& terminal) {
  std::vector<Rejected> all;
  for (const std::string& row : rows) all.push_back(ReadRejected(row));
  std::vector<bool> printed(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (printed[i]) continue;
    int64_t more = 0;
    for (size_t j = i + 1; all[i].reason_at > 0 && j < all.size(); ++j) {
      if (all[j].reason_at == 0 || all[j].file != all[i].file || all[j].kind != all[i].kind) continue;
      printed[j] = true;
      ++more;
    }
    std::string line = *all[i].text;
    if (more > 0) line.insert(all[i].reason_at - 2, base::StrCat(" and ", more, " more"));
    terminal.err << "  rejected: " << OneLine(line, 300) << "\n";
  }
}

void PrintReasons(const LoadTotals& totals, const Terminal& terminal) {
  int64_t without = totals.rejected_rows;
  for (const auto& [reason, rows] : totals.rejected_by_reason) {
    terminal.err << "  rejected in all: " << Counted(rows, "row") << ": " << OneLine(reason, 300) << "\n";
    without -= rows;
  }
  // A server that was killed after it had committed a file knows only the number of its rejected rows.
  if (without <= 0) return;
  terminal.err << "  rejected in all: " << Counted(without, "row") << ", whose reasons are in "
               << OneLine(totals.rejected_folder, 300) << "\n";
}

}  // namespace

void PrintLoadNotes(const LoadTotals& totals, const Terminal& terminal) {
  for (const std::string& column : totals.left_out)
    terminal.err << "  no longer declared, and stays: " << OneLine(column, 300) << "\n";
  for (const std::string& file : totals.files_skipped)
    terminal.err << "  skipped, as it is there already: " << file << "\n";
  for (const std::string& file : totals.files_without_rows)
    terminal.err << "  gave no row: " << OneLine(file, 300) << "\n";
  for (const std::string& file : totals.incomplete) terminal.err << "  " << OneLine(file, 300) << "\n";
  if (!totals.incomplete.empty()) terminal.err << "  --again --dedupe id loads the rows that are missing\n";
  for (const std::string& field : totals.learned_fields)
    terminal.err << "  a column from now on: " << OneLine(field, 300) << "\n";
  for (const std::string& field : totals.widened_fields)
    terminal.err << "  has a wider type from now on: " << OneLine(field, 300) << "\n";
  for (const std::string& field : totals.undeclared_fields)
    terminal.err << "  kept, but not as a column: " << OneLine(field, 300) << "\n";
  PrintRejected(totals.first_rejected, terminal);
  // Otherwise all of them have just been listed.
  if (totals.rejected_rows > static_cast<int64_t>(totals.first_rejected.size())) PrintReasons(totals, terminal);
}

base::Json ReasonsJson(const ReasonCounts& counts) {
  base::Json json = base::Json::array();
  for (const auto& [reason, rows] : counts) json.push_back({{"reason", reason}, {"rows", rows}});
  return json;
}

}  // namespace logquery::shim
