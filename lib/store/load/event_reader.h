// Reads the events of several requests as one input.
#ifndef LOGQUERY_LIB_STORE_LOAD_EVENT_READER_H_
#define LOGQUERY_LIB_STORE_LOAD_EVENT_READER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "lib/store/rows/event_rule.h"
#include "lib/store/rows/row_batch.h"
#include "logquery/store/events.h"

namespace logquery::store {

struct EventRows {
  absl::Span<const std::string_view> rows;
  absl::Span<const RejectedEvent> refused;
  EventRule rule;
};

// Numbers lines from 1 across all parts without skipping any, so that a line's number identifies its event. Borrows the
// parts.
class EventReader : public BatchReader {
 public:
  explicit EventReader(const std::vector<EventRows>* parts) : parts_(parts) {}
  absl::StatusOr<bool> Next(RowBatch* batch) override;

 private:
  const std::vector<EventRows>* const parts_;
  size_t part_ = 0;
  size_t row_ = 0;      // the next row of the part
  size_t refused_ = 0;  // the next refused one
  int64_t lines_ = 0;
  int64_t next_number_ = 0;
  int64_t position_ = 0;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_EVENT_READER_H_
