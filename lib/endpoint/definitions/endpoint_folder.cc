// Reads definitions from a folder, and notices changes by comparing names, sizes and times.
#include "logquery/endpoint_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/sha256.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_files.h"

namespace logquery {
namespace {

// The definitions, and a digest of their texts.
absl::StatusOr<EndpointSet> ReadSet(const std::string& folder) {
  EndpointSet set;
  base::Sha256Stream digest;
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::DefinitionFiles files, endpoint::ReadDefinitionFiles(folder));
  if (!files.problems.empty()) return files.problems.front().status;
  for (const endpoint::DefinitionText& text : files.definitions) {
    LOGQUERY_ASSIGN_OR_RETURN(Endpoint endpoint, Endpoint::FromJson(text.json_path, text.json, text.sql));
    set.endpoints.push_back(std::move(endpoint));
    for (const std::string* part : {&text.json, &text.sql}) digest.Add(base::StrCat(part->size(), ":", *part));
  }
  set.revision = digest.FinishHex();
  return set;
}

// Returns another text when a file of a definition is added, removed or written.
std::string FingerprintOf(const std::string& folder) {
  const absl::StatusOr<std::vector<std::string>> files = endpoint::ListDefinitionFiles(folder);
  if (!files.ok()) return std::string(base::Message(files.status()));
  std::string text;
  for (const std::string& file : *files) {
    struct stat info {};
    const bool there = stat(file.c_str(), &info) == 0;
    base::StrAppend(&text, file.size(), ":", file, " ", there ? info.st_size : -1, " ",
                    static_cast<uint64_t>(info.st_ino), " ", static_cast<int64_t>(info.st_mtim.tv_sec), ".",
                    static_cast<int64_t>(info.st_mtim.tv_nsec), "\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<Endpoint>> ReadEndpointFolder(const std::string& folder) {
  LOGQUERY_ASSIGN_OR_RETURN(EndpointSet set, ReadSet(folder));
  return std::move(set.endpoints);
}

struct EndpointFolder::State {
  State(std::string path, absl::Duration every)
      : folder(std::move(path)), look_every(every), told(FingerprintOf(folder)), seen(told) {}

  const std::string folder;
  const absl::Duration look_every;
  absl::Mutex mutex;                        // held while watchers are called, so that none is called after its end
  std::string told ABSL_GUARDED_BY(mutex);  // as the folder was when those who watch were last called
  std::string seen ABSL_GUARDED_BY(mutex);  // as it was at the last look
  std::vector<const std::function<void()>*> watchers ABSL_GUARDED_BY(mutex);

  absl::Mutex stop_mutex;
  bool stopping ABSL_GUARDED_BY(stop_mutex) = false;
  std::thread thread ABSL_GUARDED_BY(stop_mutex);
};

namespace {

template <typename State>
class FolderWatch : public EndpointSource::Watch {
 public:
  FolderWatch(State* state, std::function<void()> changed) : state_(state), changed_(std::move(changed)) {
    absl::MutexLock lock(&state_->mutex);
    state_->watchers.push_back(&changed_);
  }
  ~FolderWatch() override {
    absl::MutexLock lock(&state_->mutex);
    state_->watchers.erase(std::find(state_->watchers.begin(), state_->watchers.end(), &changed_));
  }

 private:
  State* const state_;
  const std::function<void()> changed_;
};

}  // namespace

EndpointFolder::EndpointFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::unique_ptr<EndpointFolder> EndpointFolder::Open(std::string folder, absl::Duration look_every) {
  std::unique_ptr<EndpointFolder> opened(new EndpointFolder(std::make_unique<State>(std::move(folder), look_every)));
  opened->StartLooking().IgnoreError();  // Read() tries again
  return opened;
}

absl::Status EndpointFolder::StartLooking() {
  absl::MutexLock lock(&state_->stop_mutex);
  if (state_->look_every <= absl::ZeroDuration() || state_->thread.joinable()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(
      state_->thread, base::StartThread(base::StrCat("changes of ", state_->folder), [this] {
        State& state = *state_;
        absl::MutexLock looking(&state.stop_mutex);
        while (!state.stop_mutex.AwaitWithTimeout(absl::Condition(&state.stopping), state.look_every)) {
          state.stop_mutex.Unlock();
          Look();
          state.stop_mutex.Lock();
        }
      }));
  return absl::OkStatus();
}

EndpointFolder::~EndpointFolder() {
  std::thread thread;
  {
    absl::MutexLock lock(&state_->stop_mutex);
    state_->stopping = true;
    thread.swap(state_->thread);
  }
  if (thread.joinable()) thread.join();
}

absl::StatusOr<EndpointSet> EndpointFolder::Read() {
  LOGQUERY_RETURN_IF_ERROR(StartLooking());
  return ReadSet(state_->folder);
}

std::unique_ptr<EndpointSource::Watch> EndpointFolder::OnChange(std::function<void()> changed) {
  return std::make_unique<FolderWatch<State>>(state_.get(), std::move(changed));
}

void EndpointFolder::Look() {
  std::string now = FingerprintOf(state_->folder);
  absl::MutexLock lock(&state_->mutex);
  const bool settled = now == state_->seen;
  state_->seen = std::move(now);
  if (!settled || state_->seen == state_->told) return;
  state_->told = state_->seen;
  for (const std::function<void()>* changed : state_->watchers) (*changed)();
}

}  // namespace logquery
