#include "logquery/query_service.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/status_macros.h"
#include "lib/endpoint/capping_sink.h"
#include "lib/endpoint/compiled_endpoint.h"
#include "lib/endpoint/plan_cache.h"
#include "lib/endpoint/query_planner.h"
#include "lib/result/redacting_sink.h"
#include "lib/rewrite/resolver.h"
#include "lib/sql/text_error.h"
#include "logquery/error.h"
#include "logquery/interval_bucketer.h"
#include "logquery/redactor.h"
#include "logquery/row_encoder.h"

namespace logquery {
namespace {

using base::StrCat;
using endpoint::CompiledEndpoint;

constexpr size_t kMaxCachedTexts = 1'000;

// What holds together: plans borrow from the registry's catalog, so they are let go with it.
struct Snapshot {
  explicit Snapshot(std::shared_ptr<const EndpointRegistry> r) : registry(std::move(r)) {}
  std::shared_ptr<const EndpointRegistry> registry;
  endpoint::PlanCache callers_sql{kMaxCachedTexts};
};

// A call that has been let in, found, bound and planned.
struct ReadyCall {
  std::shared_ptr<Snapshot> snapshot;  // keeps what the rest borrows
  const Endpoint* definition = nullptr;
  endpoint::PlannedCall planned;
  std::vector<std::string> ignored;
  bool redact = false;
  absl::Duration plan_time;
};

class QueryServiceImpl : public QueryService {
 public:
  explicit QueryServiceImpl(QueryServiceOptions options)
      : options_(std::move(options)),
        binder_(options_.retention ? *options_.retention : RetentionPolicy::Default(options_.clock),
                IntervalBucketer(options_.clock)),
        planner_(options_.backend->capabilities().dialect, [](int64_t count, std::string_view label, absl::Time now) {
          return IntervalBucketer::Generate(count, label, now);
        }) {}

  absl::StatusOr<QueryAnswer> Run(const QueryRequest& request) override;
  absl::StatusOr<QueryAnswer> Run(const QueryRequest& request, BatchSink& sink) override;
  absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const QueryRequest& request) override;
  absl::StatusOr<Principal> Authenticate(std::string_view token) override;
  std::shared_ptr<const EndpointRegistry> registry() const override { return snapshot()->registry; }
  absl::Status Reload() override;

 private:
  std::shared_ptr<Snapshot> snapshot() const {
    absl::MutexLock lock(&mutex_);
    return snapshot_;
  }
  absl::StatusOr<ReadyCall> MakeReady(const QueryRequest& request);
  absl::StatusOr<std::shared_ptr<endpoint::ResolvedQuery>> Resolve(Snapshot& snapshot, const CompiledEndpoint& compiled,
                                                                   const std::string& sql);
  absl::Status Execute(const ReadyCall& call, const QueryRequest& request, BatchSink& sink, QueryAnswer& answer);

