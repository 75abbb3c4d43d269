// Reads and validates the sources' catalogs, and creates a view for each table.
#include "lib/engines/duckdb/backend/source/source_tables.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"

namespace logquery::duckdb {
namespace {

// The number of past catalogs that are kept. A query is planned again long before its catalog is dropped.
constexpr size_t kKeptGenerations = 8;

absl::Status CheckTable(const Table& table) {
  const auto wrong = [&](std::string_view what) {
    return absl::InvalidArgumentError(base::StrCat("a source's table \"", table.name, "\" ", what));
  };
  if (table.name.empty()) return wrong("has no name");
  if (table.columns.empty()) return wrong("has no columns");
  if (!table.hot_columns.empty() || !table.learned_columns.empty()) return wrong("has hot or learned columns");
  base::StringSet names;
  for (const Field& column : table.columns) {
    if (column.name.empty()) return wrong("has a column without a name");
    if (!names.insert(base::ToLower(column.name)).second) {
      return wrong(base::StrCat("has two columns of the name ", column.name));
    }
  }
  const auto has = [&](const std::string& name, TypeKind kind) {
    return name.empty() || std::any_of(table.columns.begin(), table.columns.end(), [&](const Field& column) {
             return base::EqualsIgnoreCase(column.name, name) && column.type.is(kind);
           });
  };
  if (!has(table.time_column, TypeKind::kTimestamp)) {
    return wrong(base::StrCat("has no TIMESTAMP column ", table.time_column, ", which its time_column names"));
  }
  if (!has(table.id_column, TypeKind::kString)) {
    return wrong(base::StrCat("has no STRING column ", table.id_column, ", which its id_column names"));
  }
  return absl::OkStatus();
}

bool SameTable(const SourceTable& a, const SourceTable& b) {
  return a.source == b.source && a.table.name == b.table.name && a.table.log == b.table.log &&
         a.table.time_column == b.table.time_column && a.table.id_column == b.table.id_column &&
         a.table.project_path == b.table.project_path &&
         std::equal(
             a.table.columns.begin(), a.table.columns.end(), b.table.columns.begin(), b.table.columns.end(),
             [](const Field& x, const Field& y) { return x.name == y.name && Type::SameLayout(x.type, y.type); });
}

bool Same(const SourceTableList& a, const SourceTableList& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), SameTable);
}

std::string ViewName(int64_t generation, size_t index) { return base::StrCat("source_", generation, "_", index); }

}  // namespace

absl::StatusOr<SourceTableList> SourceTables::ReadSources() {
  SourceTableList tables;
  base::StringSet names;
  for (const std::shared_ptr<TableSource>& source : sources_) {
    LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, source->ReadCatalog());
    for (Table table : catalog.tables()) {
      LOGQUERY_RETURN_IF_ERROR(CheckTable(table));
      if (!names.insert(base::ToLower(table.name)).second) {
        return absl::InvalidArgumentError(base::StrCat("two of the sources' tables have the name ", table.name));
      }
      table.has_row_places = false;
      tables.push_back({source, std::move(table)});
    }
  }
  return tables;
}

absl::Status SourceTables::MakeViews(const Database& database, const Generation& made, const Generation& old) {
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, database.Connect());
  for (size_t i = 0; i < made.tables->size(); ++i) {
    LOGQUERY_RETURN_IF_ERROR(
        Run(connection.get(), base::StrCat("CREATE OR REPLACE VIEW ", QuoteName(ViewName(made.number, i)),
                                           " AS SELECT * FROM logquery_source(", made.number, ", ", i, ")")));
  }
  for (size_t i = 0; old.tables != nullptr && i < old.tables->size(); ++i) {
    LOGQUERY_RETURN_IF_ERROR(
        Run(connection.get(), base::StrCat("DROP VIEW IF EXISTS ", QuoteName(ViewName(old.number, i)))));
  }
  return absl::OkStatus();
}

absl::StatusOr<Catalog> SourceTables::Read(const Database& database) {
  absl::MutexLock reading(&reading_);
  LOGQUERY_ASSIGN_OR_RETURN(SourceTableList tables, ReadSources());
  Generation made, old;
  bool is_new = false;
  {
    absl::MutexLock lock(&mutex_);
    is_new = generations_.empty() || !Same(*generations_.back().tables, tables);
    if (is_new) {
      const int64_t number = next_++;
      for (size_t i = 0; i < tables.size(); ++i) tables[i].table.storage_name = ViewName(number, i);
      generations_.push_back({number, std::make_shared<const SourceTableList>(std::move(tables))});
    }
    if (generations_.size() > kKeptGenerations) {
      old = std::move(generations_.front());
      generations_.pop_front();
    }
    made = generations_.back();
  }
  if (is_new) {
    // Outside of the mutex: making a view asks for its columns.
    if (absl::Status status = MakeViews(database, made, old); !status.ok()) {
      absl::MutexLock lock(&mutex_);
      generations_.pop_back();
      return status;
    }
  }
  std::vector<Table> described;
  for (const SourceTable& table : *made.tables) described.push_back(table.table);
  return Catalog(std::move(described), static_cast<uint64_t>(made.number));
}

uint64_t SourceTables::Version() {
  std::vector<uint64_t> versions;
  for (const std::shared_ptr<TableSource>& source : sources_) versions.push_back(source->CatalogVersion());
  absl::MutexLock lock(&mutex_);
  if (versions != versions_) {
    if (!versions_.empty()) ++version_;
    versions_ = std::move(versions);
  }
  return version_;
}

std::shared_ptr<const SourceTableList> SourceTables::Find(int64_t generation) const {
  absl::MutexLock lock(&mutex_);
  for (const Generation& kept : generations_) {
    if (kept.number == generation) return kept.tables;
  }
  return nullptr;
}

}  // namespace logquery::duckdb
