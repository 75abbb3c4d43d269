// Compares two answers as a caller sees them, and finds text that the caller may not read.
//
//     std::string difference = Difference(alone, shared);      // empty: the same
//     std::string leak = Leak(shared);                         // empty: no marker of hidden rows is in it
#ifndef LOGQUERY_TESTS_ISOLATION_DIFFERENCE_H_
#define LOGQUERY_TESTS_ISOLATION_DIFFERENCE_H_

#include <string>
#include <string_view>

#include "tests/isolation/reader.h"

namespace logquery::isolation {

// Rows are compared as a multiset, by their bytes: a query of the checks that orders its rows also limits them, so that another
// order gives other rows. Errors are the same when their codes are and their messages are, apart from the values quoted in
// them: which of several failing rows of the caller's own is reported depends on the engine's threads.
std::string Difference(const Answer& a, const Answer& b);

// Looks for both markers in the rows and in the message; every call gets its own rows only, whose values hold neither.
std::string Leak(const Answer& answer);

// A message with each quoted value and each number cut out.
std::string WithoutValues(std::string_view message);

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_DIFFERENCE_H_
