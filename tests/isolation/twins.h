// The property: a call has the same answer over the own rows alone, before and after they are compressed, and over the same
// rows among hidden ones, on engines of several thread counts.
//
//     absl::StatusOr<std::unique_ptr<Twins>> twins = Twins::Make({.hidden = Hidden::kOtherProject}, {1, 2, 4});
//     std::string difference = (*twins)->Check(Caller::kScopedToken, "SELECT COUNT(*) AS n FROM logs");
#ifndef LOGQUERY_TESTS_ISOLATION_TWINS_H_
#define LOGQUERY_TESTS_ISOLATION_TWINS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/isolation/log_folder.h"
#include "tests/isolation/reader.h"

namespace logquery::isolation {

struct Finding {
  std::string difference;  // empty: the answers are the same and show no hidden value
  absl::Status status;     // of the call over the own rows alone
};

class Twins {
 public:
  // `plan.hidden` says what the shared folder hides; `root` is LogFolder::Make's. The answer over rows that are not
  // compressed is asked for where the plan has fewer than kFlatRows: only so many stay as they were loaded.
  static absl::StatusOr<std::unique_ptr<Twins>> Make(const FolderPlan& plan, const std::vector<int>& threads,
                                                     const std::string& root = "");
  static constexpr int64_t kFlatRows = 20'000;

  Finding Check(Caller caller, const std::string& sql);
  // The readers on the first thread count.
  Reader& alone() { return *alone_.front().reader; }
  Reader& shared() { return *shared_.front().reader; }

 private:
  struct Engine {
    int threads = 0;
    std::unique_ptr<Reader> reader;
  };
  Twins() = default;

  std::unique_ptr<LogFolder> flat_folder_, alone_folder_, shared_folder_;
  std::unique_ptr<Reader> flat_;  // nullptr: there are too many rows
  std::vector<Engine> alone_, shared_;
};

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_TWINS_H_
