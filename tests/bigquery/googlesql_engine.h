// The rows that BigQuery would give: GoogleSQL over a backend's tables by our own front end and DuckDB, in the form of its REST
// interface.
#ifndef LOGQUERY_TESTS_BIGQUERY_GOOGLESQL_ENGINE_H_
#define LOGQUERY_TESTS_BIGQUERY_GOOGLESQL_ENGINE_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "logquery/cancellation.h"
#include "logquery/query_backend.h"

namespace logquery::testing {

struct RestRows {
  nlohmann::ordered_json schema;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
};

class GoogleSqlEngine {
 public:
  // `tables`: BigQuery's path, "project.dataset.table", → the backend's table. Borrows the backend.
  GoogleSqlEngine(QueryBackend* backend, std::map<std::string, std::string> tables)
      : backend_(backend), tables_(std::move(tables)) {}

  // InvalidArgument: the text is no GoogleSQL over these tables. ResourceExhausted: more than a million rows. Otherwise Execute's.
  absl::StatusOr<RestRows> Run(const std::string& sql, const nlohmann::ordered_json& parameters, bool dry_run,
                               const CancellationToken& cancellation) const;
  // A table's TableSchema; NotFound.
  absl::StatusOr<nlohmann::ordered_json> SchemaOf(const std::string& path) const;

 private:
  QueryBackend* const backend_;
  const std::map<std::string, std::string> tables_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_BIGQUERY_GOOGLESQL_ENGINE_H_
