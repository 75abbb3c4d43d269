// The list of all dialects. A new dialect is one line here and one folder.
#include "lib/emit/dialects.h"

#include "lib/engines/bigquery/dialect/load_script.h"
#include "lib/engines/bigquery/dialect/schema_script.h"
#include "lib/engines/clickhouse/dialect/load_script.h"
#include "lib/engines/clickhouse/dialect/schema_script.h"
#include "lib/engines/postgres/dialect/load_script.h"
#include "lib/engines/postgres/dialect/schema_script.h"

namespace logquery::emit {
namespace {

struct Entry {
  Dialect dialect;
  const SqlDialect* sql;
  std::vector<rewrite::Pass> passes;
};

const std::vector<Entry>& Entries() {
  static const auto& entries = *new std::vector<Entry>{
      {Dialect::kDuckDb, &DuckDbSql(), PassesOf(DuckDbSql())},
      {Dialect::kGoogleSql, &GoogleSql(), PassesOf(GoogleSql())},
      {Dialect::kBigQuery, &BigQuerySql(), PassesOf(BigQuerySql())},
  };
  return entries;
}

const Entry* Find(Dialect dialect) {
  for (const Entry& entry : Entries()) {
    if (entry.dialect == dialect) return &entry;
  }
  return nullptr;
}

}  // namespace

const SqlDialect* SqlOf(Dialect dialect) {
  const Entry* const entry = Find(dialect);
  return entry == nullptr ? nullptr : entry->sql;
}

std::vector<rewrite::Pass> PassesOf(const SqlDialect& dialect) {
  std::vector<rewrite::Pass> passes = rewrite::SharedPasses();
  for (const rewrite::Pass& pass : dialect.Passes()) passes.push_back(pass);
  return passes;
}

const std::vector<rewrite::Pass>& PassesOf(Dialect dialect) {
  const Entry* const entry = Find(dialect);
  return entry == nullptr ? rewrite::SharedPasses() : entry->passes;
}

const std::vector<SchemaWriter>& SchemaWriters() {
  static const auto& writers = *new std::vector<SchemaWriter>{
      {"bigquery", &BigQuerySchema}, {"clickhouse", &ClickHouseSchema}, {"postgres", &PostgresSchema}};
  return writers;
}

const std::vector<LoadWriter>& LoadWriters() {
  static const auto& writers = *new std::vector<LoadWriter>{
      {"bigquery", &BigQueryLoad}, {"clickhouse", &ClickHouseLoad}, {"postgres", &PostgresLoad}};
  return writers;
}

}  // namespace logquery::emit
