// Resources that processes have used so far, as Linux counts them.
#ifndef LOGQUERY_TESTS_ENGINES_PROCESS_COSTS_H_
#define LOGQUERY_TESTS_ENGINES_PROCESS_COSTS_H_

#include <sys/types.h>

#include <cstdint>

namespace logquery::testing {

struct ProcessCosts {
  double cpu_millis = 0;
  int64_t bytes_read = 0;  // by system calls, whether from a disk or from the kernel's cache

  ProcessCosts operator-(const ProcessCosts& other) const {
    return {cpu_millis - other.cpu_millis, bytes_read - other.bytes_read};
  }
};

// The costs of the process `root` and all processes below it that live now; of this one alone where root is 0.
ProcessCosts CostsOf(pid_t root);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_PROCESS_COSTS_H_
