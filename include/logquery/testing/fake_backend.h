// A backend without an engine: it answers with rows that a test provides, and records its calls.
//
//     FakeBackend backend(Catalog::DeclaredLogs());
//     backend.AnswerEndpoint(endpoint.id, {{Value::String("a"), Value::Int64(1)}});
//     auto service = QueryService::Create({.backend = &backend});
//     … (*service)->Run({.endpoint = endpoint.name, …});
//     backend.calls().back().bindings;
//
// Thread-safe. Answers may be changed while executions run; an execution keeps the answer that it started with.
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

  // `clock`, which is borrowed, measures time limits; nullptr: the machine's clock does.
  explicit FakeBackend(Catalog catalog, const FakeClock* clock = nullptr);

  // Registers rows for the query with exactly this canonical GoogleSQL, for any query of an endpoint, or for any other
  // query. The first of these that matches answers. If none does, Execute returns Internal with the text to register.
  void AnswerText(std::string googlesql, Rows rows);
  void AnswerEndpoint(std::string endpoint_id, Rows rows);
  void AnswerBy(Answer answer);

  // Every execution returns `status` after its first `after_rows` rows. An OK status ends this.
  void FailWith(absl::Status status, int64_t after_rows = 0);
  // Executions wait before their first row until they are cancelled, reach their time limit, or Unblock is called.
  void Block();
  void Unblock();
  // Returns when `count` executions are waiting.
  void AwaitBlocked(int count);

  // Sets the rows per batch; the default is 2,048.
  void SetBatchRows(int64_t rows);
  // Sets what ReadCatalog returns from now on.
  void SetCatalog(absl::StatusOr<Catalog> catalog);
  void SetCapabilities(Capabilities capabilities);

  // Returns all executions, in the order in which they started.
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
  // One for each waiting execution; cancelling it wakes the execution.
  std::vector<CancellationSource*> blocked_ ABSL_GUARDED_BY(mutex_);
  std::vector<Call> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTING_FAKE_BACKEND_H_
