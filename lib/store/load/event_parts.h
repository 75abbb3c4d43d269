// The requests of a batch of events: which of them go in, as which rows, and what becomes of each.
//
//     EventParts parts(batch, layout, &keys);
//     parts.Settle(connection);             // in the transaction: what has been taken before does not go in
//     EventReader reader(&parts.going_in());
//     … the rows are taken …
//     parts.Book(connection, loader);       // in the same one
#ifndef LOGQUERY_LIB_STORE_LOAD_EVENT_PARTS_H_
#define LOGQUERY_LIB_STORE_LOAD_EVENT_PARTS_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/store/load/event_reader.h"
#include "lib/store/load/event_rejects.h"
#include "lib/store/load/input_loader.h"
#include "lib/store/tables/event_books.h"
#include "lib/store/tables/table_layout.h"
#include "logquery/store/events.h"

namespace logquery::store {

// Not thread-safe.
class EventParts {
 public:
  // Borrows all.
  EventParts(const EventBatch* batch, const TableLayout* layout, EventKeys* keys, EventRejects* rejects);

  // Decides anew which parts go in.
  absl::Status Settle(duckdb_connection connection);
  const std::vector<EventRows>& going_in() const { return going_in_; }
  size_t row_count() const { return row_count_; }
  bool may_learn() const;

  // Notes what became of the rows, for outcomes() and in the books, and keeps those that were rejected. `loader` has taken them.
  absl::Status Book(duckdb_connection connection, const InputLoader& loader);

  // In the order of the batch's parts.
  std::vector<EventOutcome> TakeOutcomes() { return std::move(outcomes_); }

 private:
  absl::Status SettlePart(duckdb_connection connection, size_t index);
  absl::Status CheckPart(const EventPart& part) const;
  const std::string& DigestOf(size_t part);
  // Gives the rejected events, which borrow from the batch and `loader`.
  std::vector<EventRejects::Event> Count(const InputLoader& loader);

  const EventBatch* const batch_;
  const TableLayout* const layout_;
  EventKeys* const keys_;
  EventRejects* const rejects_;
  absl::Time now_;
  std::vector<EventOutcome> outcomes_;
  std::vector<std::string> digests_;                             // of parts with a key; empty: not made yet
  std::map<std::pair<std::string, std::string>, size_t> keyed_;  // the parts that go in, by sender and key
  std::vector<std::pair<size_t, size_t>>
      twins_;  // a part and the one before it that brings the same under the same key
  std::vector<EventRows> going_in_;
  std::vector<size_t> part_of_;  // of what goes in, by its place there
  size_t row_count_ = 0;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_EVENT_PARTS_H_
