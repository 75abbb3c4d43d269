// Log rows to try things with: a folder of NDJSON, one file for each of the nine logs, and a manifest.
//
//     absl::StatusOr<SampleReport> report = WriteSample({.folder = "sample", .rows = 10'000, .end = absl::Now()});
//
// The same options give the same bytes on every machine, however many threads it has.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_H_
#define LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::shim {

struct SampleOptions {
  std::string folder;
  int64_t rows = 300'000;
  int projects = 50;
  double days = 7;
  uint64_t seed = 1;
  absl::Time end;   // the newest rows are from just before
  int threads = 0;  // 0: as many as the machine has; the bytes are the same
  // Only this part of so many equal ones, from 1: all logs of one stretch of time. The parts of a log, one after another,
  // are the whole of it, so that more rows than a disk holds can be made and loaded in the order of their times.
  int part = 1;
  int parts = 1;
};

struct SampleReport {
  int64_t rows = 0;
  int64_t bytes = 0;
  int files = 0;
  std::string busiest_project;
};

// Writes NAME.ndjson for each log, rows in the order of their arrival (timestamps lag by up to a minute), and manifest.json
// with the projects, how many rows each has, and their functions. Each file appears whole, under its name, or not at all.
// InvalidArgument: an option out of range. Unavailable: a file can't be written; the message says which and why.
absl::StatusOr<SampleReport> WriteSample(const SampleOptions& options);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_H_
