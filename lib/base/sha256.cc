// Uses OpenSSL's digest functions.
#include "lib/base/sha256.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace logquery::base {
namespace {

// This fails only if OpenSSL is broken or lacks SHA-256, in which case no digest is valid.
void MustBe(bool done) {
  if (!done) std::abort();
}

std::string HexOf(const Sha256Digest& digest) {
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

// Finding it takes longer than a short text's digest.
const EVP_MD* Sha256Function() {
  static const EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return sha256;
}

}  // namespace

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  unsigned int size = 0;
  MustBe(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, Sha256Function(), nullptr) == 1 &&
         size == digest.size());
  return digest;
}

std::string Sha256Hex(std::string_view bytes) { return HexOf(Sha256(bytes)); }

namespace {

using MacContext = std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)>;

// Finding it takes longer than a short text's code.
EVP_MAC* Hmac() {
  static EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  return hmac;
}

}  // namespace

// The state after the key, of which each text's computation is a copy.
struct HmacSha256::Impl {
  MacContext keyed{EVP_MAC_CTX_new(Hmac()), EVP_MAC_CTX_free};
};

HmacSha256::HmacSha256(std::string_view key) {
  auto impl = std::make_unique<Impl>();
  char digest[] = "SHA256";
  const std::array<OSSL_PARAM, 2> parameters = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                                                OSSL_PARAM_construct_end()};
  const auto* const bytes = reinterpret_cast<const unsigned char*>(key.data());
  MustBe(impl->keyed != nullptr && EVP_MAC_init(impl->keyed.get(), bytes, key.size(), parameters.data()) == 1);
  impl_ = std::move(impl);
}
HmacSha256::~HmacSha256() = default;

std::string HmacSha256::Hex(std::string_view bytes) const {
  const MacContext context(EVP_MAC_CTX_dup(impl_->keyed.get()), EVP_MAC_CTX_free);
  Sha256Digest digest;
  size_t size = 0;
  MustBe(context != nullptr &&
         EVP_MAC_update(context.get(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()) == 1 &&
         EVP_MAC_final(context.get(), digest.data(), &size, digest.size()) == 1 && size == digest.size());
  return HexOf(digest);
}

struct Sha256Stream::Impl {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256Stream::Sha256Stream() : impl_(std::make_unique<Impl>()) {
  MustBe(impl_->context != nullptr && EVP_DigestInit_ex(impl_->context.get(), Sha256Function(), nullptr) == 1);
}
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::Add(std::string_view bytes) {
  MustBe(EVP_DigestUpdate(impl_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256Stream::FinishHex() {
  Sha256Digest digest;
  unsigned int size = 0;
  MustBe(EVP_DigestFinal_ex(impl_->context.get(), digest.data(), &size) == 1 && size == digest.size());
  return HexOf(digest);
}

}  // namespace logquery::base
