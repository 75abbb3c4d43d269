// Helpers that the tests of the DuckDB backend share.
#ifndef LOGQUERY_TESTS_BACKEND_DUCKDB_TEST_UTIL_H_
#define LOGQUERY_TESTS_BACKEND_DUCKDB_TEST_UTIL_H_

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logquery/store/duckdb_backend.h"

namespace logquery::duckdb {

using Rows = std::vector<std::vector<Value>>;

inline std::unique_ptr<DuckDbBackend> OpenInMemory(DuckDbOptions options = {}) {
  auto backend = OpenDuckDb(options);
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  return *std::move(backend);
}

// A query in DuckDB's own dialect.
inline PreparedQuery Duck(std::string sql, Schema schema, std::vector<Slot> slots = {}) {
  PreparedQuery::Parts parts;
  parts.dialect_text = std::move(sql);
  parts.schema = std::move(schema);
  parts.slots = std::move(slots);
  return PreparedQuery(std::move(parts));
}

inline absl::Status Execute(QueryBackend& backend, const PreparedQuery& query, BatchSink& sink,
                            const Bindings& bindings = {}) {
  return backend.Execute(query, bindings, {}, {}, sink);
}

// All rows of a query that works.
inline Rows Select(QueryBackend& backend, const PreparedQuery& query, const Bindings& bindings = {}) {
  CollectingSink sink;
  const absl::Status status = Execute(backend, query, sink, bindings);
  INFO(query.dialect_text() << ": " << status.ToString());
  REQUIRE(status.ok());
  return sink.rows();
}

// The one value of a query of one column and one row.
inline Value SelectValue(QueryBackend& backend, const std::string& sql, Type type, const Bindings& bindings = {}) {
  std::vector<Slot> slots;
  for (const Value& value : bindings) slots.push_back({"p", value.type()});
  const Rows rows = Select(backend, Duck(sql, {{"x", std::move(type)}}, slots), bindings);
  REQUIRE(rows.size() == 1);
  return rows[0][0];
}

}  // namespace logquery::duckdb

#endif  // LOGQUERY_TESTS_BACKEND_DUCKDB_TEST_UTIL_H_
