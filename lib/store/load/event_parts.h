// The requests in a batch of events: decides which of them are stored, and records the outcome of each.
//
//     EventParts parts(batch, layout, &keys);
//     parts.Settle(connection);             // in the transaction; skips events that were stored before
//     EventReader reader(&parts.going_in());
//     … the rows are loaded …
//     parts.Book(connection, loader);       // in the same transaction
#ifndef LOGQUERY_LIB_STORE_LOAD_EVENT_PARTS_H_
#define LOGQUERY_LIB_STORE_LOAD_EVENT_PARTS_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "lib/engines/duckdb/backend/handles.h"
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
  // Borrows all arguments.
  EventParts(const EventBatch* batch, const TableLayout* layout, EventKeys* keys, EventRejects* rejects);

  // Decides again which parts are stored.
  absl::Status Settle(duckdb_connection connection);
  const std::vector<EventRows>& going_in() const { return going_in_; }
  size_t row_count() const { return row_count_; }
  bool may_learn() const;

  // Records the rows' outcome for outcomes() and in the database, and stores rejected rows. `loader` must have loaded
  // the rows.
  absl::Status Book(duckdb_connection connection, const InputLoader& loader);

  // Returns the outcomes in the order of the batch's parts.
  std::vector<EventOutcome> TakeOutcomes() { return std::move(outcomes_); }

 private:
  absl::Status SettlePart(duckdb_connection connection, size_t index);
  absl::Status CheckPart(const EventPart& part) const;
  const std::string& DigestOf(size_t part);
  // Returns the digest of events that one part rejected.
  std::string DigestOfEvents(absl::Span<const EventRejects::Event> events) const;
  // Returns the rejected events to keep, which borrow from the batch and `loader`.
  std::vector<EventRejects::Event> Count(const InputLoader& loader);

  const EventBatch* const batch_;
  const TableLayout* const layout_;
  EventKeys* const keys_;
  EventRejects* const rejects_;
  absl::Time now_;
  std::vector<EventOutcome> outcomes_;
  std::vector<std::string> digests_;                             // of parts with a key; empty: not computed yet
  std::map<std::pair<std::string, std::string>, size_t> keyed_;  // the stored parts, by sender and key
  std::vector<std::pair<size_t, size_t>>
      twins_;  // a part, and the earlier part of the batch that has the same content and the same key
  std::vector<EventRows> going_in_;
  std::vector<size_t> part_of_;  // for each stored part, its index in the batch
  size_t row_count_ = 0;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_EVENT_PARTS_H_
