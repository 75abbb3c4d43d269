// Polls the folder on one thread, collects complete files into batches, and retries failures file by file.
#include "lib/store/spool/spool_impl.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <tuple>

#include "lib/base/readable_text.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/event_scanner.h"

namespace logquery::store {
namespace {

constexpr absl::Duration kLookEvery = absl::Milliseconds(200);
// The time after which a file counts as complete if the system can't tell whether it is still being written.
constexpr absl::Duration kQuiet = absl::Seconds(10);
constexpr absl::Duration kFirstRetry = absl::Seconds(1);
constexpr absl::Duration kLastRetry = absl::Seconds(30);
// The attempts for a file that fails while others succeed, which take about a minute and a half.
constexpr int kAttempts = 8;
// One transaction takes so much, or one file that is larger.
constexpr size_t kBatchFiles = 500;
constexpr int64_t kBatchBytes = 64 << 20;
// A file of so many bytes is worth a commit, whatever its rows are.
constexpr int64_t kWorthBytes = 1 << 20;
constexpr int64_t kWorthCompressedBytes = 100 << 10;

// The rows of a small file, by its lines; of one that is worth a commit in any case, `enough`.
int64_t CountRows(const std::string& path, int64_t bytes, int64_t enough) {
  if (bytes >= kWorthBytes) return enough;
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  const auto text = std::make_unique<char[]>(kWorthBytes);
  const ssize_t size = file.is_open() ? read(file.fd(), text.get(), kWorthBytes) : 0;
  if (size < 2) return 0;
  if (IsCompressed({text.get(), static_cast<size_t>(size)})) return bytes >= kWorthCompressedBytes ? enough : 1;
  return std::count(text.get(), text.get() + size, '\n') + (text[size - 1] == '\n' ? 0 : 1);
}

// Why a file whose name does not say that it has rows in lines has none; empty: it may have.
std::string WhyNoLines(const std::string& path, std::string_view name) {
  constexpr std::string_view kJson = ".json";
  if (name.size() < kJson.size() || !base::EqualsIgnoreCase(name.substr(name.size() - kJson.size()), kJson)) return "";
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  const auto text = std::make_unique<char[]>(kWorthBytes);
  const ssize_t size = file.is_open() ? read(file.fd(), text.get(), kWorthBytes) : 0;
  if (size <= 0) return "";
  std::string_view line(text.get(), static_cast<size_t>(size));
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
  const size_t end = line.find('\n');
  if (end == line.npos && size == kWorthBytes) return "";  // the first line is longer
  EventScanner scanner(line.substr(0, end));
  std::string_view object;
  if (scanner.Peek() == '{' && scanner.Value(&object) && scanner.AtEnd()) return "";
  return base::StrCat("its first line is ", scanner.Peek() == '[' ? "an array, " : "",
                      "not one object; write each row as an "
                      "object on a line of its own, and call the file .ndjson");
}

constexpr char kNames[] = "its name ends in .ndjson, .jsonl or .json, or one of these with .gz or .zst";

// Returns whether the load failed because of its file, so that retrying does not help.
bool IsFilesFault(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsNotFound(status) || absl::IsDataLoss(status);
}

// Returns whether every other file would fail in the same way.
bool IsEverybodys(const absl::Status& status) {
  return absl::IsResourceExhausted(status) || absl::IsUnavailable(status);
}

}  // namespace

absl::Status SpoolImpl::Start() {
  LOGQUERY_ASSIGN_OR_RETURN(thread_, base::StartThread("the spool", [this] { Work(); }));
  return absl::OkStatus();
}

void SpoolImpl::Stop() {
  {
    absl::MutexLock lock(&mutex_);
    stop_ = true;
  }
  stopping_.Cancel();
  if (thread_.joinable()) thread_.join();
}

void SpoolImpl::Work() {
  const auto stop = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stop_; };
  while (true) {
    TakeReady().IgnoreError();  // it is in state()
    absl::MutexLock lock(&mutex_);
    if (mutex_.AwaitWithTimeout(absl::Condition(&stop), kLookEvery)) return;
  }
}

