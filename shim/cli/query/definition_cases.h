// The test cases of a definition, in NAME.cases.json beside it:
//
//     {"now": "2026-01-15T12:00:00Z",
//      "rows": {"edge_logs": [{"id": "a", "timestamp": "2026-01-15T11:00:00Z", "project": "one", "metadata": {…}}]},
//      "cases": [
//        {"name": "requests are counted", "parameters": {"project": "one"}, "result": [{"requests": 1}]},
//        {"name": "addresses are hidden", "parameters": {"project": "one"}, "headers": {"LF-ENDPOINT-REDACT-PII": "true"},
//         "now": "2026-01-16T00:00:00Z", "result": []},
//        {"name": "the project has to be named", "error": {"status": "INVALID_ARGUMENT", "message": "project is missing"}}]}
//
// A case without `result` and `error` fails; `--update` adds its actual result.
#ifndef LOGQUERY_SHIM_CLI_QUERY_DEFINITION_CASES_H_
#define LOGQUERY_SHIM_CLI_QUERY_DEFINITION_CASES_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/parameter_binder.h"

namespace logquery::shim {

struct ExpectedError {
  std::string status;   // "INVALID_ARGUMENT"
  std::string message;  // a part of the message
};

struct DefinitionCase {
  std::string name;
  ParameterTexts parameters;
  bool redact_pii = false;
  std::string now;                               // from the case, otherwise from the file
  std::optional<std::vector<std::string>> rows;  // expected, each as JSON
  std::optional<ExpectedError> error;
};

struct DefinitionCases {
  // The name of a log or table, and its rows as lines of JSON.
  std::vector<std::pair<std::string, std::string>> logs;
  std::vector<DefinitionCase> cases;
};

// InvalidArgument: not JSON, or a field that is unknown, missing or of a wrong type; the message begins with `source`.
absl::StatusOr<DefinitionCases> ReadCases(std::string_view source, std::string_view json);

// Returns the text with the results and errors of some cases replaced: by index, the new value of "result" or "error"
// as JSON.
struct CaseUpdate {
  size_t index;
  bool is_error;
  std::string json;
};
std::string UpdatedCases(std::string_view json, const std::vector<CaseUpdate>& updates);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_DEFINITION_CASES_H_
