// OpenSSL makes the keys, in PKCS #8 as Google's are.
#include "tests/bigquery/account_key.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <nlohmann/json.hpp>

namespace logquery::testing {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Key NewKey(int bits) { return {EVP_RSA_gen(static_cast<unsigned int>(bits)), &EVP_PKEY_free}; }

}  // namespace

evp_pkey_st* AccountKey() {
  static const Key& key = *new Key(NewKey(2'048));
  return key.get();
}

std::string PemOf(evp_pkey_st* key) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> bytes(BIO_new(BIO_s_mem()), &BIO_free_all);
  PEM_write_bio_PKCS8PrivateKey(bytes.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bytes.get(), &data);
  return {data, static_cast<size_t>(size)};
}

std::string NewKeyPem(int bits) { return PemOf(NewKey(bits).get()); }

std::string AccountJson(const std::string& pem, const std::string& token_url) {
  return nlohmann::ordered_json{{"type", "service_account"},     {"project_id", "test-project"},
                                {"private_key_id", "key-1"},     {"private_key", pem},
                                {"client_email", kAccountEmail}, {"token_uri", token_url}}
      .dump();
}

}  // namespace logquery::testing
