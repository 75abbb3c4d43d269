// Uses OpenSSL to read the key and sign; the key does not leave this file.
#include "lib/engines/bigquery/backend/service_account.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <vector>

#include "absl/strings/escaping.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::bigquery {
namespace {

using base::StrCat;

constexpr char kDefaultTokenUrl[] = "https://oauth2.googleapis.com/token";
constexpr int kLeastBits = 2'048;
constexpr absl::Duration kLife = absl::Hours(1);

absl::Status Wrong(std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("the service account's key ", problem,
                                           "; it has to be the JSON file that Google makes for a service account"));
}

// Without this callback OpenSSL would ask on the terminal.
int NoPassword(char*, int, int, void*) { return 0; }

std::shared_ptr<evp_pkey_st> ReadKey(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> bytes(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                            &BIO_free_all);
  if (bytes == nullptr) return nullptr;
  return {PEM_read_bio_PrivateKey(bytes.get(), nullptr, &NoPassword, nullptr), &EVP_PKEY_free};
}

std::string Base64Url(std::string_view text) {
  std::string out;
  absl::WebSafeBase64Escape(base::ToAbsl(text), &out);
  while (out.ends_with('=')) out.pop_back();
  return out;
}

absl::StatusOr<std::string> Signature(evp_pkey_st* key, const std::string& text) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  size_t size = 0;
  if (context == nullptr || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) != 1) {
    return absl::InternalError("OpenSSL can't sign with the service account's key");
  }
  std::string signature(size, '\0');
  auto* const out = reinterpret_cast<unsigned char*>(signature.data());
  if (EVP_DigestSign(context.get(), out, &size, bytes, text.size()) != 1) {
    return absl::InternalError("OpenSSL can't sign with the service account's key");
  }
  signature.resize(size);
  return signature;
}

// The field's text; empty: there is none.
std::string TextOf(const base::Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

absl::StatusOr<ServiceAccount> ServiceAccount::FromJson(std::string_view text) {
  const absl::StatusOr<base::Json> json = base::ParseJson("the key", text);
  if (!json.ok() || !json->is_object()) return Wrong("is no JSON object");
  if (const std::string type = TextOf(*json, "type"); type != "service_account") {
    return Wrong("has no \"type\": \"service_account\"");
  }
  ServiceAccount account;
  account.email_ = TextOf(*json, "client_email");
  account.key_id_ = TextOf(*json, "private_key_id");
  account.token_url_ = TextOf(*json, "token_uri");
  if (account.token_url_.empty()) account.token_url_ = kDefaultTokenUrl;
  if (account.email_.empty()) return Wrong("has no client_email");
  const std::string pem = TextOf(*json, "private_key");
  if (pem.empty()) return Wrong("has no private_key");
  account.key_ = ReadKey(pem);
  if (account.key_ == nullptr || EVP_PKEY_base_id(account.key_.get()) != EVP_PKEY_RSA) {
    return Wrong("has a private_key that is no RSA key in PEM");
  }
  if (EVP_PKEY_bits(account.key_.get()) < kLeastBits) return Wrong("has a private_key of fewer than 2048 bits");
  return account;
}

absl::StatusOr<std::string> ServiceAccount::Assertion(std::string_view scope, absl::Time now) const {
  base::Json head = {{"alg", "RS256"}, {"typ", "JWT"}};
  if (!key_id_.empty()) head["kid"] = key_id_;
  const base::Json claims = {{"iss", email_},
                             {"scope", std::string(scope)},
                             {"aud", token_url_},
                             {"iat", absl::ToUnixSeconds(now)},
                             {"exp", absl::ToUnixSeconds(now + kLife)}};
  std::string text = StrCat(Base64Url(head.ToString()), ".", Base64Url(claims.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string signature, Signature(key_.get(), text));
  base::StrAppend(&text, ".", Base64Url(signature));
  return text;
}

}  // namespace logquery::bigquery
