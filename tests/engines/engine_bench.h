// Compares the built-in endpoints over an engine elsewhere with that engine by itself: each call's fragments are also run
// alone, with nobody who reads their rows.
#ifndef LOGQUERY_TESTS_ENGINES_ENGINE_BENCH_H_
#define LOGQUERY_TESTS_ENGINES_ENGINE_BENCH_H_

#include <memory>
#include <string>

#include "lib/backend/fragment_source.h"
#include "logquery/clock.h"

namespace logquery::testing {

// Prints a row for each call: the median times through logquery and of its fragments, and how much the first one is over what it
// may be, 1.2 times the second one and 5 ms. The rounds of both are interleaved. Returns an exit code: 1 if one is over.
int RunEngineBench(const std::shared_ptr<FragmentSource>& source, const Clock& clock, const std::string& project,
                   int rounds);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_ENGINE_BENCH_H_
