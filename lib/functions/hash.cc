// SHA512, which DuckDB lacks.
#include <openssl/evp.h>

#include <array>

#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

absl::Status Sha512(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  std::array<unsigned char, 64> digest;
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha512(), nullptr) != 1 || size != digest.size()) {
    return absl::InternalError("OpenSSL makes no SHA-512");
  }
  return out.Text(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

constexpr FunctionEntry kEntries[] = {
    // The same bytes do for both types.
    {"lq_sha512", "(STRING) -> BYTES", Sha512, "SHA512"},
    {"lq_bytes_sha512", "(BYTES) -> BYTES", Sha512, "SHA512"},
};

}  // namespace

FunctionEntries HashFunctions() { return kEntries; }

}  // namespace logquery::functions
