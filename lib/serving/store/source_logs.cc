// The store records which logs sources made, and for which projects; they are read again when the catalog changes.
#include "lib/serving/store/source_logs.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/endpoint/definitions/uuid.h"
#include "logquery/error.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::serving {
namespace {

// Returns the table with this name, or of the log with this name; nullptr: there is none.
const Table* TableOf(const Catalog& catalog, std::string_view source) {
  if (const Table* const table = catalog.Find(source); table != nullptr) return table;
  const std::vector<Table>& tables = catalog.tables();
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const Table& table) {
    return !table.log.empty() && base::EqualsIgnoreCase(table.log, source);
  });
  return found == tables.end() ? nullptr : &*found;
}

// Returns whether the principal knows of every log, or of those that an operator has named in its rights.
bool KnowsAll(const Principal& principal) {
  return !principal.project_scope.has_value() || principal.ingest->logs.has_value();
}

}  // namespace

absl::StatusOr<std::unique_ptr<SourceLogs>> SourceLogs::Create(DuckDbBackend* backend,
                                                               const std::map<std::string, std::string>& source_ids,
                                                               NewSources new_sources) {
  // Read before the logs, so that a change in between has them read again.
  const uint64_t version = backend->CatalogVersion();
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const Logs> logs, ReadLogs(*backend));
  SourceIds ids;
  for (const auto& [id, log] : source_ids) {
    ids.emplace(absl::AsciiStrToLower(base::ToAbsl(id)), log);
    if (TableOf(logs->catalog, log) != nullptr) continue;
    return absl::InvalidArgumentError(
        base::StrCat("--source-ids ", id, "=", log, ": there is no log of the name ", base::QuotedText(log)));
  }
  std::unique_ptr<SourceLogs> sources(new SourceLogs(backend, std::move(ids), std::move(new_sources)));
  absl::MutexLock lock(&sources->mutex_);
  sources->version_ = version;
  sources->logs_ = std::move(logs);
  return sources;
}

absl::StatusOr<std::shared_ptr<const SourceLogs::Logs>> SourceLogs::ReadLogs(DuckDbBackend& backend) {
  auto logs = std::make_shared<Logs>();
  LOGQUERY_ASSIGN_OR_RETURN(logs->catalog, backend.ReadCatalog());
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<SourceLog> sources, backend.ReadSources(std::nullopt));
  for (const SourceLog& source : sources) logs->made.insert(source.table);
  return std::shared_ptr<const Logs>(std::move(logs));
}

std::shared_ptr<const SourceLogs::Logs> SourceLogs::Read() const {
  const uint64_t version = backend_->CatalogVersion();
  absl::MutexLock lock(&mutex_);
  if (version == version_) return logs_;
  absl::StatusOr<std::shared_ptr<const Logs>> now = ReadLogs(*backend_);
  if (!now.ok()) return logs_;
  version_ = version;
  logs_ = *std::move(now);
  return logs_;
}

absl::StatusOr<std::string> SourceLogs::Find(const Principal& principal, std::string_view source) const {
  const std::shared_ptr<const Logs> logs = Read();
  absl::StatusOr<std::string> table = FindKnown(*logs, principal, source);
  if (!absl::IsNotFound(table.status())) return table;
  LOGQUERY_RETURN_IF_ERROR(CheckNew(*logs, principal, source));
  return std::string();
}

absl::StatusOr<std::string> SourceLogs::FindOrMake(const Principal& principal, const std::string& source) {
  absl::MutexLock lock(&new_mutex_);  // requests for the same source make it once, and all of them keep to the bound
  const std::shared_ptr<const Logs> logs = Read();
  const absl::StatusOr<std::string> table = FindKnown(*logs, principal, source);
  if (!absl::IsNotFound(table.status())) return table;
  LOGQUERY_RETURN_IF_ERROR(CheckNew(*logs, principal, source));
  if (logs->IsMade(source)) return source;
  // The record comes before the log: the log must never be there without it, as it hides the log's name from other projects.
  LOGQUERY_RETURN_IF_ERROR(backend_->BookSource(source, principal.project_scope));
  LOGQUERY_RETURN_IF_ERROR(new_sources_.Make(source));
  return source;
}

std::string SourceLogs::TimeColumn(std::string_view table) const {
  const std::shared_ptr<const Logs> logs = Read();
  const Table* const found = logs->catalog.Find(table);
  return found == nullptr ? std::string() : found->time_column;
}

bool SourceLogs::HasColumn(std::string_view table, std::string_view column) const {
  const std::shared_ptr<const Logs> logs = Read();
  const Table* const found = logs->catalog.Find(table);
  return found != nullptr && std::any_of(found->columns.begin(), found->columns.end(), [column](const Field& field) {
           return base::EqualsIgnoreCase(field.name, column);
         });
}

