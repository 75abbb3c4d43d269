// Forwards rows, counts them, and records what orders them.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_KEY_SINK_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_KEY_SINK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/endpoint/kept/newest_rows.h"
#include "lib/rewrite/plan.h"
#include "logquery/batch.h"

namespace logquery::endpoint {

class KeySink : public BatchSink {
 public:
  // `page`: the columns of time and id; nullopt: nothing is recorded. `all`: keys of all rows, not only the last time.
  // Borrows `next`.
  KeySink(std::optional<rewrite::NewestRows::Page> page, bool all, BatchSink* next)
      : page_(page), all_(all), next_(next) {}

  absl::Status Append(const Batch& batch) override {
    rows_ += batch.rows();
    if (page_.has_value()) Record(batch);
    return next_->Append(batch);
  }
  void SetMarks(std::vector<TableMark> marks) override { next_->SetMarks(std::move(marks)); }

  int64_t rows() const { return rows_; }
  // The time of the last row, if it has one.
  std::optional<int64_t> last() const { return last_; }
  // nullopt: keys were not recorded, or a row has no id or time.
  std::optional<std::vector<RowKey>> TakeKeys() {
    if (!page_.has_value() || !all_) return std::nullopt;
    return std::move(keys_);
  }

 private:
  void Record(const Batch& batch) {
    const ColumnView& times = batch.column(page_->time);
    const ColumnView& ids = batch.column(page_->id);
    for (int64_t row = all_ ? 0 : batch.rows() - 1; row >= 0 && row < batch.rows(); ++row) {
      last_ = times.IsNull(row) ? std::nullopt : std::optional<int64_t>(times.Int64At(row));
      if (!all_) continue;
      if (!last_.has_value() || ids.IsNull(row)) {
        all_ = false;
        continue;
      }
      keys_.push_back({*last_, std::string(ids.StringAt(row))});
    }
  }

  const std::optional<rewrite::NewestRows::Page> page_;
  bool all_;
  BatchSink* const next_;
  int64_t rows_ = 0;
  std::optional<int64_t> last_;
  std::vector<RowKey> keys_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_KEY_SINK_H_
