// Wraps OpenSSL's BIGNUM functions, which fail here only if memory is exhausted.
#include "lib/base/big_integer.h"

#include <openssl/bn.h>

#include <new>
#include <utility>

namespace logquery::base {
namespace {

// The OpenSSL functions called here fail only when memory runs out.
void Check(bool done) {
  if (!done) throw std::bad_alloc();
}

BN_CTX* Scratch() {
  struct FreeScratch {
    void operator()(BN_CTX* scratch) const { BN_CTX_free(scratch); }
  };
  thread_local const std::unique_ptr<BN_CTX, FreeScratch> scratch(BN_CTX_new());
  Check(scratch != nullptr);
  return scratch.get();
}

}  // namespace

void BigInteger::Free::operator()(bignum_st* number) const { BN_free(number); }

BigInteger::BigInteger(int64_t value) : number_(BN_new()) {
  Check(number_ != nullptr);
  const uint64_t magnitude = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  static_assert(sizeof(BN_ULONG) == sizeof(uint64_t));
  Check(BN_set_word(number_.get(), magnitude) == 1);
  BN_set_negative(number_.get(), value < 0 ? 1 : 0);
}

BigInteger::BigInteger(const BigInteger& other) : number_(BN_dup(other.number_.get())) { Check(number_ != nullptr); }

BigInteger& BigInteger::operator=(const BigInteger& other) {
  if (this != &other) number_ = BigInteger(other).number_;
  return *this;
}

BigInteger BigInteger::OfDigits(std::string_view digits) {
  BigInteger number;
  if (digits.empty()) return number;
  BIGNUM* const target = number.number_.get();
  BIGNUM* read = target;
  Check(BN_dec2bn(&read, std::string(digits).c_str()) == static_cast<int>(digits.size()));
  return number;
}

BigInteger BigInteger::OfBytes(std::string_view bytes) {
  BigInteger number;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  Check(BN_bin2bn(data, static_cast<int>(bytes.size()), number.number_.get()) != nullptr);
  return number;
}

BigInteger BigInteger::PowerOfTen(int exponent) {
  BigInteger number;
  Check(BN_exp(number.number_.get(), BigInteger(10).number_.get(), BigInteger(exponent).number_.get(), Scratch()) == 1);
  return number;
}

BigInteger BigInteger::PowerOfTwo(int exponent) {
  BigInteger number;
  Check(BN_set_bit(number.number_.get(), exponent) == 1);
  return number;
}

std::string BigInteger::Digits() const {
  char* const text = BN_bn2dec(number_.get());
  Check(text != nullptr);
  std::string digits(text + (BN_is_negative(number_.get()) != 0 ? 1 : 0));
  OPENSSL_free(text);
  return digits;
}

void BigInteger::WriteBytes(char* bytes, int count) const {
  Check(BN_bn2binpad(number_.get(), reinterpret_cast<unsigned char*>(bytes), count) == count);
}

int BigInteger::Bits() const { return BN_num_bits(number_.get()); }

int BigInteger::Sign() const {
  if (BN_is_zero(number_.get()) != 0) return 0;
  return BN_is_negative(number_.get()) != 0 ? -1 : 1;
}

bool BigInteger::IsOdd() const { return BN_is_odd(number_.get()) != 0; }

BigInteger BigInteger::operator-() const {
  BigInteger negative = *this;
  BN_set_negative(negative.number_.get(), Sign() > 0 ? 1 : 0);
  return negative;
}

BigInteger& BigInteger::operator+=(const BigInteger& other) {
  Check(BN_add(number_.get(), number_.get(), other.number_.get()) == 1);
  return *this;
}

BigInteger& BigInteger::operator-=(const BigInteger& other) {
  Check(BN_sub(number_.get(), number_.get(), other.number_.get()) == 1);
  return *this;
}

BigInteger& BigInteger::operator*=(const BigInteger& other) {
  Check(BN_mul(number_.get(), number_.get(), other.number_.get(), Scratch()) == 1);
  return *this;
}

BigInteger operator/(const BigInteger& a, const BigInteger& b) {
  BigInteger quotient;
  Check(BN_div(quotient.number_.get(), nullptr, a.number_.get(), b.number_.get(), Scratch()) == 1);
  return quotient;
}

BigInteger operator%(const BigInteger& a, const BigInteger& b) {
  BigInteger rest;
  Check(BN_div(nullptr, rest.number_.get(), a.number_.get(), b.number_.get(), Scratch()) == 1);
  return rest;
}

std::strong_ordering operator<=>(const BigInteger& a, const BigInteger& b) {
  return BN_cmp(a.number_.get(), b.number_.get()) <=> 0;
}

BigInteger RoundedQuotient(const BigInteger& numerator, const BigInteger& divisor) {
  const int sign = numerator.Sign() * divisor.Sign();
  const BigInteger half_up = (numerator.Abs() * 2 + divisor.Abs()) / (divisor.Abs() * 2);
  return sign < 0 ? -half_up : half_up;
}

}  // namespace logquery::base
