// Runs work in a child process, item by item, and goes on with the next item where the child ends by a signal: a query that
// ends the process is a finding like any other, and does not keep the rest from being looked at.
//
//     Supervised([&](const Progress& progress) { … progress.Begin(i) … }, [&](size_t item, int signal) { … });
#ifndef LOGQUERY_TESTS_ISOLATION_SUPERVISOR_H_
#define LOGQUERY_TESTS_ISOLATION_SUPERVISOR_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"

namespace logquery::isolation {

// The item that the child has come to.
class Progress {
 public:
  Progress(size_t first, volatile size_t* place) : first_(first), place_(place) {}
  size_t first() const { return first_; }  // the item to begin with
  void Begin(size_t item) const { *place_ = item; }

 private:
  size_t first_;
  volatile size_t* place_;
};

// `work` runs in a child, from progress.first() to the end, and says OK; it is run again after each item that ended the child,
// of which `crashed` is told in this process. Internal: a child that can't be started, or whose work fails.
absl::Status Supervised(const std::function<absl::Status(const Progress&)>& work,
                        const std::function<void(size_t item, int signal)>& crashed);

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_SUPERVISOR_H_
