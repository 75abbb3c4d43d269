// Uses OpenSSL's digest functions.
#include "lib/base/sha256.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstdlib>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace logquery::base {
namespace {

// This fails only if OpenSSL is broken or lacks SHA-256, in which case no digest is valid.
void MustBe(bool done) {
  if (!done) std::abort();
}

std::string Hex(const Sha256Digest& digest) {
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

}  // namespace

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  unsigned int size = 0;
  MustBe(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1 &&
         size == digest.size());
  return digest;
}

std::string Sha256Hex(std::string_view bytes) { return Hex(Sha256(bytes)); }

std::string HmacSha256Hex(std::string_view key, std::string_view bytes) {
  Sha256Digest digest;
  unsigned int size = 0;
  MustBe(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
              reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(), &size) != nullptr &&
         size == digest.size());
  return Hex(digest);
}

struct Sha256Stream::Impl {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256Stream::Sha256Stream() : impl_(std::make_unique<Impl>()) {
  MustBe(impl_->context != nullptr && EVP_DigestInit_ex(impl_->context.get(), EVP_sha256(), nullptr) == 1);
}
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::Add(std::string_view bytes) {
  MustBe(EVP_DigestUpdate(impl_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256Stream::FinishHex() {
  Sha256Digest digest;
  unsigned int size = 0;
  MustBe(EVP_DigestFinal_ex(impl_->context.get(), digest.data(), &size) == 1 && size == digest.size());
  return Hex(digest);
}

}  // namespace logquery::base