absl::Status SpoolImpl::TakeReady() {
  const SpoolFolder::Contents contents = folder_.Collect(options_.clock->Now());
  Count(contents);
  WarnOfIgnored(contents.ignored);
  if (options_.clock->Monotonic() < retry_at_) return state().stopped;
  absl::Status status;
  for (const Batch& batch : MakeBatches(contents.files, &status)) {
    if (stopping_.token().IsCancelled() || IsEverybodys(status)) break;
    if (IsDue(batch)) status.Update(Load(batch));
  }
  retry_ = status.ok() ? absl::ZeroDuration() : std::clamp(retry_ * 2, kFirstRetry, kLastRetry);
  retry_at_ = options_.clock->Monotonic() + retry_;
  looked_before_ = true;
  status.Update(contents.status);  // what can't be taken from where it is holds nothing else up
  status.Update(RefuseMisnamed(contents.misnamed));
  const absl::Time now = options_.clock->Now();
  if (now - outcomes_removed_ > absl::Hours(1)) {
    folder_.RemoveOutcomes(now - options_.keep_outcomes);
    outcomes_removed_ = now;
  }
  SetStopped(status);
  return status;
}

void SpoolImpl::Count(const SpoolFolder::Contents& contents) {
  bool full;
  bool changed;
  {
    absl::MutexLock lock(&mutex_);
    // Once it is full, a quarter has to go first: or the sign would come and go with each file.
    full = contents.waiting_bytes > (state_.full ? options_.max_bytes / 4 * 3 : options_.max_bytes);
    changed = full != state_.full;
    state_.full = full;
    state_.waiting_files = contents.waiting_files;
    state_.waiting_bytes = contents.waiting_bytes;
    state_.ignored_files = static_cast<int64_t>(contents.ignored.size());
  }
  if (!changed && looked_before_) return;
  if (const absl::Status status = folder_.SetFull(full); !status.ok()) Log("error", status.ToString());
  if (changed) Log("warning", full ? "the spool is full" : "the spool has room again");
}

void SpoolImpl::WarnOfIgnored(const std::vector<std::string>& ignored) {
  for (const std::string& label : ignored) {
    if (std::binary_search(ignored_.begin(), ignored_.end(), label)) continue;
    Log("warning", base::StrCat(label, label.back() == '/' ? " and what is in it is" : " is",
                                " not loaded: a file of rows lies in a log's folder, and ", kNames));
  }
  ignored_ = ignored;
}

absl::Status SpoolImpl::RefuseMisnamed(const std::vector<SpoolFile>& files) {
  absl::Status status;
  for (const SpoolFile& file : files) {
    status.Update(Refuse(file, base::StrCat("a file of rows is recognized by its name: ", kNames)));
  }
  return status;
}

std::vector<SpoolImpl::Batch> SpoolImpl::MakeBatches(const std::vector<SpoolFile>& files, absl::Status* status) {
  std::map<std::string, Waiting> still;
  std::vector<Batch> batches;
  std::map<std::tuple<std::string, TimestampUnit, bool, bool>, size_t> open;  // by log and options
  for (const SpoolFile& file : files) {
    const Waiting* const waiting = Ready(file, status);
    if (waiting == nullptr) continue;
    SpoolFileOptions options = waiting->options;
    // A server that was killed may have loaded it: rather skipped than loaded twice.
    options.again = options.again && !waiting->left_over;
    const std::tuple key(file.log, options.timestamp_unit, options.dedupe_by_id, options.again);
    const auto there = open.find(key);
    Batch* batch = there == open.end() ? nullptr : &batches[there->second];
    if (batch == nullptr || batch->files.size() == kBatchFiles || batch->bytes + file.bytes > kBatchBytes) {
      open[key] = batches.size();
      batch = &batches.emplace_back();
      batch->options = options;
    }
    batch->files.push_back(file);
    batch->bytes += file.bytes;
    // One that is urgent is worth a commit by itself.
    batch->rows += waiting->options.urgent ? options_.batch_rows : waiting->rows;
    batch->since = std::min(batch->since, waiting->since);
    still.emplace(file.Label(), *waiting);
  }
  waiting_ = std::move(still);
  absl::MutexLock lock(&mutex_);
  oldest_ = absl::InfiniteDuration();
  for (const auto& [label, waiting] : waiting_) oldest_ = std::min(oldest_, waiting.since);
  return batches;
}

