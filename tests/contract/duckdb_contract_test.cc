// DuckDB, DuckDB over a program's own rows, and over an engine elsewhere, against the backend contract.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "lib/store/create_table.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/contract/contract_runner.h"
#include "tests/contract/program_functions.h"
#include "tests/split/invented_engine.h"
#include "tests/support/value_source.h"

namespace logquery::testing {
namespace {

// Tables made from values in an engine in memory.
class DuckDbHarness : public ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb({}));
    for (const ContractTable& table : ContractTables()) {
      LOGQUERY_RETURN_IF_ERROR(store::CreateTable(*backend, table.table.name, table.table.columns, table.rows));
    }
    return backend;
  }
};

// The same tables as a program's rows, a few to a batch.
std::shared_ptr<TableSource> ContractSource() { return std::make_shared<ValueSource>(ContractTables(), 7); }

class SourceHarness : public ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override { return OpenOverSource(ContractSource(), {}); }
};

// Opens a backend over an engine that has scans, comparisons, COUNT and LIMIT.
class FragmentHarness : public ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    return duckdb::OpenOverFragments(std::make_shared<InventedEngine>(ContractSource()), {});
  }
};

// An engine with a function that means something else, and one that it does not have.
class WrongFunctionHarness : public DuckDbHarness {
 public:
  absl::StatusOr<Prepared> Prepare(QueryBackend& backend, const ContractQuery& query) override {
    ContractQuery changed = query;
    for (size_t at; (at = changed.sql.find("INITCAP(")) != std::string::npos;) changed.sql.replace(at, 8, "UPPER(");
    if (changed.sql.find("SOUNDEX(") != std::string::npos) return absl::UnimplementedError("SOUNDEX");
    return ContractHarness::Prepare(backend, changed);
  }
};

TEST_CASE("a function with another meaning is detected, and a missing one is reported") {
  const ContractReport report = CheckContract([] { return std::make_unique<WrongFunctionHarness>(); });
  REQUIRE(report.failed.size() == 1);
  CHECK(report.failed[0].first == "functions give what their cases say");
  const std::string message(report.failed[0].second.message());
  INFO(message);
  CHECK(message.find("INITCAP('") != std::string::npos);
  CHECK(message.find(" gave \"") != std::string::npos);
  CHECK(std::any_of(report.left_out.begin(), report.left_out.end(),
                    [](const std::string& call) { return call.starts_with("SOUNDEX("); }));
}

TEST_CASE("the contract has queries that call functions of the program") {
  REQUIRE(ProgramFunctionsStatus().ok());
  const auto count = std::count_if(ContractQueries().begin(), ContractQueries().end(), [](const ContractQuery& query) {
    return query.name.starts_with("a program's function: ");
  });
  CHECK(count > 30);
}

TEST_CASE("DuckDB keeps the contract") {
  RunContract([] { return std::make_unique<DuckDbHarness>(); });
}

TEST_CASE("DuckDB over a program's rows keeps the contract") {
  RunContract([] { return std::make_unique<SourceHarness>(); });
}

TEST_CASE("DuckDB over an engine elsewhere keeps the contract") {
  RunContract([] { return std::make_unique<FragmentHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
