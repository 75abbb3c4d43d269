// Computes SHA-256 of bytes, at once or in pieces.
//
//     Sha256Stream stream;
//     while (Read(&bytes)) stream.Add(bytes);
//     stream.FinishHex();
#ifndef LOGQUERY_LIB_BASE_SHA256_H_
#define LOGQUERY_LIB_BASE_SHA256_H_

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace logquery::base {

using Sha256Digest = std::array<unsigned char, 32>;

Sha256Digest Sha256(std::string_view bytes);

// Returns the digest as 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);

// Returns the HMAC-SHA-256 (RFC 2104) of the bytes in the same form.
std::string HmacSha256Hex(std::string_view key, std::string_view bytes);

// Not thread-safe.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(const Sha256Stream&) = delete;
  Sha256Stream& operator=(const Sha256Stream&) = delete;

  void Add(std::string_view bytes);
  // Returns the digest of everything that was added, in the form of Sha256Hex. Nothing may be added afterwards.
  std::string FinishHex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_SHA256_H_
