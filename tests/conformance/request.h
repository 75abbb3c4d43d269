// A request of the conformance kit, and how a backend that has its tables answers it.
#ifndef LOGQUERY_TESTS_CONFORMANCE_REQUEST_H_
#define LOGQUERY_TESTS_CONFORMANCE_REQUEST_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/query_backend.h"
#include "logquery/type.h"
#include "logquery/value.h"
#include "nlohmann/json_fwd.hpp"
#include "tests/support/given_table.h"

namespace logquery::conformance {

using InputTable = testing::GivenTable;

struct Request {
  std::string sql;
  std::string time_zone = "UTC";
  std::vector<InputTable> tables;
  std::vector<std::pair<std::string, Value>> parameters;
};

struct Rows {
  Schema schema;
  std::vector<std::vector<Value>> rows;
};

// InvalidArgument: it is no request.
absl::StatusOr<Request> ReadRequest(const nlohmann::ordered_json& json);

// Answers the request's query. The backend's catalog has its tables; what goes to an engine elsewhere is a fragment.
absl::StatusOr<Rows> RunQuery(const Request& request, QueryBackend& backend);

// Returns one line of JSON without its end, for one line of JSON that is a request. A failure is in the answer's "error".
std::string AnswerLine(const std::string& line, const std::function<absl::StatusOr<Rows>(const Request&)>& run);

}  // namespace logquery::conformance

#endif  // LOGQUERY_TESTS_CONFORMANCE_REQUEST_H_
