// One thread that waits to be asked.
#include "lib/serving/deployment/definition_report.h"

#include <utility>

#include "lib/base/strings.h"

namespace logquery::serving {

DefinitionReport::DefinitionReport(std::function<std::vector<std::string>()> find, EventLog log)
    : find_(std::move(find)), log_(std::move(log)), thread_([this] { Work(); }) {}

DefinitionReport::~DefinitionReport() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
}

void DefinitionReport::Ask() {
  absl::MutexLock lock(&mutex_);
  asked_ = true;
}

void DefinitionReport::Work() {
  const auto is_due = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return asked_ || stopping_; };
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&is_due));
      if (stopping_) return;
      asked_ = false;
    }
    const std::vector<std::string> errors = find_();
    for (size_t i = 0; i < errors.size() && i < kMaxReported; ++i) log_("error", errors[i]);
    if (errors.size() <= kMaxReported) continue;
    log_("error", base::StrCat("the definitions have ", errors.size() - kMaxReported,
                               " more errors; `logquery check` lists all of them"));
  }
}

}  // namespace logquery::serving
