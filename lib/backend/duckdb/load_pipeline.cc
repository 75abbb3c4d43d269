#include "lib/backend/duckdb/load_pipeline.h"

#include <utility>

namespace logquery::duckdb {

LoadPipeline::LoadPipeline(InputFile* file, std::string name, const RowPlan* plan, RowParser::Options options)
    : plan_(plan), options_(std::move(options)), reader_(file, std::move(name)) {
  for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { Work(); });
}

LoadPipeline::~LoadPipeline() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void LoadPipeline::Work() {
  BatchParser parser(plan_, options_);
  int64_t number = 0;
  while (std::unique_ptr<RowBatch> batch = Read(&number)) {
    parser.Parse(batch.get());
    absl::MutexLock lock(&mutex_);
    parsed_[number] = std::move(batch);
    // The one that is wanted next never waits here, so somebody always goes on.
    const auto may_go_on = [this, number]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return MayPublish(number); };
    mutex_.Await(absl::Condition(&may_go_on));
  }
  absl::MutexLock lock(&mutex_);
  undeclared_fields_.insert(parser.undeclared_fields().begin(), parser.undeclared_fields().end());
  --working_;
}

std::unique_ptr<RowBatch> LoadPipeline::Read(int64_t* number) {
  std::unique_ptr<RowBatch> batch;
  absl::MutexLock read_lock(&read_mutex_);
  {
    absl::MutexLock lock(&mutex_);
    if (stopping_ || !failure_.ok()) return nullptr;
    if (!free_.empty()) {
      batch = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (batch == nullptr) batch = std::make_unique<RowBatch>();
  const absl::StatusOr<bool> more = reader_.Next(batch.get());
  if (!more.ok()) {
    absl::MutexLock lock(&mutex_);
    failure_ = more.status();
    return nullptr;
  }
  *number = read_++;
  return *more ? std::move(batch) : nullptr;
}

absl::StatusOr<std::unique_ptr<RowBatch>> LoadPipeline::Next() {
  absl::MutexLock lock(&mutex_);
  const auto settled = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return parsed_.count(wanted_) != 0 || working_ == 0;
  };
  mutex_.Await(absl::Condition(&settled));
  const auto found = parsed_.find(wanted_);
  if (found == parsed_.end()) {
    if (!failure_.ok()) return failure_;
    return nullptr;
  }
  std::unique_ptr<RowBatch> batch = std::move(found->second);
  parsed_.erase(found);
  ++wanted_;
  return batch;
}

void LoadPipeline::Recycle(std::unique_ptr<RowBatch> batch) {
  absl::MutexLock lock(&mutex_);
  free_.push_back(std::move(batch));
}

base::StringSet LoadPipeline::undeclared_fields() {
  absl::MutexLock lock(&mutex_);
  return undeclared_fields_;
}

}  // namespace logquery::duckdb
