// GoogleSQL's order and equality of values, for the evaluator.
#ifndef LOGQUERY_TESTS_ORACLE_VALUES_H_
#define LOGQUERY_TESTS_ORACLE_VALUES_H_

#include <string_view>
#include <vector>

#include "logquery/value.h"

namespace logquery::oracle {

using Row = std::vector<Value>;
using Rows = std::vector<Row>;

// The order of ORDER BY, ascending with NULLs first: negative, 0 or positive. NaN is below all other numbers and equals
// itself; -0 equals 0. Two values are one group where this is 0.
int Order(const Value& a, const Value& b);

// The same with the direction and the place of NULLs that a key asks for.
int Order(const Value& a, const Value& b, bool descending, bool nulls_first);

bool IsNan(const Value& value);

// The operators =, !=, <, <=, >, >= by the names of the function table: `$equal` … NULL if an operand is. NaN equals nothing.
Value Compared(std::string_view function, const Value& a, const Value& b);

// Rows that are one for DISTINCT, GROUP BY and set operations are equal in this order.
struct RowLess {
  bool operator()(const Row& a, const Row& b) const;
};

}  // namespace logquery::oracle

#endif  // LOGQUERY_TESTS_ORACLE_VALUES_H_
