#include "tests/isolation/twins.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "tests/isolation/difference.h"

namespace logquery::isolation {

absl::StatusOr<std::unique_ptr<Twins>> Twins::Make(const FolderPlan& plan, const std::vector<int>& threads) {
  std::unique_ptr<Twins> twins(new Twins());
  FolderPlan alone = plan;
  alone.hidden = Hidden::kNone;
  LOGQUERY_ASSIGN_OR_RETURN(twins->alone_folder_, LogFolder::Make(alone));
  LOGQUERY_ASSIGN_OR_RETURN(twins->shared_folder_, LogFolder::Make(plan));
  for (const int count : threads) {
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<Reader> reader,
                              Reader::Open({.folder = twins->alone_folder_->path(), .threads = count}));
    twins->alone_.push_back({count, std::move(reader)});
    LOGQUERY_ASSIGN_OR_RETURN(reader, Reader::Open({.folder = twins->shared_folder_->path(), .threads = count}));
    twins->shared_.push_back({count, std::move(reader)});
  }
  return twins;
}

Finding Twins::Check(Caller caller, const std::string& sql) {
  const Answer expected = alone_.front().reader->Run(caller, sql);
  const auto check = [&](const Engine& engine, const char* folder) -> std::string {
    const Answer answer = engine.reader->Run(caller, sql);
    std::string difference = Leak(answer);
    if (difference.empty()) difference = Difference(expected, answer);
    if (difference.empty()) return "";
    return base::StrCat(folder, ", ", engine.threads, " threads: ", difference);
  };
  Finding finding{Leak(expected), expected.status};
  for (const Engine& engine : shared_) {
    if (finding.difference.empty()) finding.difference = check(engine, "shared");
  }
  for (size_t i = 1; i < alone_.size() && finding.difference.empty(); ++i) {
    finding.difference = check(alone_[i], "alone");
  }
  return finding;
}

}  // namespace logquery::isolation
