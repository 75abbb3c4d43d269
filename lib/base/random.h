// Random numbers for ids and samples. Not for secrets: should the kernel have no entropy, they repeat.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_BASE_RANDOM_H_
#define LOGQUERY_LIB_BASE_RANDOM_H_

#include <cstdint>
#include <string>

namespace logquery::base {

// Returns a number other than 0; each is returned once.
uint64_t RandomNumber();

// Returns 16 hexadecimal digits, not all 0.
std::string RandomDigits();

// Returns `number` as 16 hexadecimal digits.
std::string HexDigits(uint64_t number);

// Returns whether `number` is in the first `share`, 0 to 1, of all numbers of 64 bits.
bool IsInShare(uint64_t number, double share);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_RANDOM_H_