const SpoolImpl::Waiting* SpoolImpl::Ready(const SpoolFile& file, absl::Status* status) {
  if (const auto known = waiting_.find(file.Label()); known != waiting_.end()) return &known->second;
  std::string refused;
  if (file.log.empty()) {
    refused = "it lies in no log's folder, such as edge_logs, and so does not say which log it is of";
  } else if (!file.regular) {
    refused = "it is no regular file";
  } else {
    const SpoolFolder::Writer writer = folder_.WriterOf(file);
    if (writer == SpoolFolder::Writer::kSome) return nullptr;
    const absl::Duration age = options_.clock->Now() - file.modified;
    if (writer == SpoolFolder::Writer::kUnknown && absl::AbsDuration(age) < kQuiet) return nullptr;
  }
  Waiting waiting;
  if (refused.empty()) refused = WhyNoLines(folder_.PathOf(file), file.name);
  if (refused.empty()) {
    const absl::StatusOr<SpoolFileOptions> options = folder_.ReadOptions(file);
    if (options.ok()) {
      waiting.options = *options;
    } else {
      refused = base::Message(options.status());
    }
  }
  if (!refused.empty()) {
    status->Update(Refuse(file, refused));
    return nullptr;
  }
  waiting.since = options_.clock->Monotonic();
  waiting.rows = CountRows(folder_.PathOf(file), file.bytes, options_.batch_rows);
  waiting.left_over = !looked_before_;
  return &waiting_.emplace(file.Label(), waiting).first->second;
}

bool SpoolImpl::IsDue(const Batch& batch) const {
  return batch.rows >= options_.batch_rows || options_.clock->Monotonic() - batch.since >= options_.batch_time;
}

absl::Status SpoolImpl::Load(const Batch& batch) {
  const absl::Status status = LoadTogether(batch);
  // The file is looked at again later: the server is stopping, or the file was still being written.
  if (status.ok() || absl::IsCancelled(status) || absl::IsAborted(status)) return absl::OkStatus();
  if (IsEverybodys(status)) return status;
  if (batch.files.size() == 1) return Settle(batch.files.front(), status);
  // One of them is at fault, or meets an error of the machine's: the others go on without it.
  absl::Status stop;
  for (const SpoolFile& file : batch.files) {
    Batch alone;
    alone.files = {file};
    alone.options = batch.options;
    stop.Update(Load(alone));
  }
  return stop;
}

absl::Status SpoolImpl::Settle(const SpoolFile& file, const absl::Status& status) {
  const bool can_be_read = access(folder_.PathOf(file).c_str(), R_OK) == 0;
  if (IsFilesFault(status) || !can_be_read) return Refuse(file, base::Message(status));
  // The cause may be the file or the machine. It is the file once others can be loaded and it cannot.
  const auto known = waiting_.find(file.Label());
  if (known == waiting_.end()) return status;
  Waiting& waiting = known->second;
  if (waiting.failures++ == 0) waiting.loaded_before = loaded_;
  if (waiting.failures < kAttempts || waiting.loaded_before == loaded_) return status;
  return Refuse(file, base::StrCat("it failed ", waiting.failures, " times: ", base::Message(status)));
}