std::vector<std::string> SourceLogs::Names(const Principal& principal) const {
  const std::shared_ptr<const Logs> logs = Read();
  std::vector<std::string> names;
  const absl::StatusOr<std::vector<const Table*>> visible = Visible(*logs, principal);
  if (!visible.ok()) return names;
  for (const Table* const table : *visible) names.push_back(table->name);
  return names;
}

// A log that a source made is found by the name of this source alone, so that no two sources become one log.
absl::StatusOr<std::string> SourceLogs::FindKnown(const Logs& logs, const Principal& principal,
                                                  std::string_view source) const {
  if (!principal.ingest) {
    return absl::PermissionDeniedError(
        "this token may not write logs; `logquery token create --may-ingest` makes one that may");
  }
  const auto mapped =
      IsUuid(source) ? source_ids_.find(absl::AsciiStrToLower(base::ToAbsl(source))) : source_ids_.end();
  const bool is_mapped = mapped != source_ids_.end();
  const std::string_view log = is_mapped ? std::string_view(mapped->second) : source;
  const Table* const found = TableOf(logs.catalog, log);
  if (found == nullptr) return NoSource(logs, principal, log);
  const bool may_write = principal.ingest->MayWrite(found->name, found->log);
  if (logs.made.contains(found->name)) {
    const bool is_named = is_mapped || found->name == source;
    const bool is_hidden = principal.project_scope.has_value() && !may_write;
    if (!is_named || is_hidden || !KnowsOf(logs, principal, *found)) return NoSource(logs, principal, log);
  }
  if (!may_write) {
    return absl::PermissionDeniedError(base::StrCat("this token may not write ", found->name, "; it may write ",
                                                    base::Join(*principal.ingest->logs, ", ")));
  }
  return found->name;
}

absl::Status SourceLogs::CheckNew(const Logs& logs, const Principal& principal, std::string_view source) const {
  const absl::Status not_found = NoSource(logs, principal, source);
  if (!absl::IsNotFound(not_found)) return not_found;
  LOGQUERY_ASSIGN_OR_RETURN(const base::StringSet owned, Owned(logs, principal));
  const auto count = static_cast<int64_t>(owned.size());
  return logs.IsMade(source) ? new_sources_.CheckJoin(count, principal, not_found)
                             : new_sources_.Check(logs.catalog, count, principal, source, not_found);
}

absl::Status SourceLogs::NoSource(const Logs& logs, const Principal& principal, std::string_view source) const {
  if (IsUuid(source)) {
    return absl::NotFoundError(base::StrCat("no log has the UUID ", source,
                                            "; the setting source_ids says which log a source's UUID stands for"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<const Table*> tables, Visible(logs, principal));
  std::vector<std::string> names, table_names;
  for (const Table* const table : tables) {
    table_names.push_back(table->name);
    names.push_back(table->name);
    if (!table->log.empty()) names.push_back(table->log);
  }
  ErrorDetails details;
  details.parameter = "source_name";
  details.nearest = base::NearestNames(source, names);
  std::string near = base::DidYouMean(details.nearest);
  if (near.empty() && !table_names.empty()) near = base::StrCat("; there are ", base::Join(table_names, ", "));
  return WithErrorDetails(
      absl::NotFoundError(base::StrCat("there is no log of the name ", base::QuotedText(source), near)), details);
}

bool SourceLogs::KnowsOf(const Logs& logs, const Principal& principal, const Table& table) const {
  if (KnowsAll(principal)) return true;
  const std::pair<std::string, std::string> key(*principal.project_scope, table.name);
  {
    absl::MutexLock lock(&mutex_);
    if (known_.contains(key)) return true;
  }
  const absl::StatusOr<base::StringSet> owned = Owned(logs, principal);
  if (!owned.ok() || !owned->contains(table.name)) return false;
  absl::MutexLock lock(&mutex_);
  known_.insert(key);
  return true;
}

absl::StatusOr<std::vector<const Table*>> SourceLogs::Visible(const Logs& logs, const Principal& principal) const {
  std::vector<const Table*> visible;
  if (!principal.ingest) return visible;
  LOGQUERY_ASSIGN_OR_RETURN(const base::StringSet owned, Owned(logs, principal));
  for (const Table& table : logs.catalog.tables()) {
    const bool is_known = KnowsAll(principal) || !logs.made.contains(table.name) || owned.contains(table.name);
    if (is_known && principal.ingest->MayWrite(table.name, table.log)) visible.push_back(&table);
  }
  return visible;
}

absl::StatusOr<base::StringSet> SourceLogs::Owned(const Logs& logs, const Principal& principal) const {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<SourceLog> sources, backend_->ReadSources(principal.project_scope));
  base::StringSet owned;
  for (const SourceLog& source : sources) {
    if (source.is_owned && logs.catalog.Find(source.table) != nullptr) owned.insert(source.table);
  }
  return owned;
}

}  // namespace logquery::serving
