// Integers of any size, on OpenSSL's BIGNUM.
//
// A value type that supports the arithmetic operators of int. If memory is exhausted, it throws std::bad_alloc, as
// containers do. Not thread-safe.
#ifndef LOGQUERY_LIB_BASE_BIG_INTEGER_H_
#define LOGQUERY_LIB_BASE_BIG_INTEGER_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct bignum_st;

namespace logquery::base {

class BigInteger {
 public:
  BigInteger() : BigInteger(0) {}
  BigInteger(int64_t value);  // NOLINT(google-explicit-constructor): a number is one
  BigInteger(const BigInteger& other);
  BigInteger(BigInteger&&) noexcept = default;
  BigInteger& operator=(const BigInteger& other);
  BigInteger& operator=(BigInteger&&) noexcept = default;
  ~BigInteger() = default;

  // Parses decimal digits; `digits` must contain nothing else. Empty text is 0.
  static BigInteger OfDigits(std::string_view digits);
  // Reads the big-endian bytes of a number that is not negative.
  static BigInteger OfBytes(std::string_view bytes);
  static BigInteger PowerOfTen(int exponent);
  static BigInteger PowerOfTwo(int exponent);

  // Returns the decimal digits of the absolute value, without leading zeros.
  std::string Digits() const;
  // Returns the absolute value as this many big-endian bytes; it must fit.
  void WriteBytes(char* bytes, int count) const;
  // Returns the number of bits of the absolute value; 0 for 0.
  int Bits() const;
  int Sign() const;  // -1, 0, 1
  bool IsOdd() const;

  BigInteger operator-() const;
  BigInteger Abs() const { return Sign() < 0 ? -*this : *this; }
  BigInteger& operator+=(const BigInteger& other);
  BigInteger& operator-=(const BigInteger& other);
  BigInteger& operator*=(const BigInteger& other);
  friend BigInteger operator+(BigInteger a, const BigInteger& b) { return a += b; }
  friend BigInteger operator-(BigInteger a, const BigInteger& b) { return a -= b; }
  friend BigInteger operator*(BigInteger a, const BigInteger& b) { return a *= b; }
  // Division towards 0, and its remainder, which has the sign of `a`. The divisor must not be 0.
  friend BigInteger operator/(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator%(const BigInteger& a, const BigInteger& b);
  friend bool operator==(const BigInteger& a, const BigInteger& b) { return std::is_eq(a <=> b); }
  friend std::strong_ordering operator<=>(const BigInteger& a, const BigInteger& b);

 private:
  struct Free {
    void operator()(bignum_st* number) const;
  };
  std::unique_ptr<bignum_st, Free> number_;
};

// Returns numerator / divisor, rounded half away from zero. The divisor must not be 0.
BigInteger RoundedQuotient(const BigInteger& numerator, const BigInteger& divisor);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_BIG_INTEGER_H_
