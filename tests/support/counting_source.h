// Tells what a source of fragments is asked, and how many rows come.
#ifndef LOGQUERY_TESTS_SUPPORT_COUNTING_SOURCE_H_
#define LOGQUERY_TESTS_SUPPORT_COUNTING_SOURCE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/fragment_source.h"

namespace logquery::testing {

class CountingSource : public FragmentSource {
 public:
  struct Asked {
    std::string text;
    std::string reason;
    int64_t rows = 0;
  };

  explicit CountingSource(std::shared_ptr<FragmentSource> source) : source_(std::move(source)) {}

  std::string engine() const override { return source_->engine(); }
  const emit::SqlDialect& dialect() const override { return source_->dialect(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return source_->ReadCatalog(); }
  uint64_t CatalogVersion() const override { return source_->CatalogVersion(); }

  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override {
    Counter counter(&sink);
    const absl::Status status = source_->Run(fragment, bindings, cancellation, counter);
    absl::MutexLock lock(&mutex_);
    asked_.push_back({fragment.text, fragment.reason, counter.rows()});
    return status;
  }

  absl::Status Probe(const CancellationToken& cancellation) override { return source_->Probe(cancellation); }

  // Since the last call.
  std::vector<Asked> Take() {
    absl::MutexLock lock(&mutex_);
    return std::exchange(asked_, {});
  }

 private:
  class Counter : public BatchSink {
   public:
    explicit Counter(BatchSink* sink) : sink_(sink) {}
    absl::Status Append(const Batch& batch) override {
      rows_ += batch.rows();
      return sink_->Append(batch);
    }
    int64_t rows() const { return rows_; }

   private:
    BatchSink* const sink_;
    int64_t rows_ = 0;
  };

  const std::shared_ptr<FragmentSource> source_;
  absl::Mutex mutex_;
  std::vector<Asked> asked_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_COUNTING_SOURCE_H_
