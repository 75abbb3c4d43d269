// Converts between a token file's JSON and its records.
//
//     {"version": 1, "tokens": [
//        {"id": "9f86d081884c", "sha256": "9f86d081884c7d65…", "label": "dashboard",
//         "created": "2026-01-31T08:00:00+00:00", "expires": "2027-01-31T08:00:00+00:00", "endpoints": ["logs.all"],
//         "fixed_parameters": {"project": "abc"}, "project_scope": "abc", "ingest": {"logs": ["edge_logs"]}}]}
//
// Fields that do not apply to a token are omitted.
#ifndef LOGQUERY_LIB_ENDPOINT_TOKENS_TOKEN_RECORDS_H_
#define LOGQUERY_LIB_ENDPOINT_TOKENS_TOKEN_RECORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"

namespace logquery::endpoint {

// InvalidArgument: malformed; the message has `source` and the field.
absl::StatusOr<std::vector<TokenRecord>> ParseTokens(std::string_view source, std::string_view json);

std::string PrintTokens(const std::vector<TokenRecord>& records);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_TOKENS_TOKEN_RECORDS_H_
