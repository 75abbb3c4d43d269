// A service account of a test's own, with a key that is made when it is first asked for.
#ifndef LOGQUERY_TESTS_BIGQUERY_ACCOUNT_KEY_H_
#define LOGQUERY_TESTS_BIGQUERY_ACCOUNT_KEY_H_

#include <string>

struct evp_pkey_st;

namespace logquery::testing {

inline constexpr char kAccountEmail[] = "logquery-reader@test-project.iam.gserviceaccount.com";

// AccountKey is one for the process; NewKeyPem makes another, for a test that wants a key that nobody knows.
evp_pkey_st* AccountKey();
std::string NewKeyPem(int bits);
std::string PemOf(evp_pkey_st* key);
// The text of a key's file.
std::string AccountJson(const std::string& pem, const std::string& token_url);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_BIGQUERY_ACCOUNT_KEY_H_