absl::Status SpoolImpl::LoadTogether(const Batch& batch) {
  LoadRequest request;
  request.table = batch.files.front().log;
  for (const SpoolFile& file : batch.files) request.files.push_back(folder_.PathOf(file));
  request.timestamp_unit = batch.options.timestamp_unit;
  request.dedupe_by_id = batch.options.dedupe_by_id;
  request.again = batch.options.again;
  request.together = true;
  request.cancellation = stopping_.token();
  LOGQUERY_ASSIGN_OR_RETURN(const LoadReport report, store_->Load(request, nullptr));
  return Finish(batch, report);
}

absl::Status SpoolImpl::Finish(const Batch& batch, const LoadReport& report) {
  absl::Status status;
  int64_t loaded = 0;
  for (size_t i = 0; i < batch.files.size(); ++i) {
    const LoadReport::File& file = report.files[i];
    const auto waiting = waiting_.find(batch.files[i].Label());
    // A server that was killed may have committed it without having come to say so.
    const bool by_us =
        file.skipped && file.loaded_as == file.file && waiting != waiting_.end() && waiting->second.left_over;
    SpoolOutcome outcome;
    outcome.outcome = file.skipped && !by_us ? "skipped" : "loaded";
    outcome.rejected_rows = file.rejected_rows;
    outcome.rejected_by_reason = file.rejected_by_reason;
    if (outcome.outcome == "loaded") {
      outcome.rows = file.rows;
      outcome.duplicate_rows = file.duplicate_rows;
      outcome.undeclared_fields = file.undeclared_fields;
      outcome.learned_fields = report.learned_fields;
      outcome.widened_fields = report.widened_fields;
      ++loaded;
    }
    for (const LoadReport::Rejected& row : report.first_rejected) {
      if (row.file == file.file) outcome.rejected.push_back({row.line, row.reason});
    }
    status.Update(folder_.Finish(batch.files[i], outcome));
    waiting_.erase(batch.files[i].Label());
  }
  if (report.rejected_rows > 0) {
    Log("warning", base::StrCat(batch.files.front().log, ": ", base::Counted(report.rejected_rows, "row"),
                                " rejected; see ", report.rejected_folder));
  }
  loaded_ += static_cast<int64_t>(batch.files.size());
  absl::MutexLock lock(&mutex_);
  state_.files_loaded += loaded;
  state_.rows += report.rows;
  return status;
}

absl::Status SpoolImpl::Refuse(const SpoolFile& file, std::string_view reason) {
  SpoolOutcome outcome;
  outcome.outcome = "failed";
  outcome.reason = reason;
  LOGQUERY_RETURN_IF_ERROR(folder_.Fail(file, outcome));
  waiting_.erase(file.Label());
  Log("error", base::StrCat(file.Label(), " can't be loaded and is in .failed: ", reason));
  absl::MutexLock lock(&mutex_);
  ++state_.files_failed;
  return absl::OkStatus();
}

void SpoolImpl::SetStopped(const absl::Status& status) {
  const bool was_ok = state().stopped.ok();
  {
    absl::MutexLock lock(&mutex_);
    state_.stopped = status;
  }
  if (!status.ok() && was_ok) Log("error", base::StrCat("files wait: ", base::Message(status)));
  if (status.ok() && !was_ok) Log("info", "files are loaded again");
}

SpoolState SpoolImpl::state() const {
  const absl::Duration now = options_.clock->Monotonic();
  absl::MutexLock lock(&mutex_);
  SpoolState state = state_;
  if (oldest_ < now) state.lag = now - oldest_;
  return state;
}

void SpoolImpl::Log(std::string_view level, const std::string& line) const {
  if (options_.log) options_.log(level, base::StrCat("spool: ", line));
}

}  // namespace logquery::store

namespace logquery {

absl::StatusOr<std::unique_ptr<Spool>> Spool::Open(const SpoolOptions& options, LogStore* store) {
  LOGQUERY_ASSIGN_OR_RETURN(store::SpoolFolder folder, store::SpoolFolder::Open(options.folder, options.logs));
  return std::make_unique<store::SpoolImpl>(options, std::move(folder), store);
}

}  // namespace logquery
