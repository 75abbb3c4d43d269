// Memory and time that callers' SQL takes before it is ended if it asks for too much: each line of
// tests/testdata/sandbox/giants.txt, in a process of its own.
//
//     logquery_bench_giants [FILE] [--together] [--limit MS]
//
// --limit is a call's time, 500 unless given: with more of it, more of them get as far as the engine's memory.
// Prints how far the process's own memory has gone beyond the engine's limit, and how long after the deadline the call came back.
// With --together one process runs all of them, so that memory that is let go of, but not given back, shows.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/bench/bench_util.h"
#include "tests/sandbox/sandbox_logs.h"
#include "tests/support/folders.h"

namespace logquery {
namespace {

using testing::SandboxLogs;

constexpr double kMebibyte = 1 << 20;

struct Options {
  std::string file = testing::SourcePath("tests/testdata/sandbox/giants.txt");
  bool together = false;
  absl::Duration time_limit = absl::Milliseconds(500);
  int line = -1;  // that one alone, in this process
};

struct Taken {
  double mebibytes_over = 0;
  double milliseconds_past = 0;
};

Taken Run(SandboxLogs& logs, const Options& options, const std::string& sql) {
  testing::ForgetPeakMemory();
  const absl::Duration start = Clock::Real()->Monotonic();
  const absl::Status status = logs.Run(sql).status();
  const absl::Duration took = Clock::Real()->Monotonic() - start;
  if (status.ok()) std::fprintf(stderr, "answered: %s\n", sql.c_str());
  const auto over = static_cast<double>(testing::PeakMemory() - testing::kSandboxMemoryLimit);
  return {over / kMebibyte, absl::ToDoubleMilliseconds(took - options.time_limit)};
}

// Runs this program again, for one line.
Taken RunApart(const Options& options, size_t line) {
  std::string self(4'096, '\0');
  self.resize(static_cast<size_t>(std::max<ssize_t>(0, readlink("/proc/self/exe", self.data(), self.size()))));
  const std::string command = base::StrCat("'", self, "' '", options.file, "' --line ", line, " --limit ",
                                           absl::ToInt64Milliseconds(options.time_limit));
  Taken taken;
  FILE* child = popen(command.c_str(), "r");
  const bool read =
      child != nullptr && std::fscanf(child, "%lf %lf", &taken.mebibytes_over, &taken.milliseconds_past) == 2;
  if (child == nullptr || pclose(child) != 0 || !read) {
    bench::Fail(base::StrCat("line ", line, " came to no end"));
  }
  return taken;
}

int Main(const Options& options) {
  const std::vector<std::string> lines = testing::SandboxLines(options.file);
  if (lines.empty()) bench::Fail(base::StrCat(options.file, " holds no SQL"));
  if (options.line >= 0) {
    SandboxLogs logs(options.time_limit);
    const Taken taken = Run(logs, options, lines.at(static_cast<size_t>(options.line)));
    std::printf("%f %f\n", taken.mebibytes_over, taken.milliseconds_past);
    return 0;
  }
  std::unique_ptr<SandboxLogs> logs;
  if (options.together) logs = std::make_unique<SandboxLogs>(options.time_limit);
  std::printf("| MiB over the limit | ms past the deadline | |\n|---|---|---|\n");
  std::vector<double> over, past;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Taken taken = options.together ? Run(*logs, options, lines[i]) : RunApart(options, i);
    std::printf("| %.0f | %.0f | %s |\n", taken.mebibytes_over, taken.milliseconds_past,
                lines[i].substr(0, 90).c_str());
    std::fflush(stdout);
    over.push_back(taken.mebibytes_over);
    past.push_back(taken.milliseconds_past);
  }
  std::printf("| %.0f | %.0f | the worst of each |\n", *std::max_element(over.begin(), over.end()),
              *std::max_element(past.begin(), past.end()));
  return 0;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  logquery::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--together") {
      options.together = true;
    } else if (argument == "--line" && i + 1 < argc) {
      options.line = std::atoi(argv[++i]);
    } else if (argument == "--limit" && i + 1 < argc) {
      options.time_limit = absl::Milliseconds(std::atoi(argv[++i]));
    } else {
      options.file = argument;
    }
  }
  return logquery::Main(options);
}
