// The memory of this process as the operating system counts it.
#ifndef LOGQUERY_LIB_BASE_RESIDENT_MEMORY_H_
#define LOGQUERY_LIB_BASE_RESIDENT_MEMORY_H_

#include <cstdint>

namespace logquery::base {

// Keeps the system's file open. Thread-safe.
class ResidentMemory {
 public:
  ResidentMemory();
  ~ResidentMemory();
  ResidentMemory(const ResidentMemory&) = delete;
  ResidentMemory& operator=(const ResidentMemory&) = delete;

  // Returns bytes; -1 if the system does not report it. Source: proc_pid_statm(5).
  int64_t Read() const;

 private:
  int fd_;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_RESIDENT_MEMORY_H_
