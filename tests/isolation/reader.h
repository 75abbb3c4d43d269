// A data folder with a query service over it, and the ways in which a caller comes to read the own rows alone.
//
//     absl::StatusOr<std::unique_ptr<Reader>> reader = Reader::Open({.folder = folder.path(), .threads = 4});
//     Answer answer = (*reader)->Run(Caller::kScopedToken, "SELECT COUNT(*) AS n FROM logs");
#ifndef LOGQUERY_TESTS_ISOLATION_READER_H_
#define LOGQUERY_TESTS_ISOLATION_READER_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/clock.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::isolation {

// The rule that decides which rows of the table a caller may read.
enum class Caller {
  kProjectParameter,  // a parameter of the call
  kFixedParameter,    // a parameter that the token fixes
  kScopedToken,       // the token's project scope; the definition has no condition on the project
  kRetention,         // the tier's retention window
  kTimeBound,         // a parameter for the earliest time
};
inline constexpr Caller kAllCallers[] = {Caller::kProjectParameter, Caller::kFixedParameter, Caller::kScopedToken,
                                         Caller::kRetention, Caller::kTimeBound};
std::string_view CallerName(Caller caller);
// The callers for whom a row of another project is hidden; for the others rows outside the window are.
bool HidesProjects(Caller caller);

// The answer to a call: rows as NDJSON, or why there are none.
struct Answer {
  absl::Status status;
  std::string rows;
  CacheUse cache = CacheUse::kNone;
  bool truncated = false;
};

struct ReaderOptions {
  std::string folder = {};
  int threads = 1;
  bool redacting = false;  // the endpoint mandates redaction
  bool caching = false;
};

class Reader {
 public:
  // Opens the folder read-only, so that several readers may share it.
  static absl::StatusOr<std::unique_ptr<Reader>> Open(const ReaderOptions& options);
  // The folder's rows as a program's own, which the engine scans: every row, or without what hints say is of no use; or of an
  // engine elsewhere that does a part of each query.
  enum class Ways { kScans, kHints, kFragments };
  static absl::StatusOr<std::unique_ptr<Reader>> OpenAsSource(const ReaderOptions& options, Ways ways);
  // Reads from a backend that is open; of the options, neither the folder nor the threads count.
  static absl::StatusOr<std::unique_ptr<Reader>> Over(std::unique_ptr<QueryBackend> backend,
                                                      const ReaderOptions& options);
  ~Reader();

  // The caller's SQL reads the log as `logs`.
  Answer Run(Caller caller, const std::string& sql);
  // The engine's text of that call, for people.
  std::string EngineText(Caller caller, const std::string& sql);
  QueryBackend& backend() { return *backend_; }

 private:
  class Tokens;
  explicit Reader(std::unique_ptr<QueryBackend> backend);

  const FixedClock clock_;
  std::unique_ptr<QueryBackend> backend_;
  std::unique_ptr<Tokens> tokens_;
  std::unique_ptr<QueryService> service_;
};

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_READER_H_
