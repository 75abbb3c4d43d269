// A backend without an engine: it answers with rows that a test gives it, and remembers what it was asked.
//
//     FakeBackend backend(Catalog::DeclaredLogs());
//     backend.AnswerEndpoint(endpoint.id, {{Value::String("a"), Value::Int64(1)}});
//     auto service = QueryService::Create({.backend = &backend});
//     … (*service)->Run({.endpoint = endpoint.name, …});
//     backend.calls().back().bindings;
//
// Thread-safe. Its answers may be changed while it runs; an execution keeps the answer that it began with.
#ifndef LOGQUERY_TESTING_FAKE_BACKEND_H_
#define LOGQUERY_TESTING_FAKE_BACKEND_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "logquery/query_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery::testing {

class FakeBackend : public QueryBackend {
 public:
  using Rows = std::vector<std::vector<Value>>;
  using Answer = std::function<absl::StatusOr<Rows>(const PreparedQuery& query, const Bindings& bindings)>;

  struct Call {
    std::string endpoint_id;
    std::string googlesql;
    Bindings bindings;
    ExecutionLimits limits;
  };

  // Time limits are measured by `clock`, which is borrowed; by the machine's when it is nullptr.
  explicit FakeBackend(Catalog catalog, const FakeClock* clock = nullptr);

  // The rows for the query of exactly this canonical GoogleSQL; for any query of this endpoint; for any other query. The
  // first of these that fits answers; where none does, Execute returns Internal with the text to register.
  void AnswerText(std::string googlesql, Rows rows);
  void AnswerEndpoint(std::string endpoint_id, Rows rows);
  void AnswerBy(Answer answer);

  // Every execution returns `status`, after its rows up to `after_rows`; an OK status ends that.
  void FailWith(absl::Status status, int64_t after_rows = 0);
  // Executions wait before their first row, until they are cancelled, their time is up, or Unblock.
  void Block();
  void Unblock();
  // Returns when `count` executions are waiting so.
  void AwaitBlocked(int count);

  // Rows to a batch; 2,048 unless said.
  void SetBatchRows(int64_t rows);
  // What ReadCatalog returns from now on.
  void SetCatalog(absl::StatusOr<Catalog> catalog);
  void SetCapabilities(Capabilities capabilities);

  // All executions, in the order in which they began.
  std::vector<Call> calls() const;

  Capabilities capabilities() const override;
  absl::StatusOr<Catalog> ReadCatalog() override;
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override;

 private:
  struct Plan;
  Plan MakePlan(const PreparedQuery& query);
  absl::Status WaitWhileBlocked(absl::Duration end, const CancellationToken& cancellation);
  absl::Duration Now() const;

  const FakeClock* const clock_;
  mutable absl::Mutex mutex_;
  absl::StatusOr<Catalog> catalog_ ABSL_GUARDED_BY(mutex_);
  Capabilities capabilities_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Rows> by_text_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Rows> by_endpoint_ ABSL_GUARDED_BY(mutex_);
  Answer answer_ ABSL_GUARDED_BY(mutex_);
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  int64_t failure_after_rows_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t batch_rows_ ABSL_GUARDED_BY(mutex_) = 2'048;
  bool blocking_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<CancellationSource*> blocked_ ABSL_GUARDED_BY(mutex_);  // one for each that waits: cancelled to wake it
  std::vector<Call> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTING_FAKE_BACKEND_H_
