// Bounds that hold for every statement, whoever wrote it, before anything is emitted.
//
// Each one has an error that names it and says how much there was.
#ifndef LOGQUERY_LIB_BASE_LIMITS_H_
#define LOGQUERY_LIB_BASE_LIMITS_H_

#include <cstdint>

namespace logquery::base {

inline constexpr int64_t kMaxSqlBytes = 64 << 10;
inline constexpr int kMaxNesting = 200;
// More take the engine seconds and gigabytes to plan.
inline constexpr int kMaxCtes = 100;
inline constexpr int kMaxColumns = 1'000;
// Of the tables and WITH entries of all FROM clauses together, each as often as it is read.
inline constexpr int kMaxScannedColumns = 20'000;
inline constexpr int kMaxJoins = 32;

// Of GENERATE_ARRAY and its like.
inline constexpr int64_t kMaxGeneratedElements = 100'000;
// Of functions that grow values: of one value, and over the rows of one vector of the engine.
inline constexpr int64_t kMaxGrownValueBytes = 1 << 20;
inline constexpr int64_t kMaxGrownVectorBytes = 16 << 20;

// Of an RE2 pattern that a caller sends as a parameter.
inline constexpr int64_t kMaxPatternCharacters = 1'000;

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_LIMITS_H_
