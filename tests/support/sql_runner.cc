#include "tests/support/sql_runner.h"

#include <catch2/catch_all.hpp>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "lib/store/create_table.h"

namespace logquery::testing {
namespace {

absl::StatusOr<Value> ValueFor(const Slot& slot, const rewrite::QueryPlan& plan,
                               const rewrite::ParameterValues& values) {
  if (const auto found = values.find(slot.name); found != values.end()) return found->second;
  for (const rewrite::DerivedParameter& derived : plan.derived) {
    if (derived.name == slot.name) return rewrite::Evaluate(*derived.value, values, {});
  }
  return absl::NotFoundError(base::StrCat("no value for ", slot.name));
}

}  // namespace

SqlRunner::SqlRunner() {
  absl::StatusOr<std::unique_ptr<DuckDbBackend>> backend = OpenDuckDb({.threads = 2});
  REQUIRE(backend.ok());
  backend_ = *std::move(backend);
}

void SqlRunner::AddTable(const std::string& name, const Schema& columns, const std::vector<std::vector<Value>>& rows) {
  const absl::Status made = store::CreateTable(*backend_, name, columns, rows);
  INFO(made);
  REQUIRE(made.ok());
  absl::StatusOr<Catalog> catalog = backend_->ReadCatalog();
  REQUIRE(catalog.ok());
  catalog_ = *std::move(catalog);
}

absl::StatusOr<rewrite::QueryPlan> SqlRunner::Plan(const std::string& sql, const Parameters& parameters,
                                                   Dialect dialect) {
  LOGQUERY_ASSIGN_OR_RETURN(sql::QueryPtr query, sql::ParseQuery(sql, {}));
  rewrite::ResolveOptions options;
  options.catalog = &catalog_;
  options.check_output = false;
  for (const auto& [name, value] : parameters) options.parameters.push_back({name, value.type()});
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, rewrite::Resolve(*query, sql, options));
  rewrite::PassContext context;
  for (const rewrite::Pass& pass : emit::PassesOf(dialect)) {
    if (without_passes_ && !pass.always) context.without.emplace_back(pass.name);
  }
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(dialect), context, plan));
  return plan;
}

absl::StatusOr<std::string> SqlRunner::BigQueryText(const std::string& sql, const Parameters& parameters) {
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, Plan(sql, parameters, Dialect::kBigQuery));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery text, emit::Emit(plan, Dialect::kBigQuery));
  return std::move(text.text);
}

absl::StatusOr<SqlRun> SqlRunner::Run(const std::string& sql, const Parameters& parameters) {
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan plan, Plan(sql, parameters, Dialect::kDuckDb));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery duckdb, emit::Emit(plan, Dialect::kDuckDb));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery googlesql, emit::Emit(plan, Dialect::kGoogleSql));
  rewrite::ParameterValues values;
  for (const auto& [name, value] : parameters) values.emplace(name, value);
  values.emplace(rewrite::kNowParameter, Value::TimestampMicros(1'769'846'400'000'000));  // 2026-01-31 08:00:00
  Bindings bindings;
  for (const Slot& slot : duckdb.slots) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, ValueFor(slot, plan, values));
    bindings.push_back(std::move(value));
  }
  PreparedQuery::Parts parts;
  parts.googlesql = googlesql.text;
  parts.dialect_text = duckdb.text;
  parts.slots = duckdb.slots;
  parts.schema = plan.schema;
  CollectingSink sink;
  LOGQUERY_RETURN_IF_ERROR(
      backend_->Execute(PreparedQuery(std::move(parts)), bindings, {}, CancellationSource().token(), sink));
  return SqlRun{duckdb.text, googlesql.text, plan.schema, sink.rows(), BigQueryText(sql, parameters)};
}

std::string SqlRunner::Evaluate(const std::string& expression, const Parameters& parameters) {
  absl::StatusOr<SqlRun> run = Run(base::StrCat("SELECT ", expression), parameters);
  if (!run.ok()) return std::string(base::Message(run.status()));
  return run->rows.empty() ? "no row" : run->rows[0][0].DebugString();
}

std::string RowsText(const std::vector<std::vector<Value>>& rows) {
  std::string text;
  for (const std::vector<Value>& row : rows) {
    for (const Value& value : row) base::StrAppend(&text, &value == &row.front() ? "" : ", ", value.DebugString());
    text += '\n';
  }
  return text;
}

}  // namespace logquery::testing
