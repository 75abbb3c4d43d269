// Times the built-in endpoints. Over an engine elsewhere, each call's fragments are also run alone, with nobody who reads their
// rows.
#ifndef LOGQUERY_TESTS_ENGINES_ENGINE_BENCH_H_
#define LOGQUERY_TESTS_ENGINES_ENGINE_BENCH_H_

#include <memory>
#include <string>

#include "lib/backend/fragment_source.h"
#include "logquery/clock.h"
#include "logquery/query_backend.h"

namespace logquery::testing {

// The environment variable with the id of the engine's process.
inline constexpr char kEngineProcess[] = "LOGQUERY_ENGINE_PROCESS";

// Prints a row for each call: rows that travel, bytes that the engine reads, the CPU of the engine and of this process, the
// median times through logquery and of its fragments, and whether the first one is within 1.2 times the second one and 5 ms. The
// rounds of both are interleaved, each first in every other one. Returns an exit code: 1 if one is not.
int RunEngineBench(const std::shared_ptr<FragmentSource>& source, const Clock& clock, const std::string& project);

// The same of a backend in this process, whose calls are compared with nothing.
int RunBackendBench(QueryBackend& backend, const Clock& clock, const std::string& project);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_ENGINE_BENCH_H_
