#include "lib/engines/duckdb/backend/connection_state.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/engines/duckdb/backend/connection_pool.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/functions/function.h"

namespace logquery::duckdb {
namespace {

struct Opened {
  Database database = OpenOne();
  ConnectionPool pool{&database, 4};

  static Database OpenOne() {
    absl::StatusOr<Database> opened = Database::Open({});
    REQUIRE(opened.ok());
    const absl::StatusOr<ConnectionHandle> connection = opened->Connect();
    REQUIRE(connection.ok());
    REQUIRE(RegisterFunctions(connection->get(), &opened->connection_states()).ok());
    return *std::move(opened);
  }
  std::shared_ptr<Connection> Connect() {
    absl::StatusOr<ConnectionPool::Lease> lease = pool.Acquire();
    REQUIRE(lease.ok());
    return lease->connection();
  }
};

// The error that ends the statement's rows; empty: they end with the last one.
std::string ErrorOf(Connection& connection, const std::string& sql) {
  const absl::StatusOr<duckdb_prepared_statement> statement = connection.Prepare(sql, DataVersion::Stamp{});
  REQUIRE(statement.ok());
  Result result;
  duckdb_execute_prepared(*statement, result.out());
  return std::string(result.error());
}

constexpr char kSql[] = "SELECT count(*) FROM range(5000) AS t(n) WHERE lq_like('row ' || n, '%r_w%')";
constexpr char kSafeSql[] =
    "SELECT count(*) FROM range(5000) AS t(n) WHERE lq_or_null_like('row ' || n, '%r_w%') IS NULL";

// DuckDB forgets an interrupt that comes before a statement begins, so what ends these is our functions' own look.
TEST_CASE("our functions end with the query that they work for") {
  Opened opened;
  const std::shared_ptr<Connection> connection = opened.Connect();
  const uint64_t generation = connection->Begin();
  CHECK(ErrorOf(*connection, kSql).empty());
  connection->Stop(generation, StopReason::kDeadline);
  CHECK(ErrorOf(*connection, kSql).find("the query was stopped") != std::string::npos);
  // The form that gives NULL in place of an error ends, too.
  CHECK(ErrorOf(*connection, kSafeSql).find("the query was stopped") != std::string::npos);
  connection->End();
}

TEST_CASE("a connection's next query starts with a clear stop flag, and other connections are unaffected") {
  Opened opened;
  const std::shared_ptr<Connection> connection = opened.Connect();
  const std::shared_ptr<Connection> other = opened.Connect();
  const uint64_t generation = connection->Begin();
  connection->Stop(generation, StopReason::kCancelled);
  CHECK(ErrorOf(*other, kSql).empty());
  connection->End();
  connection->Begin();
  CHECK(ErrorOf(*connection, kSql).empty());
}

TEST_CASE("a connection that runs no caller's query has no flag, and its functions run to their end") {
  Opened opened;
  const absl::StatusOr<ConnectionHandle> plain = opened.database.Connect();
  REQUIRE(plain.ok());
  Result result;
  CHECK(duckdb_query(plain->get(), kSql, result.out()) == DuckDBSuccess);
}

}  // namespace
}  // namespace logquery::duckdb
