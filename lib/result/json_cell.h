// Writes cells of one type as JSON. Everything that depends only on the type, such as escaped field names, is computed
// once, so that writing a row only copies.
#ifndef LOGQUERY_LIB_RESULT_JSON_CELL_H_
#define LOGQUERY_LIB_RESULT_JSON_CELL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/result/output.h"
#include "logquery/batch.h"
#include "logquery/row_encoder.h"
#include "logquery/type.h"

namespace logquery::result {

class JsonCell {
 public:
  // `options` is borrowed.
  JsonCell(const Type& type, const EncodeOptions& options);

  // Appends the row's value. `column` must have the type that the constructor got.
  void Write(const ColumnView& column, int64_t row, Output& out) const;

 private:
  void WriteValue(const ColumnView& column, int64_t row, Output& out) const;
  void WriteText(std::string_view text, Output& out) const;
  void WriteJsonText(std::string_view text, Output& out) const;
  void WriteInt64(int64_t number, Output& out) const;
  void WriteElements(const ColumnView& column, int64_t row, Output& out) const;
  void WriteFields(const ColumnView& column, int64_t row, Output& out) const;

  TypeKind kind_;
  bool record_;
  const EncodeOptions* options_;
  std::vector<JsonCell> children_;  // for an array's element, or for the fields of a struct or record
  std::vector<std::string> keys_;   // the text before each field's value: `{"a":` or `[{"a":`, then `,"b":`
};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_JSON_CELL_H_