  const QueryServiceOptions options_;
  const ParameterBinder binder_;
  const endpoint::QueryPlanner planner_;
  const Redactor redactor_{};
  mutable absl::Mutex mutex_;
  std::shared_ptr<Snapshot> snapshot_ ABSL_GUARDED_BY(mutex_);
};

absl::Status UnknownEndpoint(const EndpointRegistry& registry, const std::string& name) {
  std::vector<std::string> names;
  for (const RegisteredEndpoint* endpoint : registry.All()) names.push_back(endpoint->definition().name);
  std::vector<std::string> nearest = sql::NearestNames(name, names);
  ErrorDetails details;
  details.nearest = nearest;
  return WithErrorDetails(absl::NotFoundError(StrCat("there is no endpoint \"", name, "\"", sql::DidYouMean(nearest))),
                          details);
}

absl::Status WrongParameter(absl::StatusCode code, const std::string& name, std::string_view message) {
  ErrorDetails details;
  details.parameter = name;
  return WithErrorDetails(absl::Status(code, StrCat("parameter ", name, ": ", message)), details);
}

const std::string* FindText(const ParameterTexts& texts, std::string_view name) {
  for (const auto& [known, text] : texts) {
    if (known == name) return &text;
  }
  return nullptr;
}

// The call's texts with what the principal's token fixes. A token for one project fills in that project where the
// endpoint takes a reference and the call has none.
absl::StatusOr<ParameterTexts> WithFixed(const Principal& principal, const Endpoint& definition, ParameterTexts texts) {
  auto fill = [&](const std::string& name, const std::string& value) {
    for (auto& [known, text] : texts) {
      if (known == name && text.empty()) text = value;
    }
    if (FindText(texts, name) == nullptr) texts.emplace_back(name, value);
  };
  for (const auto& [name, value] : principal.fixed_parameters) {
    const std::string* sent = FindText(texts, name);
    if (sent != nullptr && !sent->empty() && *sent != value) {
      return WrongParameter(absl::StatusCode::kPermissionDenied, name,
                            "this token fixes it to another value; leave it out, or send that value");
    }
    fill(name, value);
  }
  const Parameter* project = definition.FindParameter("project");
  if (principal.project_scope && project != nullptr && !project->is_pattern) fill("project", *principal.project_scope);
  return texts;
}

// The caller's SQL; empty when there is none.
absl::StatusOr<std::string> TakeSql(const Endpoint& definition, const ParameterTexts& texts) {
  std::string sql;
  bool seen = false;
  for (const auto& [name, text] : texts) {
    if (name != "sql") continue;
    if (seen) return WrongParameter(absl::StatusCode::kInvalidArgument, "sql", "is given twice");
    seen = true;
    sql = text;
  }
  if (!sql.empty() && !definition.query_sandboxing) {
    return WrongParameter(absl::StatusCode::kInvalidArgument, "sql",
                          StrCat("the endpoint ", definition.name, " takes no SQL of the caller's"));
  }
  return sql;
}

absl::StatusOr<std::shared_ptr<endpoint::ResolvedQuery>> QueryServiceImpl::Resolve(Snapshot& snapshot,
                                                                                   const CompiledEndpoint& compiled,
                                                                                   const std::string& sql) {
  const Endpoint& definition = compiled.definition();
  if (std::shared_ptr<endpoint::ResolvedQuery> kept = snapshot.callers_sql.Find(definition.id, sql)) return kept;
  LOGQUERY_ASSIGN_OR_RETURN(
      std::shared_ptr<endpoint::ResolvedQuery> resolved,
      endpoint::ResolveCallerSql(sql, definition, compiled.query(), snapshot.registry->catalog()));
  snapshot.callers_sql.Put(definition.id, sql, resolved);
  return resolved;
}

absl::StatusOr<ReadyCall> QueryServiceImpl::MakeReady(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(Principal principal, Authenticate(request.token));
  ReadyCall call;
  call.snapshot = snapshot();
  const RegisteredEndpoint* found = call.snapshot->registry->Find(request.endpoint);
  if (found == nullptr) return UnknownEndpoint(*call.snapshot->registry, request.endpoint);
  const auto& compiled = static_cast<const CompiledEndpoint&>(*found);
  const Endpoint& definition = compiled.definition();
  if (!principal.MayCall(definition.name, definition.id)) {
    return absl::PermissionDeniedError(StrCat("this token may not call the endpoint ", definition.name));
  }
  LOGQUERY_ASSIGN_OR_RETURN(ParameterTexts texts, WithFixed(principal, definition, request.parameters));
  LOGQUERY_ASSIGN_OR_RETURN(std::string sql, TakeSql(definition, texts));
  if (!sql.empty() && definition.redact_pii) {
    // Redacting rows alone would not hold against SQL that takes addresses apart.
    return absl::PermissionDeniedError(
        StrCat("the endpoint ", definition.name, " redacts what it returns, so it takes no SQL of the caller's yet"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(BoundParameters bound, binder_.Bind(definition, texts, options_.clock->Now()));

  const absl::Duration start = options_.clock->Monotonic();
  std::shared_ptr<endpoint::ResolvedQuery> callers;
  if (!sql.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(callers, Resolve(*call.snapshot, compiled, sql));
  }
  rewrite::ParameterValues values;
  for (const auto& [name, value] : bound.values()) values.insert_or_assign(name, value);
  values.insert_or_assign(rewrite::kNowParameter, Value::Timestamp(bound.now()));
  if (principal.project_scope) {
    values.insert_or_assign(endpoint::kScopeParameter, Value::String(*principal.project_scope));
  }
  LOGQUERY_ASSIGN_OR_RETURN(call.planned,
                            planner_.Plan(callers != nullptr ? *callers : compiled.resolved(), std::move(values)));
  call.plan_time = options_.clock->Monotonic() - start;
  call.definition = &definition;
  call.ignored = bound.ignored();
  call.redact = request.redact_pii || definition.redact_pii;
  return call;
}

absl::Status QueryServiceImpl::Execute(const ReadyCall& call, const QueryRequest& request, BatchSink& sink,
                                       QueryAnswer& answer) {
  const int64_t max_rows = call.definition->max_rows;
  endpoint::CappingSink capped(max_rows, &sink);
  ExecutionLimits limits;
  limits.time_limit = options_.time_limit;
  limits.max_rows = max_rows + 1;
  const absl::Duration start = options_.clock->Monotonic();
  absl::Status status =
      options_.backend->Execute(*call.planned.query, call.planned.bindings, limits, request.cancellation, capped);
  answer.execute_time = options_.clock->Monotonic() - start;
  answer.plan_time = call.plan_time;
  answer.rows = capped.rows();
  answer.truncated = capped.truncated();
  answer.schema = call.planned.query->schema();
  answer.ignored_parameters = call.ignored;
  if (!status.ok() && call.redact) {
    // A message may quote the value that it is about.
    return WithErrorDetails(absl::Status(status.code(), redactor_.Redact(base::Message(status))),
                            GetErrorDetails(status));
  }
  return status;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::Run(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(ReadyCall call, MakeReady(request));
  EncodeOptions encode;
  encode.format = request.format;
  encode.csv_safe = request.csv_safe;
  encode.int64_as_string = request.int64_as_string;
  encode.redactor = call.redact ? &redactor_ : nullptr;
  encode.max_bytes = options_.max_result_bytes;
  RowEncoder encoder(call.planned.query->schema(), encode);
  QueryAnswer answer;
  LOGQUERY_RETURN_IF_ERROR(Execute(call, request, encoder, answer));
  answer.body = std::move(encoder).Finish();
  return answer;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::Run(const QueryRequest& request, BatchSink& sink) {
  LOGQUERY_ASSIGN_OR_RETURN(ReadyCall call, MakeReady(request));
  QueryAnswer answer;
  if (!call.redact) {
    LOGQUERY_RETURN_IF_ERROR(Execute(call, request, sink, answer));
    return answer;
  }
  result::RedactingSink redacting(&redactor_, &sink);
  LOGQUERY_RETURN_IF_ERROR(Execute(call, request, redacting, answer));
  return answer;
}

absl::StatusOr<std::shared_ptr<const PreparedQuery>> QueryServiceImpl::Prepare(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(ReadyCall call, MakeReady(request));
  return call.planned.query;
}

absl::StatusOr<Principal> QueryServiceImpl::Authenticate(std::string_view token) {
  if (options_.authenticator == nullptr) return Principal{};
  return options_.authenticator->Authenticate(token);
}

absl::Status QueryServiceImpl::Reload() {
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, options_.backend->ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const EndpointRegistry> registry,
                            EndpointRegistry::Create(options_.endpoints, std::move(catalog)));
  auto fresh = std::make_shared<Snapshot>(std::move(registry));
  absl::MutexLock lock(&mutex_);
  snapshot_ = std::move(fresh);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<QueryService>> QueryService::Create(QueryServiceOptions options) {
  if (options.backend == nullptr) return absl::InvalidArgumentError("a QueryService needs a backend");
  auto service = std::make_unique<QueryServiceImpl>(std::move(options));
  LOGQUERY_RETURN_IF_ERROR(service->Reload());
  return std::unique_ptr<QueryService>(std::move(service));
}

}  // namespace logquery
