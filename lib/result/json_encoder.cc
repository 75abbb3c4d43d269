#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/result/json_cell.h"
#include "lib/result/output.h"
#include "logquery/row_encoder.h"

namespace logquery {
namespace {

constexpr std::string_view kOpening = "{\"result\":[";
constexpr std::string_view kClosing = "]}";

// After so many rows of a batch the length of the others is guessed.
constexpr int64_t kSample = 8;

absl::Status TooLong(int64_t max_bytes) {
  return absl::ResourceExhaustedError(
      base::StrCat("the result is longer than ", max_bytes,
                   " bytes, which is the limit of one answer; select fewer columns or rows"));
}

}  // namespace

struct JsonRowEncoder::State {
  State(Schema s, EncodeOptions o) : schema(std::move(s)), options(o), out(std::in_place, body, limit()) {
    // Rows are objects: they are written as a struct's are, but that a row is never NULL.
    for (size_t i = 0; i < schema.size(); ++i) {
      std::string& key = keys.emplace_back(i == 0 ? "{" : ",");
      AppendJsonString(schema[i].name, key);
      key += ':';
      cells.emplace_back(schema[i].type, options);
    }
  }

  // Makes room for more rows of the length that those before had, on average and a little over.
  void ExpectMore(int64_t more, int64_t rows) {
    out->Expect(out->size() / static_cast<size_t>(rows) * 9 / 8 * static_cast<size_t>(more));
  }

  void WriteRow(const Batch& batch, int64_t row) {
    if (cells.empty()) out->Append('{');
    for (size_t i = 0; i < cells.size(); ++i) {
      out->Append(keys[i]);
      cells[i].Write(batch.column(i), row, *out);
    }
    out->Append('}');
  }

  // The longest content that leaves room for the closing.
  size_t limit() const {
    const int64_t closing = static_cast<int64_t>(kClosing.size());
    return static_cast<size_t>(std::max<int64_t>(options.max_bytes - closing, 0));
  }

  const Schema schema;
  const EncodeOptions options;
  std::vector<std::string> keys;  // what stands before each column's value, escaped once
  std::vector<result::JsonCell> cells;
  std::string body{kOpening};
  std::optional<result::Output> out;  // into `body`, from the first batch to the last
  bool too_long = false;
};

JsonRowEncoder::JsonRowEncoder(Schema schema, EncodeOptions options)
    : state_(std::make_unique<State>(std::move(schema), options)) {}
JsonRowEncoder::~JsonRowEncoder() = default;

absl::Status JsonRowEncoder::Append(const Batch& batch) {
  State& state = *state_;
  if (state.too_long) return TooLong(state.options.max_bytes);
  if (batch.column_count() != state.schema.size()) {
    return absl::InternalError(
        base::StrCat("a batch of ", batch.column_count(), " columns where the result has ", state.schema.size()));
  }
  for (int64_t row = 0; row < batch.rows(); ++row) {
    if (row == kSample) state.ExpectMore(batch.rows() - row, rows_);
    if (rows_ > 0) state.out->Append(',');
    state.WriteRow(batch, row);
    if (state.out->overflowed()) {
      state.too_long = true;
      return TooLong(state.options.max_bytes);
    }
    ++rows_;
  }
  return absl::OkStatus();
}

std::string JsonRowEncoder::Finish() && {
  state_->out.reset();
  state_->body += kClosing;
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
