// Chooses among several hosts: the first one, in the order of the options, that is not known to be down. A host that is
// down is probed again after a while, before it gets a request.
#ifndef LOGQUERY_LIB_BACKEND_HTTP_HOSTS_H_
#define LOGQUERY_LIB_BACKEND_HTTP_HOSTS_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace logquery::http {

// Thread-safe.
class Hosts {
 public:
  // `urls` must not be empty.
  explicit Hosts(std::vector<std::string> urls) : states_(urls.size()), urls_(std::move(urls)) {}

  struct Candidate {
    size_t index = 0;
    bool probe = false;  // it was down: probe it before it gets a request
  };
  // Returns the hosts in the order in which to try them: those that are up, then those that are due for a probe. If
  // there are neither, returns all hosts.
  std::vector<Candidate> Candidates(absl::Time now) const;
  const std::string& url(size_t index) const { return urls_[index]; }
  size_t size() const { return urls_.size(); }

  // Each consecutive failure doubles the wait, from 1 second to 1 minute.
  void MarkDown(size_t index, absl::Time now);
  void MarkUp(size_t index);

 private:
  struct State {
    int failures = 0;  // since it was last up
    absl::Time wait_until = absl::InfinitePast();
  };

  mutable absl::Mutex mutex_;
  std::vector<State> states_ ABSL_GUARDED_BY(mutex_);
  const std::vector<std::string> urls_;
};

}  // namespace logquery::http

#endif  // LOGQUERY_LIB_BACKEND_HTTP_HOSTS_H_
