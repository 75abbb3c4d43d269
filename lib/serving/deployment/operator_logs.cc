// Takes the tables of the catalog that nothing else accounts for.
#include "lib/serving/deployment/operator_logs.h"

#include <optional>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::serving {

absl::StatusOr<std::vector<Table>> OperatorLogs(DuckDbBackend& store) {
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, store.ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<SourceLog> sources, store.ReadSources(std::nullopt));
  const Catalog built_in = Catalog::DeclaredLogs();
  base::NameSet others;
  for (const Table& table : built_in.tables()) others.insert(table.name);
  for (const SourceLog& source : sources) others.insert(source.table);
  std::vector<Table> logs;
  for (const Table& table : catalog.tables()) {
    if (!others.contains(table.name)) logs.push_back(table);
  }
  return logs;
}

}  // namespace logquery::serving
