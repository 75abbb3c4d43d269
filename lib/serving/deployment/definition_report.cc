// One thread that waits to be asked.
#include "lib/serving/deployment/definition_report.h"

#include <utility>

#include "lib/base/readable_text.h"
#include "lib/base/start_thread.h"
#include "lib/base/strings.h"

namespace logquery::serving {

DefinitionReport::DefinitionReport(std::function<std::vector<std::string>()> find, EventLog log)
    : find_(std::move(find)), log_(std::move(log)) {}

DefinitionReport::~DefinitionReport() {
  std::thread thread;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
}

void DefinitionReport::Ask() {
  absl::Status started;
  {
    absl::MutexLock lock(&mutex_);
    asked_ = true;
    if (thread_.joinable()) return;
    absl::StatusOr<std::thread> thread = base::StartThread("the list of definitions' errors", [this] { Work(); });
    started = thread.status();
    if (thread.ok()) thread_ = *std::move(thread);
  }
  if (!started.ok()) log_("error", base::Message(started));
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
    log_("error", base::StrCat("the definitions have ", base::Counted(errors.size() - kMaxReported, "more error"),
                               "; `logquery check` lists all of them"));
  }
}

}  // namespace logquery::serving
