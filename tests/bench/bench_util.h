// Helpers that the benches share. Each bench is a program that ends with 1, and says why, when anything fails.
#ifndef LOGQUERY_TESTS_BENCH_BENCH_UTIL_H_
#define LOGQUERY_TESTS_BENCH_BENCH_UTIL_H_

#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::bench {

[[noreturn]] inline void Fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

inline void Need(const absl::Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

template <typename T>
T Need(absl::StatusOr<T> value) {
  Need(value.status());
  return *std::move(value);
}

// The upper one of two.
inline double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A folder that is gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "logquery-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) Fail("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace logquery::bench

#endif  // LOGQUERY_TESTS_BENCH_BENCH_UTIL_H_
