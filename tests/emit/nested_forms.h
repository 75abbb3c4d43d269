// Queries that nest one construct in itself: each function of the function table in each of its arguments, and each clause. The
// cost of a query to write and to plan has to grow with its size, not with a power of its depth.
#ifndef LOGQUERY_TESTS_EMIT_NESTED_FORMS_H_
#define LOGQUERY_TESTS_EMIT_NESTED_FORMS_H_

#include <functional>
#include <string>
#include <vector>

#include "logquery/catalog.h"

namespace logquery::testing {

struct NestedForm {
  std::string name;  // "IFNULL(#, INT64)"
  // The query in which the construct stands `depth` times in itself.
  std::function<std::string(int depth)> query;
};

// The table that the queries read: `t`, with two columns of each type.
Catalog NestedFormsCatalog();

// One for each argument of each overload, and type of number, that a query can be made of.
std::vector<NestedForm> NestedCalls();
// Subqueries, CASE, constructors, windows, set operations, chains of WITH entries …
std::vector<NestedForm> NestedClauses();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_EMIT_NESTED_FORMS_H_
