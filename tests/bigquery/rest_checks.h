// Requests held against BigQuery's public REST reference (jobs.query, jobs.getQueryResults, jobs.cancel, tables.get), and against
// RFC 7523 where a token is asked for.
#ifndef LOGQUERY_TESTS_BIGQUERY_REST_CHECKS_H_
#define LOGQUERY_TESTS_BIGQUERY_REST_CHECKS_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>

struct evp_pkey_st;

namespace logquery::testing {

// Each: what the reference does not allow; empty: nothing.

// A QueryRequest.
std::string WrongInQuery(const nlohmann::ordered_json& body);
// The query string of getQueryResults, cancel or tables.get, by the method's name.
std::string WrongInUrl(const std::string& method, const std::multimap<std::string, std::string>& parameters);
// A request for a token, whose assertion has to be signed by that key for this URL. `email` is the account's.
std::string WrongInTokenRequest(const std::multimap<std::string, std::string>& form, evp_pkey_st* key,
                                const std::string& email, const std::string& url, int64_t now_seconds);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_BIGQUERY_REST_CHECKS_H_
