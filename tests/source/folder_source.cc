#include "tests/source/folder_source.h"

#include <limits>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/interval_bucketer.h"

namespace logquery::testing {
namespace {

std::string_view Sign(ScanCondition::Comparison comparison) {
  switch (comparison) {
    case ScanCondition::Comparison::kEqual:
      return " = ";
    case ScanCondition::Comparison::kLess:
      return " < ";
    case ScanCondition::Comparison::kLessOrEqual:
      return " <= ";
    case ScanCondition::Comparison::kGreater:
      return " > ";
    case ScanCondition::Comparison::kGreaterOrEqual:
      return " >= ";
  }
  return "";
}

struct ScanQuery {
  std::string where;
  Endpoint definition;
  rewrite::ParameterValues values;
  bool has_all_conditions = true;

  void Add(const ScanCondition& condition) {
    // Fields of records would need an UNNEST each.
    if (condition.path.size() != 1) {
      has_all_conditions = false;
      return;
    }
    Parameter& parameter = definition.parameters.emplace_back();
    parameter.name = base::StrCat("p", definition.parameters.size());
    parameter.type = condition.value.type();
    values.insert_or_assign(parameter.name, condition.value);
    base::StrAppend(&where, where.empty() ? " WHERE `" : " AND `", condition.path[0], "`", Sign(condition.comparison),
                    "@", parameter.name);
  }
};

}  // namespace

absl::StatusOr<Catalog> FolderSource::ReadCatalog() {
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, folder_->ReadCatalog());
  std::vector<Table> tables = catalog.tables();
  for (Table& table : tables) {
    table.storage_name.clear();
    table.hot_columns.clear();
    table.learned_columns.clear();
  }
  return Catalog(std::move(tables), catalog.revision());
}

absl::Status FolderSource::Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) {
  ScanQuery query;
  const std::string table = base::StrCat(" FROM `", request.table->name, "`");
  if (uses_hints_) {
    for (const ScanCondition& condition : request.conditions) query.Add(condition);
  }
  std::string& sql = query.definition.query;
  for (size_t i = 0; i < request.columns.size(); ++i) {
    base::StrAppend(&sql, i == 0 ? "SELECT `" : ", `", request.table->columns[request.columns[i]].name, "` AS c", i);
  }
  sql += table + query.where;
  if (uses_hints_ && request.newest.has_value() && query.has_all_conditions) {
    const std::string& time = request.table->time_column;
    base::StrAppend(&sql, query.where.empty() ? " WHERE `" : " AND `", time, "` >= (SELECT MIN(t) FROM (SELECT `", time,
                    "` AS t", table, query.where, " ORDER BY t DESC LIMIT ", *request.newest, "))");
  }
  query.definition.name = "scan";
  query.definition.max_rows = std::numeric_limits<int64_t>::max() - 1;
  query.values.insert_or_assign(rewrite::kNowParameter, Value::Timestamp(absl::UnixEpoch()));
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, folder_->ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr parsed, endpoint::ParseDefinition(query.definition));
  LOGQUERY_ASSIGN_OR_RETURN(const auto resolved, endpoint::ResolveEndpoint(query.definition, *parsed, catalog));
  const endpoint::QueryPlanner planner(folder_->capabilities().dialect, nullptr);
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::PlannedCall call, planner.Plan(*resolved, std::move(query.values)));
  return folder_->Execute(*call.query, call.bindings, {}, cancellation, sink);
}

}  // namespace logquery::testing
