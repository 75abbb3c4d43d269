// Rows with a column of every type, NULLs at every level, and texts short and long.
#ifndef LOGQUERY_TESTS_SUPPORT_EVERY_TYPE_H_
#define LOGQUERY_TESTS_SUPPORT_EVERY_TYPE_H_

#include <cstdint>
#include <vector>

#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::testing {

// The columns. The last ones nest: lists, a STRUCT, a record, a list of STRUCTs.
Schema EveryType();

// Rows of these columns. A fifth of the values of each column are NULL.
std::vector<std::vector<Value>> EveryTypeRows(int64_t count);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_EVERY_TYPE_H_
