#include "tests/isolation/twins.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "tests/isolation/difference.h"

namespace logquery::isolation {

absl::StatusOr<std::unique_ptr<Twins>> Twins::Make(const FolderPlan& plan, const std::vector<int>& threads,
                                                   const std::string& root) {
  std::unique_ptr<Twins> twins(new Twins());
  FolderPlan alone = plan;
  alone.hidden = Hidden::kNone;
  LOGQUERY_ASSIGN_OR_RETURN(twins->alone_folder_, LogFolder::Make(alone, root));
  LOGQUERY_ASSIGN_OR_RETURN(twins->shared_folder_, LogFolder::Make(plan, root));
  if (plan.own_rows < kFlatRows) {
    LOGQUERY_ASSIGN_OR_RETURN(twins->flat_folder_, LogFolder::MakeFlat(alone, root));
    LOGQUERY_ASSIGN_OR_RETURN(twins->flat_, Reader::Over(twins->flat_folder_->TakeBackend(), {}));
  }
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
  Reader& first = flat_ != nullptr ? *flat_ : alone();
  const Answer expected = first.Run(caller, sql);
  Finding finding{Leak(expected), expected.status};
  const auto check = [&](const std::vector<Engine>& engines, const char* folder) {
    for (const Engine& engine : engines) {
      if (!finding.difference.empty() || engine.reader.get() == &first) continue;
      const Answer answer = engine.reader->Run(caller, sql);
      std::string difference = Leak(answer);
      if (difference.empty()) difference = Difference(expected, answer);
      if (difference.empty()) continue;
      finding.difference = base::StrCat(folder, ", threads ", engine.threads, ": ", difference);
    }
  };
  check(shared_, "shared");
  check(alone_, "alone");
  return finding;
}

}  // namespace logquery::isolation
