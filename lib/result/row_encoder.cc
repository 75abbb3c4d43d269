// Reserves room by the average length of earlier rows, and writes the text before and after the rows.
#include "logquery/row_encoder.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/result/arrow_message.h"
#include "lib/result/arrow_rows.h"
#include "lib/result/body_builder.h"
#include "lib/result/json_cell.h"
#include "lib/result/output.h"
#include "lib/result/row_writer.h"

namespace logquery {
namespace {

using result::TooLong;

// After so many rows of a batch the length of the other rows is estimated.
constexpr int64_t kSample = 8;

// A message of an Arrow stream has at most this many bytes, except one with a single row that is longer.
constexpr int64_t kArrowMessageBytes = 4 << 20;
constexpr int64_t kMostArrowRows = 64 << 10;
// Arrays may take more memory than the limit of an answer leaves: they are padded, and lists need an index while they are made.
constexpr int64_t kArrowRowSlack = 64 << 20;

}  // namespace

struct RowEncoder::State {
  State(Schema s, EncodeOptions o)
      : schema(std::move(s)),
        options(std::move(o)),
        rows(result::MakeRowWriter(schema, options)),
        out(std::in_place, body, limit()) {
    rows->WriteOpening(*out);
  }

  // Makes room for more rows of the length that those before had, on average and a little over.
  void ExpectMore(int64_t more, int64_t done) {
    const size_t bytes = out->size() / static_cast<size_t>(done) * 9 / 8 * static_cast<size_t>(more);
    out->Expect(std::min(bytes, static_cast<size_t>(options.drain_above)));
  }

  absl::Status DrainIfMuch() {
    if (static_cast<int64_t>(out->size()) <= options.drain_above) return absl::OkStatus();
    LOGQUERY_RETURN_IF_ERROR(options.drain(out->content()));
    out->Drop();
    return absl::OkStatus();
  }

  // Writes the rows in messages of bounded length: fewer at a time where they turn out too long.
  absl::Status AppendArrow(const Batch& batch, int64_t& written) {
    for (int64_t begin = 0; begin < batch.rows();) {
      const int64_t count = std::min(batch.rows() - begin, arrow_rows);
      ArrowArray arrays;
      const int64_t most = count > 1 ? kArrowMessageBytes : MostOfRow();
      const absl::Status exported = result::ExportArrowRows(batch, begin, begin + count, most, arrays);
      if (absl::IsResourceExhausted(exported)) {
        if (count == 1) return TooLong(options.max_bytes);
        arrow_rows = count / 2;
        continue;
      }
      if (absl::IsOutOfRange(exported)) return NotInArrow(exported);
      LOGQUERY_RETURN_IF_ERROR(exported);
      result::AppendArrowRows(arrays, schema, *out);
      arrays.release(&arrays);
      if (out->overflowed()) return TooLong(options.max_bytes);
      begin += count;
      written += count;
      arrow_rows = std::min(2 * count, kMostArrowRows);
      LOGQUERY_RETURN_IF_ERROR(DrainIfMuch());
    }
    return absl::OkStatus();
  }

  int64_t MostOfRow() const { return std::min(options.max_bytes, kMaxArrowBytes - kArrowRowSlack) + kArrowRowSlack; }

  static absl::Status NotInArrow(const absl::Status& status) {
    return absl::InvalidArgumentError(
        base::StrCat(base::Message(status), "; CAST the column to STRING, or ask for the rows in another format"));
  }

  // The longest content that leaves room for the closing.
  size_t limit() const {
    const auto closing = static_cast<int64_t>(rows->closing().size());
    return static_cast<size_t>(std::max<int64_t>(options.max_bytes - closing, 0));
  }

  const Schema schema;
  const EncodeOptions options;
  const std::unique_ptr<result::RowWriter> rows;
  std::string body;
  std::optional<result::Output> out;    // into `body`, from the first batch to the last
  int64_t arrow_rows = kMostArrowRows;  // how many of them a message is tried with
  bool too_long = false;
};

RowEncoder::RowEncoder(Schema schema, EncodeOptions options)
    : state_(std::make_unique<State>(std::move(schema), std::move(options))) {}
RowEncoder::~RowEncoder() = default;

absl::Status RowEncoder::Append(const Batch& batch) {
  State& state = *state_;
  if (state.too_long) return TooLong(state.options.max_bytes);
  if (batch.column_count() != state.schema.size()) {
    return absl::InternalError(base::StrCat("a batch of ", base::Counted(batch.column_count(), "column"),
                                            " where the result has ", state.schema.size()));
  }
  if (state.options.format == RowFormat::kParquet) {
    return absl::UnimplementedError("RowEncoder does not write Parquet; ParquetWriter does");
  }
  if (state.options.format == RowFormat::kArrow) {
    absl::Status status = state.AppendArrow(batch, rows_);
    state.too_long = state.out->overflowed();
    return status;
  }
  for (int64_t row = 0; row < batch.rows(); ++row) {
    if (row == kSample) state.ExpectMore(batch.rows() - row, rows_);
    state.rows->WriteRow(batch, row, rows_ == 0, *state.out);
    if (state.out->overflowed()) {
      state.too_long = true;
      return TooLong(state.options.max_bytes);
    }
    ++rows_;
    LOGQUERY_RETURN_IF_ERROR(state.DrainIfMuch());
  }
  return absl::OkStatus();
}

std::string RowEncoder::Finish() && {
  state_->out.reset();
  state_->body += state_->rows->closing();
  return std::move(state_->body);
}

void AppendJson(const ColumnView& column, int64_t row, const EncodeOptions& options, std::string& out) {
  // An Output makes room ahead; over a long text, once for each cell, that would cost more than a copy of the cell.
  std::string cell;
  {
    result::Output output(cell);
    result::JsonCell(column.type(), options).Write(column, row, output);
  }
  out += cell;
}

}  // namespace logquery
