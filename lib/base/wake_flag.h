// Wakes threads that wait for descriptors.
#ifndef LOGQUERY_LIB_BASE_WAKE_FLAG_H_
#define LOGQUERY_LIB_BASE_WAKE_FLAG_H_

namespace logquery::base {

// A descriptor that is readable while the flag is raised, for threads that also wait for other descriptors.
// Thread-safe.
class WakeFlag {
 public:
  WakeFlag();
  ~WakeFlag();
  WakeFlag(const WakeFlag&) = delete;
  WakeFlag& operator=(const WakeFlag&) = delete;

  void Raise();
  void Lower();
  int fd() const { return fd_; }

 private:
  const int fd_;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_WAKE_FLAG_H_
