// The checks of the backend contract, and the report of a whole run of them.
#include "logquery/testing/backend_contract.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/testing/function_cases.h"
#include "logquery/clock.h"

namespace logquery::testing {
namespace {

using Rows = std::vector<std::vector<Value>>;

// Longer than any stopped query may go on, on a slow machine under sanitizers.
constexpr absl::Duration kPatience = absl::Seconds(30);

template <typename... Parts>
absl::Status Wrong(const Parts&... parts) {
  return absl::FailedPreconditionError(base::StrCat(parts...));
}

const ContractQuery& Named(std::string_view name) {
  for (const ContractQuery& query : ContractQueries()) {
    if (query.name == name) return query;
  }
  return ContractQueries().front();
}

const ContractQuery& ManyRows() { return Named("many rows in order"); }
const ContractQuery& Endless() { return Named("endless"); }

// Keeps the rows, checks the columns, and does what a check tells it after each batch.
class CheckingSink : public BatchSink {
 public:
  explicit CheckingSink(const Schema& schema) : schema_(schema) {}

  absl::Status Append(const Batch& batch) override {
    ++calls_;
    if (batch.column_count() != schema_.size()) {
      return Wrong("a batch has ", base::Counted(batch.column_count(), "column"), ", not ", schema_.size());
    }
    for (size_t i = 0; i < schema_.size(); ++i) {
      if (Type::SameLayout(batch.column(i).type(), schema_[i].type)) continue;
      return Wrong("a batch has ", batch.column(i).type().ToString(), " in column ", schema_[i].name,
                   ", the query's schema ", schema_[i].type.ToString());
    }
    LOGQUERY_RETURN_IF_ERROR(rows_.Append(batch));
    return after_batch == nullptr ? absl::OkStatus() : after_batch();
  }

  const Rows& rows() const { return rows_.rows(); }
  int calls() const { return calls_; }

  std::function<absl::Status()> after_batch;

 private:
  const Schema& schema_;
  CollectingSink rows_;
  std::atomic<int> calls_ = 0;
};

// A backend that is open, and a query prepared for it.
struct Opened {
  std::unique_ptr<QueryBackend> backend;
  ContractHarness::Prepared prepared;

  absl::Status Execute(const ExecutionLimits& limits, const CancellationToken& cancellation, BatchSink& sink) const {
    return backend->Execute(*prepared.query, prepared.bindings, limits, cancellation, sink);
  }
  absl::Status Execute(BatchSink& sink) const { return Execute({}, {}, sink); }
  const Schema& schema() const { return prepared.query->schema(); }
};

absl::StatusOr<Opened> Open(ContractHarness& harness, const ContractQuery& query) {
  Opened opened;
  LOGQUERY_ASSIGN_OR_RETURN(opened.backend, harness.Open());
  LOGQUERY_ASSIGN_OR_RETURN(opened.prepared, harness.Prepare(*opened.backend, query));
  return opened;
}

std::string RowText(const std::vector<Value>& row) {
  std::string text;
  for (const Value& value : row) base::StrAppend(&text, text.empty() ? "" : ", ", value.DebugString());
  return base::StrCat("(", text, ")");
}

// Whether `rows` are the first ones of the query's answer, `count` of them.
absl::Status CompareRows(const ContractQuery& query, const Rows& rows, size_t count) {
  if (rows.size() != count) return Wrong(query.name, ": gave ", base::Counted(rows.size(), "row"), ", not ", count);
  for (size_t i = 0; i < count; ++i) {
    if (rows[i] == query.rows[i]) continue;
    return Wrong(query.name, ": row ", i, " is ", RowText(rows[i]), ", not ", RowText(query.rows[i]));
  }
  return absl::OkStatus();
}

absl::Status ExpectCode(std::string_view what, const absl::Status& status, absl::StatusCode code) {
  if (status.code() == code) return absl::OkStatus();
  return Wrong(what, ": returned ", status.ToString(), ", not ", absl::StatusCodeToString(code));
}

// Runs the query and compares its answer.
absl::Status ExpectAnswer(QueryBackend& backend, const ContractHarness::Prepared& prepared,
                          const ContractQuery& query) {
  if (prepared.query->schema().size() != query.schema.size())
    return Wrong(query.name, ": was prepared to other columns");
  for (size_t i = 0; i < query.schema.size(); ++i) {
    const Field& column = prepared.query->schema()[i];
    if (column.name == query.schema[i].name && column.type == query.schema[i].type) continue;
    return Wrong(query.name, ": column ", i, " is ", column.name, " ", column.type.ToString(), ", not ",
                 query.schema[i].name, " ", query.schema[i].type.ToString());
  }
  CheckingSink sink(prepared.query->schema());
  const absl::Status status = backend.Execute(*prepared.query, prepared.bindings, {}, {}, sink);
  LOGQUERY_RETURN_IF_ERROR(ExpectCode(query.name, status, query.code));
  return query.code == absl::StatusCode::kOk ? CompareRows(query, sink.rows(), query.rows.size()) : absl::OkStatus();
}

absl::Status CheckCatalog(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto backend, harness.Open());
  if (backend->capabilities().engine.empty()) return Wrong("capabilities() names no engine");
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend->ReadCatalog());
  for (const ContractTable& expected : ContractTables()) {
    const Table* table = catalog.Find(expected.table.name);
    if (table == nullptr) return Wrong("the catalog has no table ", expected.table.name);
    if (!Type::SameLayout(Type::Struct(table->columns), Type::Struct(expected.table.columns))) {
      return Wrong(expected.table.name, " has columns ", Type::Struct(table->columns).ToString(), ", not ",
                   Type::Struct(expected.table.columns).ToString());
    }
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog again, backend->ReadCatalog());
  if (again.revision() != catalog.revision()) return Wrong("the catalog's revision changed, its tables did not");
  return absl::OkStatus();
}

