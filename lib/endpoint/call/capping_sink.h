// Forwards at most a given number of rows, and reports whether there were more.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_CAPPING_SINK_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_CAPPING_SINK_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "logquery/batch.h"

namespace logquery::endpoint {

class CappingSink : public BatchSink {
 public:
  // Borrows `next`.
  CappingSink(int64_t most, BatchSink* next) : most_(most), next_(next) {}

  absl::Status Append(const Batch& batch) override {
    const int64_t taken = std::min(batch.rows(), most_ - rows_);
    truncated_ = truncated_ || taken < batch.rows();
    if (taken == 0) return absl::OkStatus();
    rows_ += taken;
    if (taken == batch.rows()) return next_->Append(batch);
    return next_->Append(Batch(&batch.column(0), batch.column_count(), taken));
  }

  void SetMarks(std::vector<TableMark> marks) override { marks_ = std::move(marks); }

  int64_t rows() const { return rows_; }
  // The states of the tables that were read; empty if the backend can't identify them.
  const std::vector<TableMark>& marks() const { return marks_; }
  bool truncated() const { return truncated_; }

 private:
  const int64_t most_;
  BatchSink* const next_;
  int64_t rows_ = 0;
  bool truncated_ = false;
  std::vector<TableMark> marks_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_CAPPING_SINK_H_
