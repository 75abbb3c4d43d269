// Replaces the tables as a whole, so that readers see a consistent set.
#include "lib/store/tables/live_tables.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery::store {

Catalog LiveTables::Read() const {
  absl::MutexLock lock(&mutex_);
  return Catalog(tables_, model::Fingerprint(tables_));
}

Table LiveTables::FindForTimes(std::string_view name) const {
  Table found;
  absl::MutexLock lock(&mutex_);
  for (const Table& table : tables_) {
    if (!base::EqualsIgnoreCase(table.name, name)) continue;
    found.name = table.name;
    found.storage_name = table.storage_name;
    found.time_column = table.time_column;
  }
  return found;
}

void LiveTables::Set(std::vector<Table> tables) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  tables_ = std::move(tables);
}

void LiveTables::Put(Table table) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  RemoveLocked(table.name);
  tables_.push_back(std::move(table));
}

bool LiveTables::Remove(std::string_view name) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  return RemoveLocked(name);
}

absl::Status LiveTables::PutWith(std::vector<Table> tables, absl::FunctionRef<absl::Status()> commit) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  LOGQUERY_RETURN_IF_ERROR(commit());
  for (Table& table : tables) {
    const auto there = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const Table& known) { return base::EqualsIgnoreCase(known.name, table.name); });
    if (there == tables_.end()) {
      tables_.push_back(std::move(table));
    } else {
      *there = std::move(table);
    }
  }
  return absl::OkStatus();
}

bool LiveTables::RemoveLocked(std::string_view name) {
  const size_t before = tables_.size();
  tables_.erase(std::remove_if(tables_.begin(), tables_.end(),
                               [&](const Table& table) { return base::EqualsIgnoreCase(table.name, name); }),
                tables_.end());
  return tables_.size() != before;
}

}  // namespace logquery::store