absl::Status CheckAnswers(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const auto backend, harness.Open());
  for (const ContractQuery& query : ContractQueries()) {
    if (query.endless || !harness.Supports(query)) continue;
    const auto prepared = harness.Prepare(*backend, query);
    if (!prepared.ok()) return Wrong(query.name, ": was not prepared: ", prepared.status().ToString());
    LOGQUERY_RETURN_IF_ERROR(ExpectAnswer(*backend, *prepared, query));
  }
  return absl::OkStatus();
}

absl::Status CheckRowCap(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const Opened opened, Open(harness, ManyRows()));
  const size_t all = ManyRows().rows.size();
  for (const size_t cap : {size_t{0}, size_t{1}, size_t{7}, size_t{2'048}, size_t{2'049}, all, all + 1}) {
    ExecutionLimits limits;
    limits.max_rows = static_cast<int64_t>(cap);
    CheckingSink sink(opened.schema());
    LOGQUERY_RETURN_IF_ERROR(opened.Execute(limits, {}, sink));
    LOGQUERY_RETURN_IF_ERROR(CompareRows(ManyRows(), sink.rows(), std::min(cap, all)));
  }
  return absl::OkStatus();
}

// Runs the endless query; it has to end with `code` before patience does, and the backend has to be as good as new.
absl::Status ExpectStop(const Opened& opened, ContractHarness& harness, const ExecutionLimits& limits,
                        const CancellationToken& cancellation, absl::StatusCode code) {
  CheckingSink sink(opened.schema());
  const absl::Duration begin = Clock::Real()->Monotonic();
  const absl::Status status = opened.Execute(limits, cancellation, sink);
  LOGQUERY_RETURN_IF_ERROR(ExpectCode("a query that was stopped", status, code));
  if (Clock::Real()->Monotonic() - begin > kPatience) return Wrong("a query that was stopped went on");
  const int calls = sink.calls();
  LOGQUERY_ASSIGN_OR_RETURN(const auto next, harness.Prepare(*opened.backend, ManyRows()));
  LOGQUERY_RETURN_IF_ERROR(ExpectAnswer(*opened.backend, next, ManyRows()));
  return sink.calls() == calls ? absl::OkStatus() : Wrong("the sink of a query that has returned was called");
}

