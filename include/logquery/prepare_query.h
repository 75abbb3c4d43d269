// Prepares a single query for a backend, without endpoints or a service: for tests of a backend, and for programs that
// call a backend directly.
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
  std::vector<std::pair<std::string, Value>> parameters = {};  // @name → value; a NULL has the parameter's type
  int64_t max_rows =
      std::numeric_limits<int64_t>::max() - 1;  // the most rows to use; one more may come, to show that there are more
  absl::Time now = absl::UnixEpoch();           // the value of CURRENT_TIMESTAMP
};

struct ReadyQuery {
  std::shared_ptr<const PreparedQuery> query;
  Bindings bindings;  // one for each of the query's slots
};

// Parses `text`, resolves it against the backend's current catalog, plans it for these values and writes it in the
// backend's dialect. Nothing is cached. InvalidArgument: the SQL is wrong (ErrorDetails say where), or a parameter has
// no value. Unimplemented: the backend can't run the query with its exact meaning. Errors of ReadCatalog are passed on.
absl::StatusOr<ReadyQuery> PrepareQuery(QueryBackend& backend, const QueryText& text);

}  // namespace logquery

#endif  // LOGQUERY_PREPARE_QUERY_H_
