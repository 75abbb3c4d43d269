// A remote engine that runs parts of queries, as a component of a backend. The parts are written in its own dialect.
// The local engine does whatever the remote engine can't do with exactly our meaning, on the rows that it sends
// (lib/split/split.h).
#ifndef LOGQUERY_LIB_BACKEND_FRAGMENT_SOURCE_H_
#define LOGQUERY_LIB_BACKEND_FRAGMENT_SOURCE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/emit/dialect.h"
#include "logquery/batch.h"
#include "logquery/call_tags.h"
#include "logquery/cancellation.h"
#include "logquery/catalog.h"
#include "logquery/prepared_query.h"

namespace logquery {

// Facts about the call for which a source runs a fragment. They change no row.
struct FragmentCall {
  CallTags tags = {};
  absl::Time deadline = absl::InfiniteFuture();  // nobody waits for rows any longer, and the fragment is cancelled
};

// Thread-safe: Run is called from many threads at once, possibly several times for one query.
class FragmentSource {
 public:
  virtual ~FragmentSource() = default;

  // Name and version, for display: "ClickHouse 25.8".
  virtual std::string engine() const = 0;
  // Returns a dialect that has powers() and lives as long as the source.
  virtual const emit::SqlDialect& dialect() const = 0;

  // Returns the current tables, with Table::storage_name as the dialect requires. Unavailable: the engine can't be
  // reached.
  virtual absl::StatusOr<Catalog> ReadCatalog() = 0;
  // See QueryBackend.
  virtual uint64_t CatalogVersion() const { return 0; }

  // Runs the fragment's text with one binding per variable, and passes its rows to `sink` in batches of any length,
  // with the columns of fragment.schema. Append and `cancellation`: see TableSource::Scan. Both references must live
  // until it returns.
  virtual absl::Status Run(const QueryFragment& fragment, const Bindings& bindings,
                           const CancellationToken& cancellation, BatchSink& sink) = 0;
  // The same with facts about the call; they are dropped where the engine has no place for them.
  virtual absl::Status RunForCall(const QueryFragment& fragment, const Bindings& bindings, const FragmentCall&,
                                  const CancellationToken& cancellation, BatchSink& sink) {
    return Run(fragment, bindings, cancellation, sink);
  }

  // Checks whether the engine answers, with a cheap query that reads no table. Unavailable: it can't be reached.
  // FailedPrecondition: it rejects the user, or is not trusted. The message is for operators.
  virtual absl::Status Probe(const CancellationToken& cancellation) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_LIB_BACKEND_FRAGMENT_SOURCE_H_