absl::Status CheckDeadline(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const Opened opened, Open(harness, Endless()));
  for (const absl::Duration limit : {absl::ZeroDuration(), absl::Milliseconds(1), absl::Milliseconds(200)}) {
    ExecutionLimits limits;
    limits.time_limit = limit;
    LOGQUERY_RETURN_IF_ERROR(ExpectStop(opened, harness, limits, {}, absl::StatusCode::kDeadlineExceeded));
  }
  return absl::OkStatus();
}

absl::Status CheckLateDeadline(ContractHarness& harness) {
  // The deadline of a query that has ended must not hit the ones after it on the same connection.
  LOGQUERY_ASSIGN_OR_RETURN(const Opened opened, Open(harness, ManyRows()));
  for (int round = 0; round < 10; ++round) {
    ExecutionLimits limits;
    limits.time_limit = absl::Milliseconds(5 * round);
    CheckingSink hurried(opened.schema());
    const absl::Status status = opened.Execute(limits, {}, hurried);
    if (!status.ok()) LOGQUERY_RETURN_IF_ERROR(ExpectCode("a limit", status, absl::StatusCode::kDeadlineExceeded));
    CheckingSink sink(opened.schema());
    LOGQUERY_RETURN_IF_ERROR(opened.Execute(sink));
    LOGQUERY_RETURN_IF_ERROR(CompareRows(ManyRows(), sink.rows(), ManyRows().rows.size()));
  }
  return absl::OkStatus();
}

absl::Status CheckCancelledBefore(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const Opened opened, Open(harness, Endless()));
  CancellationSource source;
  source.Cancel();
  return ExpectStop(opened, harness, {}, source.token(), absl::StatusCode::kCancelled);
}

absl::Status CheckCancelledMeanwhile(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const Opened opened, Open(harness, Endless()));
  // The rounds come without a pause: the call is cancelled now before the execution begins, now in the middle of it.
  for (int round = 0; round < 5; ++round) {
    CancellationSource source;
    std::thread canceller([&source, round] {
      const absl::Duration end = Clock::Real()->Monotonic() + absl::Milliseconds(20 * round);
      while (Clock::Real()->Monotonic() < end) std::this_thread::yield();
      source.Cancel();
    });
    const absl::Status status = ExpectStop(opened, harness, {}, source.token(), absl::StatusCode::kCancelled);
    canceller.join();
    LOGQUERY_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

absl::Status CheckCancelledBySink(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const Opened opened, Open(harness, ManyRows()));
  CancellationSource source;
  CheckingSink sink(opened.schema());
  sink.after_batch = [&source] {
    source.Cancel();
    return absl::OkStatus();
  };
  LOGQUERY_RETURN_IF_ERROR(ExpectCode("a query that its sink cancelled", opened.Execute({}, source.token(), sink),
                                      absl::StatusCode::kCancelled));
  return sink.calls() == 1 ? absl::OkStatus() : Wrong("the sink was called after it had cancelled the query");
}

absl::Status CheckFailingSink(ContractHarness& harness) {
  LOGQUERY_ASSIGN_OR_RETURN(const Opened opened, Open(harness, ManyRows()));
  CheckingSink failing(opened.schema());
  const absl::Status failure = absl::DataLossError("the sink is full");
  failing.after_batch = [&failure] { return failure; };
  const absl::Status status = opened.Execute(failing);
  if (status != failure) return Wrong("the sink's status came back as ", status.ToString());
  if (failing.calls() != 1) return Wrong("the sink was called again after it had failed");
  CheckingSink next(opened.schema());
  LOGQUERY_RETURN_IF_ERROR(opened.Execute(next));
  return CompareRows(ManyRows(), next.rows(), ManyRows().rows.size());
}

