// Replaces the tables as a whole, so that readers see a consistent set.
#include "lib/store/tables/live_tables.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery::store {

LiveTable MakeLiveTable(const Table& declared, const LearnedTable& learned) {
  LiveTable live{declared};
  AddLearned(VisibleTo(learned, std::nullopt), &live.table);
  if (!learned.columns.empty()) {
    live.parts = std::make_shared<const LiveTable::Parts>(LiveTable::Parts{declared, learned});
  }
  return live;
}

Catalog LiveTables::Read() const {
  std::vector<Table> tables;
  absl::MutexLock lock(&mutex_);
  for (const LiveTable& live : tables_) tables.push_back(live.table);
  const uint64_t revision = model::Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

Catalog LiveTables::ReadFor(std::string_view project) const {
  std::vector<Table> tables;
  absl::MutexLock lock(&mutex_);
  for (const LiveTable& live : tables_) {
    if (live.parts == nullptr) {
      tables.push_back(live.table);
      continue;
    }
    tables.push_back(live.parts->declared);
    AddLearned(VisibleTo(live.parts->learned, project), &tables.back());
  }
  const uint64_t revision = model::Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

Table LiveTables::FindForTimes(std::string_view name) const {
  Table found;
  absl::MutexLock lock(&mutex_);
  for (const LiveTable& live : tables_) {
    const Table& table = live.table;
    if (!base::EqualsIgnoreCase(table.name, name)) continue;
    found.name = table.name;
    found.storage_name = table.storage_name;
    found.time_column = table.time_column;
    found.project_path = table.project_path;
    for (const HotColumn& hot : table.hot_columns) {
      if (hot.path == table.project_path) found.hot_columns.push_back(hot);
    }
  }
  return found;
}

void LiveTables::Set(std::vector<LiveTable> tables) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  tables_ = std::move(tables);
}

void LiveTables::Put(Table table) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  RemoveLocked(table.name);
  tables_.push_back({std::move(table)});
}

bool LiveTables::Remove(std::string_view name) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  return RemoveLocked(name);
}

absl::Status LiveTables::PutWith(std::vector<LiveTable> tables, absl::FunctionRef<absl::Status()> commit) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  LOGQUERY_RETURN_IF_ERROR(commit());
  for (LiveTable& table : tables) {
    const auto there = std::find_if(tables_.begin(), tables_.end(), [&](const LiveTable& known) {
      return base::EqualsIgnoreCase(known.table.name, table.table.name);
    });
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
                               [&](const LiveTable& live) { return base::EqualsIgnoreCase(live.table.name, name); }),
                tables_.end());
  return tables_.size() != before;
}

}  // namespace logquery::store
