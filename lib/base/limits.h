// Limits for every statement, enforced before anything is emitted.
//
// The error for each limit names it and has the actual number.
#ifndef LOGQUERY_LIB_BASE_LIMITS_H_
#define LOGQUERY_LIB_BASE_LIMITS_H_

#include <cstdint>

namespace logquery::base {

inline constexpr int64_t kMaxSqlBytes = 64 << 10;
inline constexpr int kMaxNesting = 200;
// More WITH entries would take the engine seconds and gigabytes to plan.
inline constexpr int kMaxCtes = 100;
inline constexpr int kMaxColumns = 1'000;
// The limit on columns of the tables and WITH entries in all FROM clauses, counted each time they are read.
inline constexpr int kMaxScannedColumns = 20'000;
inline constexpr int kMaxJoins = 32;

// The limit for GENERATE_ARRAY and similar functions.
inline constexpr int64_t kMaxGeneratedElements = 100'000;
// The limits for functions that grow values: per value, and per engine vector of rows.
inline constexpr int64_t kMaxGrownValueBytes = 1 << 20;
inline constexpr int64_t kMaxGrownVectorBytes = 16 << 20;

// The limit on an RE2 pattern that a caller sends as a parameter.
inline constexpr int64_t kMaxPatternCharacters = 1'000;

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_LIMITS_H_