absl::Status CheckErrors(ContractHarness& harness) {
  // Each error leaves a backend that answers.
  LOGQUERY_ASSIGN_OR_RETURN(const auto backend, harness.Open());
  LOGQUERY_ASSIGN_OR_RETURN(const auto good, harness.Prepare(*backend, ManyRows()));
  for (const ContractQuery& query : ContractQueries()) {
    if (query.code == absl::StatusCode::kOk || !harness.Supports(query)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(const auto prepared, harness.Prepare(*backend, query));
    LOGQUERY_RETURN_IF_ERROR(ExpectAnswer(*backend, prepared, query));
    LOGQUERY_RETURN_IF_ERROR(ExpectAnswer(*backend, good, ManyRows()));
  }
  return absl::OkStatus();
}

absl::Status CheckConcurrency(ContractHarness& harness) {
  constexpr int kThreads = 4;
  LOGQUERY_ASSIGN_OR_RETURN(const auto backend, harness.Open());
  std::vector<std::pair<const ContractQuery*, ContractHarness::Prepared>> work;
  for (const ContractQuery& query : ContractQueries()) {
    if (query.endless || !harness.Supports(query)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(auto prepared, harness.Prepare(*backend, query));
    work.emplace_back(&query, std::move(prepared));
  }
  std::vector<absl::Status> results(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      // Each thread begins elsewhere, so that all run different queries at one time.
      for (size_t i = 0; i < work.size() && results[t].ok(); ++i) {
        const auto& [query, prepared] = work[(i + t * work.size() / kThreads) % work.size()];
        results[t] = ExpectAnswer(*backend, prepared, *query);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& result : results) LOGQUERY_RETURN_IF_ERROR(result);
  return absl::OkStatus();
}

constexpr char kFunctions[] = "functions give what their cases say";

absl::Status CheckFunctions(ContractHarness& harness, std::vector<std::string>& left_out) {
  if (harness.EvaluatesFunctions()) return CheckFunctionCases(harness, left_out);
  left_out.emplace_back(kFunctions);
  return absl::OkStatus();
}

}  // namespace

const std::vector<ContractCheck>& BackendContract() {
  static const auto* const checks = new std::vector<ContractCheck>{
      {"the catalog has the tables, and keeps its revision", CheckCatalog},
      {"every query has its answer: types, NULLs, records, order, parameters, none and many rows", CheckAnswers},
      {"no more rows than the cap", CheckRowCap},
      {"a query whose time is up stops", CheckDeadline},
      {"a deadline does not hit the queries after", CheckLateDeadline},
      {"a query that was cancelled before it began does not run", CheckCancelledBefore},
      {"a query that is cancelled from another thread stops", CheckCancelledMeanwhile},
      {"a query that is cancelled by its sink stops", CheckCancelledBySink},
      {"the sink's status comes back", CheckFailingSink},
      {"an error that rows show is InvalidArgument, and the next query runs", CheckErrors},
      {"many threads get their own answers", CheckConcurrency},
      {kFunctions,
       [](ContractHarness& harness) {
         std::vector<std::string> left_out;
         return CheckFunctions(harness, left_out);
       }},
  };
  return *checks;
}

absl::StatusOr<ContractHarness::Prepared> ContractHarness::Prepare(QueryBackend& backend, const ContractQuery& query) {
  return PrepareQuery(backend, {.sql = query.sql, .parameters = query.parameters, .max_rows = 10'000'000});
}

ContractReport CheckContract(const std::function<std::unique_ptr<ContractHarness>()>& make_harness) {
  ContractReport report;
  for (const ContractCheck& check : BackendContract()) {
    const std::unique_ptr<ContractHarness> harness = make_harness();
    const bool is_of_functions = check.name == kFunctions;
    absl::Status status = is_of_functions ? CheckFunctions(*harness, report.left_out) : check.run(*harness);
    if (status.ok()) {
      report.passed.push_back(check.name);
    } else {
      report.failed.emplace_back(check.name, std::move(status));
    }
  }
  const std::unique_ptr<ContractHarness> harness = make_harness();
  for (const ContractQuery& query : ContractQueries()) {
    if (!harness->Supports(query)) report.left_out.push_back(query.name);
  }
  return report;
}

std::string ContractReport::Text() const {
  std::string text;
  for (const std::string& name : passed) text += base::StrCat("passed: ", name, "\n");
  for (const std::string& name : left_out) text += base::StrCat("left out: ", name, "\n");
  for (const auto& [name, status] : failed) text += base::StrCat("FAILED: ", name, ": ", base::Message(status), "\n");
  return base::StrCat(text, passed.size(), " passed, ", failed.size(), " failed, ", left_out.size(), " left out");
}

}  // namespace logquery::testing
