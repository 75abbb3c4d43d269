// Knowledge that a backend may have of the rows that were added last, without asking its engine. A QueryBackend that knows it
// implements this interface, too.
//
//     const RecentRows::Moment now = {recent.Completed(query, bindings), backend.ReadState(query, bindings).text};
//     … later …
//     recent.EarliestAdded(query, bindings, now);   // a time before which no row came since
//
// Implementations must be thread-safe.
#ifndef LOGQUERY_LIB_BACKEND_RECENT_ROWS_H_
#define LOGQUERY_LIB_BACKEND_RECENT_ROWS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/batch.h"
#include "logquery/prepared_query.h"

namespace logquery {

class RecentRows {
 public:
  // A moment at which the rows that a query reads had a state. States of equal text may have several moments.
  struct Moment {
    std::string completed;  // Completed, read before the state
    std::string state;      // RowsState::text
  };

  virtual ~RecentRows() = default;

  // Returns the last changes of query.rows_read() that are complete; it differs between calls also if the query's rows are
  // the same.
  virtual std::string Completed(const PreparedQuery& query, const Bindings& bindings) = 0;

  // Returns a time before which no row of query.rows_read() was added after `since`, a moment of the current epoch. Counts
  // all rows that an Execute which has ended has seen, and may count others. InfiniteFuture: there are none. nullopt: it is
  // not known.
  virtual std::optional<absl::Time> EarliestAdded(const PreparedQuery& query, const Bindings& bindings,
                                                  const Moment& since) = 0;

  // For a query with top_n_by_time() and TableHints::newest_suffice whose result's columns are these stored ones: passes
  // its rows that were added after `since`, up to `until` in the same epoch, to `sink`, in any order. Rows that can't be
  // among the newest TopNByTime::limit of them may be left out. Returns false if the rows are not at hand. Statuses: the
  // sink's.
  virtual absl::StatusOr<bool> ReadAdded(const PreparedQuery& query, const std::vector<std::string>& columns,
                                         const Bindings& bindings, const Moment& since, const Moment& until,
                                         BatchSink& sink) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_LIB_BACKEND_RECENT_ROWS_H_
