// Encodes rows as bytes: writes batches straight into a response body, without building a document first.
//
//     RowEncoder encoder(schema, {});
//     backend.Execute(query, bindings, limits, cancellation, encoder);
//     std::string body = std::move(encoder).Finish();      // {"result":[{"id":"…"}, …]}
//
// docs/http.md defines how each type looks in JSON and in CSV. Not thread-safe: one encoder serves one execution.
#ifndef LOGQUERY_ROW_ENCODER_H_
#define LOGQUERY_ROW_ENCODER_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "logquery/batch.h"
#include "logquery/redactor.h"
#include "logquery/type.h"

namespace logquery {

enum class RowFormat {
  kJson,      // {"result":[{…},{…}]}
  kNdjson,    // one object per line
  kCsv,       // RFC 4180: a line of column names, then one line per row; nested values as JSON text
  kJsonRows,  // {"schema":[{"name":"id","type":"STRING"},…],"rows":[[…],[…]]}; values as in kJson
  kArrow,     // an Arrow IPC stream with the types of arrow.h; needs no Arrow library
  kParquet,   // a Parquet file. RowEncoder does not write it: see parquet_writer.h
};

struct EncodeOptions {
  RowFormat format = RowFormat::kJson;
  bool csv_safe = false;               // CSV: puts an apostrophe before text that begins with = + - @
  bool int64_as_string = false;        // in the formats of JSON and CSV: INT64 values outside ±2^53 become strings
  const Redactor* redactor = nullptr;  // applied to every string at any depth, except by kArrow; borrowed
  int64_t max_bytes = 16 << 20;        // of the body; beyond: ResourceExhausted
  // When more than `drain_above` bytes of the body are buffered after a row, they are passed to `drain` and freed.
  int64_t drain_above = std::numeric_limits<int64_t>::max();
  std::function<absl::Status(std::string_view)> drain = {};
};

class RowEncoder : public BatchSink {
 public:
  RowEncoder(Schema schema, EncodeOptions options);
  ~RowEncoder() override;

  // ResourceExhausted: the body would be longer than options.max_bytes; the message has the limit. InvalidArgument: a value does
  // not exist in Arrow (arrow.h). Unimplemented: the format is kParquet. Errors of options.drain are passed on.
  absl::Status Append(const Batch& batch) override;
  int64_t rows() const { return rows_; }
  // Returns the body, without the part that was drained. The encoder can't be used afterwards.
  std::string Finish() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
  int64_t rows_ = 0;
};

// Appends one row of `column` as JSON, as in a result. options.max_bytes does not apply.
void AppendJson(const ColumnView& column, int64_t row, const EncodeOptions& options, std::string& out);
// Appends `text` as a JSON string with quotes. Invalid UTF-8 becomes U+FFFD.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace logquery

#endif  // LOGQUERY_ROW_ENCODER_H_
