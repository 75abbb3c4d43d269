// Keeps tokens that stand in a URL's query string, as ?api_key=, out of everything that quotes URLs and parameters.
#ifndef LOGQUERY_LIB_BASE_QUERY_STRING_H_
#define LOGQUERY_LIB_BASE_QUERY_STRING_H_

#include <string>
#include <utility>
#include <vector>

namespace logquery::base {

// The parameter in which clients of Logflare send a token.
inline constexpr char kApiKeyParameter[] = "api_key";

// Removes each api_key=VALUE from a query string, and returns the values, decoded; as they are if they can't be decoded.
std::vector<std::string> TakeApiKeys(std::string& query);

// Returns decoded parameters with REDACTED in place of the value of api_key.
std::vector<std::pair<std::string, std::string>> HideApiKey(
    std::vector<std::pair<std::string, std::string>> parameters);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_QUERY_STRING_H_
