// Rows to bytes: from batches straight into a response body, without a document in between.
//
//     RowEncoder encoder(schema, {});
//     backend.Execute(query, bindings, limits, cancellation, encoder);
//     std::string body = std::move(encoder).Finish();      // {"result":[{"id":"…"}, …]}
//
// How each type looks in JSON and in CSV is settled in docs/http.md. Not thread-safe: one encoder serves one execution.
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
  kJson,    // {"result":[{…},{…}]}
  kNdjson,  // an object a line
  kCsv,     // RFC 4180: a line of column names, then a line a row; nested values as JSON text
};

struct EncodeOptions {
  RowFormat format = RowFormat::kJson;
  bool csv_safe = false;               // CSV: text that begins with = + - @ has an apostrophe before it
  bool int64_as_string = false;        // INT64 outside ±2^53 as a string
  const Redactor* redactor = nullptr;  // every string at any depth goes through it; borrowed
  int64_t max_bytes = 16 << 20;        // of the body; beyond: ResourceExhausted
  // When more than `drain_above` bytes of the body are there after a row, `drain` gets them, and they are let go.
  int64_t drain_above = std::numeric_limits<int64_t>::max();
  std::function<absl::Status(std::string_view)> drain = {};
};

class RowEncoder : public BatchSink {
 public:
  RowEncoder(Schema schema, EncodeOptions options);
  ~RowEncoder() override;

  // ResourceExhausted: the body would be longer than options.max_bytes; it names the limit. Otherwise what options.drain
  // returned.
  absl::Status Append(const Batch& batch) override;
  int64_t rows() const { return rows_; }
  // The whole body, or what of it was not drained. Ends the encoder.
  std::string Finish() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
  int64_t rows_ = 0;
};

// Appends one row of `column` as JSON, as a result's cell; its size is not bounded by options.max_bytes.
void AppendJson(const ColumnView& column, int64_t row, const EncodeOptions& options, std::string& out);
// Appends `text` as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace logquery

#endif  // LOGQUERY_ROW_ENCODER_H_
