// The service behind QueryService::Create. query_service.cc admits calls and runs them, cached_calls.cc answers from the cache.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_QUERY_SERVICE_IMPL_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_QUERY_SERVICE_IMPL_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/endpoint/call/bound_call.h"
#include "lib/endpoint/call/cache_warmer.h"
#include "lib/endpoint/call/call.h"
#include "lib/endpoint/call/call_gate.h"
#include "lib/endpoint/call/call_runner.h"
#include "lib/endpoint/call/observed.h"
#include "lib/endpoint/call/single_flight.h"
#include "lib/endpoint/call/snapshots.h"
#include "lib/endpoint/kept/kept_answers.h"
#include "lib/endpoint/kept/known_calls.h"
#include "lib/result/body_builder.h"
#include "logquery/query_service.h"

namespace logquery::endpoint {

// The endpoint with this id, for a call that was admitted before.
absl::StatusOr<std::shared_ptr<const FoundEndpoint>> FindAgain(std::shared_ptr<Snapshot> snapshot,
                                                               const std::string& id);

class QueryServiceImpl : public QueryService {
 public:
  explicit QueryServiceImpl(QueryServiceOptions options);

  absl::StatusOr<Principal> Authenticate(std::string_view token) override;
  absl::StatusOr<CallTarget> Find(Principal principal, std::string_view name) override;
  std::optional<QueryAnswer> FindCached(const CallTarget& target, const QueryRequest& request) override;
  absl::StatusOr<QueryAnswer> Run(const CallTarget& target, const QueryRequest& request) override;
  absl::StatusOr<QueryAnswer> Run(const QueryRequest& request) override;
  absl::StatusOr<QueryAnswer> Run(const QueryRequest& request, BatchSink& sink) override;
  absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const QueryRequest& request) override;
  absl::StatusOr<SandboxVerdict> Check(const CallTarget& target, const QueryRequest& request) override;
  absl::StatusOr<SandboxVerdict> Check(const QueryRequest& request) override;
  std::shared_ptr<const EndpointRegistry> registry() const override { return snapshots_.last()->registry; }
  absl::Status Reload() override { return snapshots_.Reload(); }
  void ForgetAnswers() override {
    flights_.Forget();
    kept_.Clear();
  }

  // Takes over what the source changes from now on.
  void WatchSource() {
    if (options_.source == nullptr) return;
    watch_ = options_.source->OnChange([this] {
      // The observer is told; calls go on with what there was.
      snapshots_.TakeDefinitions().IgnoreError();
    });
  }

 private:
  std::shared_ptr<Snapshot> SnapshotOf(const std::optional<std::string>& project, std::string_view endpoint);
  absl::StatusOr<CallTarget> TargetOf(const QueryRequest& request);
  absl::StatusOr<BoundCall> Admit(const CallTarget& target, const QueryRequest& request, ObservedCall* observed);
  absl::StatusOr<BoundCall> AdmitPlainly(const CallTarget& target, const QueryRequest& request);
  absl::StatusOr<CallSpec> SpecOf(const CallTarget& target, const QueryRequest& request) const;
  absl::StatusOr<BoundCall> BindNow(std::shared_ptr<const FoundEndpoint> found, CallSpec spec) const;
  absl::StatusOr<BoundCall> BindAgain(const BoundCall& call);
  absl::StatusOr<SandboxVerdict> CheckPlainly(const CallTarget& target, const QueryRequest& request);
  absl::StatusOr<QueryAnswer> RunAdmitted(BoundCall call, const CancellationToken& cancellation);
  absl::StatusOr<CachedAnswer> Compute(const BoundCall& call, const CancellationToken& cancellation);
  absl::StatusOr<QueryAnswer> RunInto(const BoundCall& call, const CancellationToken& cancellation, BatchSink& sink);
  absl::StatusOr<CachedAnswer> Pack(const CachedAnswer& plain, const BoundCall& call,
                                    const CancellationToken& cancellation);
  // Returns an answer that the cache gave, in the coding that the call asks for, which is cached, too.
  absl::StatusOr<QueryAnswer> AnswerFrom(const SingleFlight::Got& got, const std::string& key, const BoundCall& call,
                                         const CancellationToken& cancellation);
  absl::StatusOr<QueryAnswer> RunCached(const BoundCall& call, const CancellationToken& cancellation);
  // FindCached for endpoints with `caching`, and for those without it.
  std::optional<QueryAnswer> FindFresh(const CallTarget& target, const BoundCall& call);
  std::optional<QueryAnswer> FindKept(const CallTarget& target, const BoundCall& call);
  void KeepWarm(const std::string& key, const BoundCall& call);
  void Complete(const BoundCall& call, CacheUse use, absl::Duration bound_at, QueryAnswer& answer) const;
  absl::StatusOr<CachedAnswer> Warm(const FoundEndpoint& before, const std::string& key, const CallSpec& spec,
                                    const CacheWarmer::Codings& codings, const CancellationToken& token);

  const QueryServiceOptions options_;
  const ParameterBinder binder_;
  const result::BodyPlace body_place_;
  KeptAnswers kept_;
  KnownCalls known_;  // of endpoints without `caching`
  const CallRunner runner_;
  const ServiceBounds bounds_;
  CallGate gate_;
  Snapshots snapshots_;
  const std::unique_ptr<ResultCache> own_cache_;
  ResultCache* const cache_;
  SingleFlight flights_;
  CacheWarmer warmer_;                            // its threads use all of the above
  std::unique_ptr<EndpointSource::Watch> watch_;  // so does the source's
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_QUERY_SERVICE_IMPL_H_
