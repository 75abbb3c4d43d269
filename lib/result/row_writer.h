// Writes the text before, between and after rows in a format.
#ifndef LOGQUERY_LIB_RESULT_ROW_WRITER_H_
#define LOGQUERY_LIB_RESULT_ROW_WRITER_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "lib/result/output.h"
#include "logquery/batch.h"
#include "logquery/row_encoder.h"
#include "logquery/type.h"

namespace logquery::result {

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void WriteOpening(Output& out) const = 0;
  // `batch` must have the schema's columns. For kArrow and kParquet it writes nothing: their rows are written by batches.
  virtual void WriteRow(const Batch& batch, int64_t row, bool is_first, Output& out) const = 0;
  virtual std::string_view closing() const = 0;
};

// Returns a writer for options.format. `options` is borrowed.
std::unique_ptr<RowWriter> MakeRowWriter(const Schema& schema, const EncodeOptions& options);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_ROW_WRITER_H_
