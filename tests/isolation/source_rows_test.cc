// The property holds for a program's own rows, too: the answer over a scan of rows among hidden ones is that over the own rows
// alone, whether the scan leaves out what is of no use or not, and also where an engine elsewhere does a part of the query.
#include <array>
#include <memory>

#include "tests/isolation/difference.h"
#include "tests/isolation/isolation_test_util.h"
#include "tests/isolation/query_maker.h"

namespace logquery::isolation {
namespace {

struct Scanned {
  explicit Scanned(const FolderPlan& plan) : folder(LogFolder::Make(plan).value()) {
    size_t next = 0;
    for (const Reader::Ways ways : {Reader::Ways::kScans, Reader::Ways::kHints, Reader::Ways::kFragments}) {
      readers[next++] = Reader::OpenAsSource({.folder = folder->path(), .threads = 2}, ways).value();
    }
  }
  const std::unique_ptr<LogFolder> folder;
  std::array<std::unique_ptr<Reader>, 3> readers;
};

void CheckQueries(int count) {
  for (const Caller caller : {Caller::kProjectParameter, Caller::kScopedToken}) {
    Scanned scanned({.hidden = Hidden::kOtherProject, .own_rows = 3'000, .hidden_rows = 2'000});
    const std::unique_ptr<LogFolder> own = LogFolder::Make({.own_rows = 3'000}).value();
    const std::unique_ptr<Reader> expected_of = Reader::Open({.folder = own->path()}).value();
    int failed = 0;
    for (int number = 0; number < count; ++number) {
      const Query query = RandomQuery(Expressions(), 14, number);
      INFO(CallerName(caller) << ": " << query.sql);
      const Answer expected = expected_of->Run(caller, query.sql);
      failed += expected.status.ok() ? 0 : 1;
      for (const std::unique_ptr<Reader>& reader : scanned.readers) {
        const Answer answer = reader->Run(caller, query.sql);
        CHECK(Leak(answer) == "");
        CHECK(Difference(expected, answer) == "");
      }
    }
    CHECK(failed * 3 < count);
  }
}

TEST_CASE("a query over a program's rows returns the same as over a folder, whatever the hidden rows") {
  CheckQueries(30);
}

TEST_CASE("many queries over a program's rows return the same answers as over a data folder", "[nightly]") {
  CheckQueries(300);
}

}  // namespace
}  // namespace logquery::isolation
