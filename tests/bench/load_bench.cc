// How fast logs load, and how much memory that takes.
//
//     logquery_bench_load FOLDER TABLE=FILE.ndjson...
//
// prints rows, seconds and rows a second for each file, and the most memory that was in use at one time.
#include <sys/resource.h>

#include <cstdio>
#include <string>

#include "absl/time/time.h"
#include "logquery/store/duckdb_backend.h"

namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s FOLDER TABLE=FILE...\n", argv[0]);
    return 2;
  }
  const auto backend = logquery::OpenDuckDb({.folder = argv[1]});
  if (!backend.ok()) return Fail(backend.status());
  int64_t rows = 0;
  absl::Duration time;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const auto report = (*backend)->store().Load(
        {.table = argument.substr(0, equals), .files = {argument.substr(equals + 1)}}, nullptr);
    if (!report.ok()) return Fail(report.status());
    const double seconds = absl::ToDoubleSeconds(report->time);
    std::printf("%-28s %9ld rows %6ld rejected %7.2f s %9.0f rows/s %7.0f MB/s\n", argument.substr(0, equals).c_str(),
                static_cast<long>(report->rows), static_cast<long>(report->rejected_rows), seconds,
                static_cast<double>(report->rows) / seconds, static_cast<double>(report->bytes) / 1e6 / seconds);
    rows += report->rows;
    time += report->time;
  }
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("all: %ld rows, %.0f rows/s, at most %ld MiB\n", static_cast<long>(rows),
              static_cast<double>(rows) / absl::ToDoubleSeconds(time), usage.ru_maxrss / 1024);
  return 0;
}
