// One query made ready for a backend by itself, without endpoints and a service: for tests of a backend, and for programs that
// call one directly.
//
//     auto ready = PrepareQuery(*backend, {.sql = "SELECT id FROM jobs WHERE queue = @queue",
//                                          .parameters = {{"queue", Value::String("mail")}}});
//     absl::Status done = backend->Execute(*ready->query, ready->bindings, {}, {}, sink);
#ifndef LOGQUERY_PREPARE_QUERY_H_
#define LOGQUERY_PREPARE_QUERY_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/query_backend.h"

namespace logquery {

struct QueryText {
  std::string sql = {};                                        // GoogleSQL over the backend's tables
  std::vector<std::pair<std::string, Value>> parameters = {};  // @name → value; NULL has its type
  int64_t max_rows =
      std::numeric_limits<int64_t>::max() - 1;  // that the query may return; one more tells that there were more
  absl::Time now = absl::UnixEpoch();           // what CURRENT_TIMESTAMP is
};

struct ReadyQuery {
  std::shared_ptr<const PreparedQuery> query;
  Bindings bindings;  // one for each of the query's slots
};

// Parsed, resolved against the backend's catalog as it is now, planned for these values and written in its dialect.
// InvalidArgument: the text, with ErrorDetails that say where; a parameter that it has no value for. Unimplemented: the
// backend can't do it faithfully. Otherwise what ReadCatalog returned. Nothing is cached.
absl::StatusOr<ReadyQuery> PrepareQuery(QueryBackend& backend, const QueryText& text);

}  // namespace logquery

#endif  // LOGQUERY_PREPARE_QUERY_H_
