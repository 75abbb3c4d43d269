// The property: a call over the own rows alone and over the same rows among hidden ones has the same answer, on engines of
// several thread counts.
//
//     absl::StatusOr<std::unique_ptr<Twins>> twins = Twins::Make({}, Hidden::kOtherProject, {1, 2, 4});
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
  // `plan.hidden` says what the shared folder hides.
  static absl::StatusOr<std::unique_ptr<Twins>> Make(const FolderPlan& plan, const std::vector<int>& threads);

  Finding Check(Caller caller, const std::string& sql);
  Reader& alone() { return *alone_.front().reader; }
  Reader& shared() { return *shared_.front().reader; }

 private:
  struct Engine {
    int threads = 0;
    std::unique_ptr<Reader> reader;
  };
  Twins() = default;

  std::unique_ptr<LogFolder> alone_folder_, shared_folder_;
  std::vector<Engine> alone_, shared_;
};

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_TWINS_H_
