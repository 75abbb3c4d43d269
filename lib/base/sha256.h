// Computes SHA-256 of bytes, at once or in pieces, and codes that depend on a key.
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

// Computes HMAC-SHA-256 (RFC 2104) of several texts with one key. Thread-safe.
class HmacSha256 {
 public:
  explicit HmacSha256(std::string_view key);
  ~HmacSha256();
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;

  // Returns the code in the form of Sha256Hex.
  std::string Hex(std::string_view bytes) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

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
