// Answers one request of the conformance kit: its tables are made, its query goes through the whole of logquery.
//
//     absl::StatusOr<std::unique_ptr<Answerer>> answerer = Answerer::Open();
//     std::cout << (*answerer)->Answer(line) << std::endl;
//
// The protocol is in ../shared/conformance/README.md. Not thread-safe.
#ifndef LOGQUERY_TESTS_CONFORMANCE_ANSWERER_H_
#define LOGQUERY_TESTS_CONFORMANCE_ANSWERER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::conformance {

class Answerer {
 public:
  // A database in memory, empty between requests.
  static absl::StatusOr<std::unique_ptr<Answerer>> Open();

  // Returns one line of JSON without its end, for one line of JSON. A failure is in the answer's "error".
  std::string Answer(const std::string& line);

 private:
  explicit Answerer(std::unique_ptr<DuckDbBackend> backend) : backend_(std::move(backend)) {}

  std::unique_ptr<DuckDbBackend> backend_;
};

}  // namespace logquery::conformance

#endif  // LOGQUERY_TESTS_CONFORMANCE_ANSWERER_H_
