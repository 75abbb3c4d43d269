// NUMERIC as the integer in which it is stored, the value times 10^9, for functions that compute with it.
#ifndef LOGQUERY_LIB_FUNCTIONS_NUMERIC_UNITS_H_
#define LOGQUERY_LIB_FUNCTIONS_NUMERIC_UNITS_H_

#include "absl/numeric/int128.h"
#include "lib/base/big_integer.h"
#include "lib/functions/function.h"

namespace logquery::functions {

inline constexpr int kNumericDigits = 38;
// 1 as a NUMERIC, and the least integer that none has: 10^38.
inline constexpr absl::int128 kNumericOne = 1'000'000'000;
inline constexpr absl::int128 kNumericLimit = absl::MakeInt128(0x4B3B4CA85A86C47A, 0x098A224000000000);

inline absl::int128 NumericUnits(const Row& in, size_t i) {
  const Int128 number = in.Numeric(i);
  return absl::MakeInt128(number.upper, number.lower);
}

// Gives the NUMERIC that is stored as `units`, which must be below kNumericLimit.
inline absl::Status GiveUnits(absl::int128 units, Output& out) {
  return out.Numeric(Int128{absl::Int128Low64(units), absl::Int128High64(units)});
}

inline base::BigInteger BigUnits(absl::int128 units) {
  const absl::uint128 magnitude = units < 0 ? -absl::uint128(units) : absl::uint128(units);
  char bytes[sizeof(magnitude)];
  for (size_t i = 0; i < sizeof(bytes); ++i) {
    bytes[i] = static_cast<char>(static_cast<uint64_t>(magnitude >> (8 * (sizeof(bytes) - 1 - i))) & 0xFF);
  }
  const base::BigInteger number = base::BigInteger::OfBytes({bytes, sizeof(bytes)});
  return units < 0 ? -number : number;
}

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_NUMERIC_UNITS_H_
