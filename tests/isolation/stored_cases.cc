#include "tests/isolation/stored_cases.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "lib/store/create_table.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/emit/duckdb_function_cases.h"
#include "tests/isolation/isolation_test_util.h"
#include "tests/isolation/log_folder.h"
#include "tests/isolation/stored_rows.h"

namespace logquery::isolation {
namespace {

// More than a vector of the engine's, so that it has a dictionary worth evaluating a function on.
constexpr size_t kOwnRows = 3'000, kHiddenRows = 2'000;
constexpr char kCases[] = "cases";

// An empty folder of logs with a backend that tables of any columns can be made in.
DuckDbBackend& Backend() {
  static const auto folder = *LogFolder::MakeFlat({.own_rows = 1, .loads = 1});
  static auto backend = folder->TakeBackend();
  [[maybe_unused]] static const bool is_released = [] {
    testing::AtEnd([] { backend = nullptr; });
    return true;
  }();
  return *backend;
}

// Date parts and arguments that have names are always written out.
bool MayBeColumn(const emit::Picked& picked, size_t i) {
  const rewrite::Overload& overload = *picked.overload;
  if (i >= overload.parameters.size()) return true;
  const rewrite::ParameterPattern& parameter = overload.parameters[i];
  return parameter.name.empty() && parameter.type.kind != rewrite::TypePattern::Kind::kPart;
}

bool IsColumn(const emit::Picked& picked, size_t i, StoredArguments form) {
  if (form == StoredArguments::kAll || !MayBeColumn(picked, i)) return MayBeColumn(picked, i);
  for (size_t before = 0; before < i; ++before) {
    if (MayBeColumn(picked, before)) return false;
  }
  return true;
}

std::string ColumnName(size_t i) { return base::StrCat("c", i); }

// Hidden rows go through the hostile values of each column; in every second one the other columns hold the case's own values, so
// that the hostile one is what the function fails on.
std::vector<Value> HiddenRow(size_t number, const std::vector<Value>& args) {
  std::vector<Value> row = {Value::String(kNeighbourProject)};
  for (size_t i = 0; i < args.size(); ++i) {
    const std::vector<Value> hostile = HostileValues(args[i].type());
    const bool own = number % 2 == 0 && number / 2 % args.size() != i;
    row.push_back(own ? args[i] : hostile[number / (2 * args.size()) % hostile.size()]);
  }
  return row;
}

absl::Status StoreCase(const std::vector<Value>& args) {
  // The forms of one case follow each other over the same rows.
  static std::vector<Value> stored;
  if (stored == args) return absl::OkStatus();
  stored.clear();
  Schema columns = {{"project", Type::String()}};
  for (size_t i = 0; i < args.size(); ++i) columns.push_back({ColumnName(i), args[i].type()});
  std::vector<Value> own = {Value::String(kOwnProject)};
  own.insert(own.end(), args.begin(), args.end());
  std::vector<std::vector<Value>> rows;
  for (size_t i = 0; i < kOwnRows + kHiddenRows; ++i) {
    const size_t hidden = i * kHiddenRows / (kOwnRows + kHiddenRows);
    const bool is_hidden = (i + 1) * kHiddenRows / (kOwnRows + kHiddenRows) > hidden;
    rows.push_back(is_hidden ? HiddenRow(hidden, args) : own);
  }
  LOGQUERY_RETURN_IF_ERROR(store::CreateTable(Backend(), kCases, columns, rows));
  LOGQUERY_RETURN_IF_ERROR(Backend().store().Checkpoint());
  stored = args;
  return absl::OkStatus();
}

// The query's plan with the call of its columns, in order, in place of them.
rewrite::ScalarPtr CallOver(const rewrite::QueryPlan& plan, const emit::Picked& picked, const std::vector<Value>& args,
                            StoredArguments form) {
  std::vector<rewrite::ScalarPtr> scalars;
  for (size_t i = 0; i < args.size(); ++i) {
    if (IsColumn(picked, i, form)) {
      scalars.push_back(std::make_unique<rewrite::ColumnRef>(plan.root->columns[i]));
    } else {
      scalars.push_back(std::make_unique<rewrite::Constant>(args[i]));
    }
  }
  return std::make_unique<rewrite::FunctionCall>(picked.overload, picked.result, std::move(scalars));
}

absl::StatusOr<std::vector<Value>> RunPlan(rewrite::QueryPlan plan) {
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), {}, plan));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(plan, Dialect::kDuckDb));
  if (!emitted.slots.empty()) return absl::InternalError("the query has parameters: " + emitted.text);
  PreparedQuery::Parts parts;
  parts.dialect_text = emitted.text;
  parts.schema = plan.schema;
  CollectingSink sink;
  LOGQUERY_RETURN_IF_ERROR(Backend().Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink));
  std::vector<Value> values;
  for (const std::vector<Value>& row : sink.rows()) values.push_back(row.at(0));
  return values;
}

// The own rows' columns, as a plan to put a call on.
absl::StatusOr<rewrite::QueryPlan> OwnRows(size_t arguments, const Catalog& catalog) {
  std::string sql = "SELECT ";
  for (size_t i = 0; i < arguments; ++i) base::StrAppend(&sql, i == 0 ? "t." : ", t.", ColumnName(i));
  base::StrAppend(&sql, " FROM cases AS t WHERE t.project = 'own'");
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, sql::ParseQuery(sql, {}));
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.check_output = false;
  return rewrite::Resolve(*query, sql, options);
}

void Show(rewrite::QueryPlan& plan, const Type& type, rewrite::ScalarPtr value) {
  auto project = std::make_unique<rewrite::Project>(std::move(plan.root));
  const rewrite::PlanColumn column = plan.NewColumn("x", type);
  project->columns = {column};
  project->computed.push_back({column, std::move(value)});
  plan.root = std::move(project);
  plan.schema = {{"x", type}};
}

}  // namespace

absl::StatusOr<StoredResult> EvaluateStored(std::string_view function, const std::vector<Value>& args,
                                            StoredArguments form) {
  if (args.empty()) return absl::UnimplementedError("a call without arguments reads no stored row");
  const emit::Picked picked = emit::PickOverload(function, args);
  LOGQUERY_RETURN_IF_ERROR(StoreCase(args));
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, Backend().ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan shown, OwnRows(args.size(), catalog));
  Show(shown, picked.result, CallOver(shown, picked, args, form));
  StoredResult result;
  result.own_rows = static_cast<int64_t>(kOwnRows);
  LOGQUERY_ASSIGN_OR_RETURN(result.values, RunPlan(std::move(shown)));

  LOGQUERY_ASSIGN_OR_RETURN(rewrite::QueryPlan filtered, OwnRows(args.size(), catalog));
  const std::vector<Value> probe = {Value::Null(picked.result)};
  const emit::Picked is_null = emit::PickOverload("$is_null", probe);
  std::vector<rewrite::ScalarPtr> operand;
  operand.push_back(CallOver(filtered, picked, args, form));
  filtered.root = std::make_unique<rewrite::Filter>(
      std::move(filtered.root),
      std::make_unique<rewrite::FunctionCall>(is_null.overload, Type::Bool(), std::move(operand)));
  Show(filtered, Type::Int64(), std::make_unique<rewrite::Constant>(Value::Int64(1)));
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Value> null_rows, RunPlan(std::move(filtered)));
  result.null_rows = static_cast<int64_t>(null_rows.size());
  return result;
}

}  // namespace logquery::isolation
