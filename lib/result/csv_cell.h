// Writes cells of one type as CSV (RFC 4180): NULL as an empty cell, empty text as "", nested values as JSON text.
#ifndef LOGQUERY_LIB_RESULT_CSV_CELL_H_
#define LOGQUERY_LIB_RESULT_CSV_CELL_H_

#include <cstdint>
#include <string_view>

#include "lib/result/json_cell.h"
#include "lib/result/output.h"
#include "logquery/batch.h"
#include "logquery/row_encoder.h"
#include "logquery/type.h"

namespace logquery::result {

class CsvCell {
 public:
  // `options` is borrowed.
  CsvCell(const Type& type, const EncodeOptions& options);

  // Appends the row's value. `column` must have the type that the constructor got.
  void Write(const ColumnView& column, int64_t row, Output& out) const;

 private:
  void WriteString(std::string_view text, Output& out) const;

  TypeKind kind_;
  const EncodeOptions* options_;
  JsonCell json_;
};

// Quotes the text if necessary. `safe`: adds an apostrophe before text that begins with = + - @, which spreadsheets
// would treat as a formula.
void WriteCsvText(std::string_view text, bool safe, Output& out);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_CSV_CELL_H_
