// The data that all rows of a sample share: the projects with their functions, how busy each one is, and how busy each hour is.
//
// Made from the seed alone; thread-safe, const after construction.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_WORLD_H_
#define LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_WORLD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "shim/cli/folder/sample/sample_random.h"

namespace logquery::shim {

struct SampleFunction {
  std::string id;
  std::string name;
  uint64_t median_ms = 0;
  int version = 1;
};

struct SampleProject {
  std::string ref;
  std::vector<SampleFunction> functions;
};

class SampleWorld {
 public:
  SampleWorld(uint64_t seed, int projects, absl::Time start, absl::Time end);

  const std::vector<SampleProject>& projects() const { return projects_; }

  // Zipf: the second project is half as busy as the first, the third a third.
  size_t PickProject(SampleRandom& random) const;
  const SampleFunction& PickFunction(SampleRandom& random, size_t project) const;

  // When the row at `position` of `of` arrives, in microseconds since 1970: more by day than by night.
  int64_t ArrivalMicros(uint64_t position, uint64_t of) const;
  int64_t start_micros() const { return start_; }

 private:
  void AddProjects(uint64_t seed, int count);
  void AddHours();

  struct Hour {
    int64_t start;
    int64_t length;
    uint64_t before;  // load of all hours before this one
    uint64_t load;
  };

  std::vector<SampleProject> projects_;
  std::vector<uint64_t> busy_before_;  // of each project and those before it
  int64_t start_ = 0;
  int64_t end_ = 0;
  std::vector<Hour> hours_;
  uint64_t load_ = 0;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_WORLD_H_
