// Reads the parts' events in order.
#include "lib/store/load/event_reader.h"

namespace logquery::store {
namespace {

// Fewer than a file's: a batch of 50 ms is to occupy all threads.
constexpr size_t kRowsAtATime = 2'048;

}  // namespace

absl::StatusOr<bool> EventReader::Next(RowBatch* batch) {
  batch->lines.clear();
  batch->bytes = 0;
  while (part_ < parts_->size() && batch->lines.size() < kRowsAtATime) {
    const EventRows& part = (*parts_)[part_];
    if (row_ == part.rows.size()) {
      ++part_;
      row_ = 0;
      refused_ = 0;
      continue;
    }
    const bool is_refused =
        refused_ < part.refused.size() && part.refused[refused_].index == static_cast<int64_t>(row_);
    const std::string* const reason = is_refused ? &part.refused[refused_++].reason : nullptr;
    const std::string_view row = part.rows[row_++];
    batch->bytes += static_cast<int64_t>(row.size());
    batch->lines.push_back({row, ++lines_, &part.rule, reason});
  }
  if (batch->lines.empty()) return false;
  position_ += batch->bytes;
  batch->number = next_number_++;
  batch->position = position_;
  return true;
}

}  // namespace logquery::store
