// Processor time of the calling thread, for tests that compare how work grows. Other programs on the machine do not lengthen it,
// but machines differ: tests compare two times of one run, never one with a constant.
#ifndef LOGQUERY_TESTS_SUPPORT_THREAD_TIME_H_
#define LOGQUERY_TESTS_SUPPORT_THREAD_TIME_H_

#include <time.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace logquery::testing {

inline double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// The shortest time of several runs.
inline double ShortestSeconds(int runs, const std::function<void()>& work) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const double begin = ThreadSeconds();
    work();
    shortest = std::min(shortest, ThreadSeconds() - begin);
  }
  return shortest;
}

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_THREAD_TIME_H_
