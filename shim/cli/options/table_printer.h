// Prints rows as a table for people: aligned columns, numbers on the right, wide cells truncated.
//
//     TablePrinter table(120);
//     service.Run(request, table);
//     table.Print(schema, out);
//
// Stores the text of all cells, so it is for results that people read. Not thread-safe.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_TABLE_PRINTER_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_TABLE_PRINTER_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::shim {

class TablePrinter : public BatchSink {
 public:
  // `columns` is the terminal's width: the table fits it if its columns can be narrowed to 12 characters each.
  explicit TablePrinter(int columns) : columns_(columns) {}

  absl::Status Append(const Batch& batch) override;
  // Adds a row of texts, one for each column.
  void AppendTexts(std::vector<std::string> cells);
  void Print(const Schema& schema, std::ostream& out) const;

 private:
  std::vector<int> Widths(const Schema& schema) const;

  const int columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_TABLE_PRINTER_H_
