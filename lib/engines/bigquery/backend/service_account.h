// A service account's key, and the signed assertions that prove its possession (RFC 7523, signed with RS256).
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_SERVICE_ACCOUNT_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_SERVICE_ACCOUNT_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

struct evp_pkey_st;

namespace logquery::bigquery {

// Immutable and therefore thread-safe; copies share the key.
class ServiceAccount {
 public:
  // Parses the text of a key file. InvalidArgument: it is not a key file, a field is missing, or the key is not an RSA
  // key of at least 2048 bits. Messages contain no part of the key.
  static absl::StatusOr<ServiceAccount> FromJson(std::string_view text);

  const std::string& email() const { return email_; }
  const std::string& token_url() const { return token_url_; }

  // Returns a JWT for the scope that is valid for one hour from `now`.
  absl::StatusOr<std::string> Assertion(std::string_view scope, absl::Time now) const;

 private:
  ServiceAccount() = default;

  std::string email_;
  std::string key_id_;
  std::string token_url_;
  std::shared_ptr<evp_pkey_st> key_;
};

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_SERVICE_ACCOUNT_H_
