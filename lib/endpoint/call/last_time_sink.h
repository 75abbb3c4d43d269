// Forwards rows, counts them, and records the time of the last one.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_LAST_TIME_SINK_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_LAST_TIME_SINK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "logquery/batch.h"

namespace logquery::endpoint {

class LastTimeSink : public BatchSink {
 public:
  // `time`: the index of a TIMESTAMP column; nullopt: there is none. Borrows `next`.
  LastTimeSink(std::optional<size_t> time, BatchSink* next) : time_(time), next_(next) {}

  absl::Status Append(const Batch& batch) override {
    rows_ += batch.rows();
    if (time_.has_value() && batch.rows() > 0) {
      const ColumnView& times = batch.column(*time_);
      const int64_t row = batch.rows() - 1;
      last_ = times.IsNull(row) ? std::nullopt : std::optional<int64_t>(times.Int64At(row));
    }
    return next_->Append(batch);
  }
  void SetMarks(std::vector<TableMark> marks) override { next_->SetMarks(std::move(marks)); }

  int64_t rows() const { return rows_; }
  std::optional<int64_t> last() const { return last_; }

 private:
  const std::optional<size_t> time_;
  BatchSink* const next_;
  int64_t rows_ = 0;
  std::optional<int64_t> last_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_LAST_TIME_SINK_H_
