// Times the built-in endpoints over a data folder, as the programs of engines do over theirs:
//
//     logquery_folder_bench DIR NOW PROJECT
#include "logquery/parameter_binder.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_clock.h"
#include "tests/engines/engine_bench.h"
#include "tests/engines/engine_program.h"

int main(int argc, char** argv) {
  using namespace logquery;
  if (argc != 4) return testing::Fail(absl::InvalidArgumentError("usage: logquery_folder_bench DIR NOW PROJECT"));
  const auto now = ParseTimestamp(argv[2]);
  if (!now.ok()) return testing::Fail(now.status());
  const auto backend = OpenDuckDb({.folder = argv[1], .read_only = true});
  if (!backend.ok()) return testing::Fail(backend.status());
  const testing::FakeClock clock(*now);
  return testing::RunBackendBench(**backend, clock, argv[3]);
}
