#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "tests/contract/contract_runner.h"

namespace logquery::testing {
namespace {

TEST_CASE("the fake backend keeps the contract") { RunContract(FakeContractHarness); }

TEST_CASE("the contract's names are its own") {
  base::StringSet names;
  for (const ContractCheck& check : BackendContract()) CHECK(names.insert(check.name).second);
  for (const ContractQuery& query : ContractQueries()) CHECK(names.insert(query.name).second);
}

// A backend that does all but one thing right: Execute is what a test makes of it.
class Broken : public QueryBackend {
 public:
  using Run = std::function<absl::Status(QueryBackend& right, const PreparedQuery& query, const Bindings& bindings,
                                         ExecutionLimits limits, CancellationToken cancellation, BatchSink& sink)>;
  Broken(std::unique_ptr<QueryBackend> right, Run run) : right_(std::move(right)), run_(std::move(run)) {}

  Capabilities capabilities() const override { return right_->capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return right_->ReadCatalog(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    return run_(*right_, query, bindings, limits, cancellation, sink);
  }

 private:
  std::unique_ptr<QueryBackend> right_;
  Run run_;
};

class BrokenHarness : public ContractHarness {
 public:
  explicit BrokenHarness(Broken::Run run) : run_(std::move(run)) {}
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    return std::make_unique<Broken>(*fake_->Open(), run_);
  }
  absl::StatusOr<Prepared> Prepare(QueryBackend& backend, const ContractQuery& query) override {
    return fake_->Prepare(backend, query);
  }
  bool EvaluatesFunctions() const override { return fake_->EvaluatesFunctions(); }

 private:
  std::unique_ptr<ContractHarness> fake_ = FakeContractHarness();
  Broken::Run run_;
};

// Hands on what `change` makes of each batch's status or rows.
class ChangingSink : public BatchSink {
 public:
  ChangingSink(BatchSink* next, std::function<absl::Status(const Batch&, BatchSink&)> change)
      : next_(next), change_(std::move(change)) {}
  absl::Status Append(const Batch& batch) override { return change_(batch, *next_); }

 private:
  BatchSink* next_;
  std::function<absl::Status(const Batch&, BatchSink&)> change_;
};

// Returns whether a backend that runs queries this way keeps the contract.
bool Keeps(const Broken::Run& run) {
  for (const ContractCheck& check : BackendContract()) {
    BrokenHarness harness(run);
    if (!check.run(harness).ok()) return false;
  }
  return true;
}

TEST_CASE("a backend that breaks one promise fails") {
  using Limits = ExecutionLimits;
  using Token = CancellationToken;
  SECTION("it ignores the row cap") {
    CHECK_FALSE(Keeps(
        [](QueryBackend& right, const auto& query, const auto& bindings, Limits limits, Token token, BatchSink& sink) {
          limits.max_rows = INT64_MAX;
          return right.Execute(query, bindings, limits, token, sink);
        }));
  }
  SECTION("it takes no notice of its sink") {
    CHECK_FALSE(Keeps(
        [](QueryBackend& right, const auto& query, const auto& bindings, Limits limits, Token token, BatchSink& sink) {
          ChangingSink deaf(&sink, [](const Batch& batch, BatchSink& next) {
            next.Append(batch).IgnoreError();
            return absl::OkStatus();
          });
          return right.Execute(query, bindings, limits, token, deaf);
        }));
  }
  SECTION("it says in its own words what the sink said") {
    CHECK_FALSE(Keeps(
        [](QueryBackend& right, const auto& query, const auto& bindings, Limits limits, Token token, BatchSink& sink) {
          ChangingSink translating(&sink, [](const Batch& batch, BatchSink& next) {
            return next.Append(batch).ok() ? absl::OkStatus() : absl::InternalError("the sink failed");
          });
          return right.Execute(query, bindings, limits, token, translating);
        }));
  }
  SECTION("it calls errors of rows internal") {
    CHECK_FALSE(Keeps(
        [](QueryBackend& right, const auto& query, const auto& bindings, Limits limits, Token token, BatchSink& sink) {
          const absl::Status status = right.Execute(query, bindings, limits, token, sink);
          return absl::IsInvalidArgument(status) ? absl::InternalError("?") : status;
        }));
  }
  SECTION("it calls every stop a deadline") {
    CHECK_FALSE(Keeps(
        [](QueryBackend& right, const auto& query, const auto& bindings, Limits limits, Token token, BatchSink& sink) {
          const absl::Status status = right.Execute(query, bindings, limits, token, sink);
          return absl::IsCancelled(status) ? absl::DeadlineExceededError("?") : status;
        }));
  }
  SECTION("it loses the last batch") {
    CHECK_FALSE(Keeps(
        [](QueryBackend& right, const auto& query, const auto& bindings, Limits limits, Token token, BatchSink& sink) {
          ChangingSink short_of(&sink, [](const Batch& batch, BatchSink& next) {
            return batch.rows() == 2'048 ? next.Append(batch) : absl::OkStatus();
          });
          return right.Execute(query, bindings, limits, token, short_of);
        }));
  }
  SECTION("it gives records as arrays") {
    CHECK_FALSE(Keeps(
        [](QueryBackend& right, const auto& query, const auto& bindings, Limits limits, Token token, BatchSink& sink) {
          PreparedQuery::Parts parts;
          parts.googlesql = query.googlesql();
          parts.schema = query.schema();
          for (Field& column : parts.schema) {
            if (column.type.is_record()) column.type = Type::Array(column.type.element());
          }
          return right.Execute(PreparedQuery(parts), bindings, limits, token, sink);
        }));
  }
}

}  // namespace
}  // namespace logquery::testing
