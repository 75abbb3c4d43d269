// A harness whose backend knows the contract's answers: it shows that the checks pass where they should.
#include "logquery/testing/backend_contract.h"
#include "logquery/testing/fake_backend.h"

namespace logquery::testing {
namespace {

const ContractQuery* FindBySql(const std::string& sql, const Bindings& bindings) {
  for (const ContractQuery& query : ContractQueries()) {
    if (query.sql != sql || query.parameters.size() != bindings.size()) continue;
    bool same = true;
    for (size_t i = 0; i < bindings.size(); ++i) same = same && query.parameters[i].second == bindings[i];
    if (same) return &query;
  }
  return nullptr;
}

absl::StatusOr<FakeBackend::Rows> AnswerOf(const PreparedQuery& prepared, const Bindings& bindings) {
  const ContractQuery* query = FindBySql(prepared.googlesql(), bindings);
  if (query == nullptr) return absl::InternalError("a query that is not of the contract");
  if (query->code != absl::StatusCode::kOk) return absl::Status(query->code, query->name);
  return query->rows;
}

// Sends endless queries to a backend that blocks, all others to one that answers.
class FakeContractBackend : public QueryBackend {
 public:
  explicit FakeContractBackend(const Catalog& catalog) : answering_(catalog), blocking_(catalog) {
    answering_.AnswerBy(AnswerOf);
    blocking_.AnswerBy(AnswerOf);
    blocking_.Block();
  }

  Capabilities capabilities() const override { return answering_.capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return answering_.ReadCatalog(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    const ContractQuery* known = FindBySql(query.googlesql(), bindings);
    FakeBackend& backend = known != nullptr && known->endless ? blocking_ : answering_;
    return backend.Execute(query, bindings, limits, cancellation, sink);
  }

 private:
  FakeBackend answering_;
  FakeBackend blocking_;
};

class Harness : public ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    std::vector<Table> tables;
    for (const ContractTable& table : ContractTables()) tables.push_back(table.table);
    return std::make_unique<FakeContractBackend>(Catalog(std::move(tables), 1));
  }

  bool EvaluatesFunctions() const override { return false; }

  absl::StatusOr<Prepared> Prepare(QueryBackend&, const ContractQuery& query) override {
    PreparedQuery::Parts parts;
    parts.googlesql = query.sql;
    parts.schema = query.schema;
    Prepared prepared;
    for (const auto& [name, value] : query.parameters) {
      parts.slots.push_back({name, value.type()});
      prepared.bindings.push_back(value);
    }
    prepared.query = std::make_shared<const PreparedQuery>(std::move(parts));
    return prepared;
  }
};

}  // namespace

std::unique_ptr<ContractHarness> FakeContractHarness() { return std::make_unique<Harness>(); }

}  // namespace logquery::testing
