// Closing what several tests share, such as an open database, before main() ends: DuckDB closes by means of thread-local objects of
// the main thread, which are gone when static objects are destroyed.
//
//     static std::unique_ptr<DuckDbBackend>& backend = *new auto(*OpenDuckDb({}));
//     testing::AtEnd([] { backend.reset(); });
#ifndef LOGQUERY_TESTS_SUPPORT_END_OF_RUN_H_
#define LOGQUERY_TESTS_SUPPORT_END_OF_RUN_H_

#include <functional>

namespace logquery::testing {

// Has it called after the last test, in the order in which the calls were asked for.
void AtEnd(std::function<void()> release);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_END_OF_RUN_H_
