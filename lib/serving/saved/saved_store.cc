// Reads a file again only when it has changed, for lists; every change reads it under the lock of the folder.
#include "lib/serving/saved/saved_store.h"

#include <algorithm>
#include <utility>

#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

using base::QuotedText;
using base::StrCat;

// Files allowed for each query that may be saved: those of deleted queries count, and those that people put there.
constexpr int64_t kFilesForEach = 2;

std::string Owner(const SavedScope& scope) { return scope ? "the project" : "the server"; }

absl::StatusOr<SavedRecord> Parse(const std::string& path, const SavedScope& scope, std::string_view name,
                                  std::string_view text) {
  LOGQUERY_ASSIGN_OR_RETURN(SavedRecord record, ParseSavedRecord(path, text));
  const SavedQuery& newest = record.newest();
  if (newest.name == name && newest.project == scope) return record;
  return absl::InvalidArgumentError(
      StrCat(path, " has the query ", QuotedText(newest.name), " of ",
             newest.project ? StrCat("the project ", QuotedText(*newest.project)) : "no project",
             "; name and project must be those of the file and its folder"));
}

}  // namespace

void SavedStore::Log(std::string_view level, std::string_view line) const {
  if (options_.log) options_.log(level, line);
}

// Callers are told nothing of paths.
absl::Status SavedStore::Unwritten(const absl::Status& failure) const {
  Log("error", StrCat("a saved query was not written: ", base::Message(failure)));
  return absl::UnavailableError("saved queries can't be written now; the server's log says why");
}

absl::Status SavedStore::Unreadable(const absl::Status& failure) const {
  Log("error", StrCat("saved queries can't be read: ", base::Message(failure)));
  return absl::UnavailableError("saved queries can't be read now; the server's log says why");
}

absl::StatusOr<std::optional<SavedRecord>> SavedStore::Read(const SavedScope& scope, std::string_view name) const {
  const std::string path = folder_.PathOf(scope, name);
  const absl::StatusOr<std::string> text = SavedFolder::Read(path, options_.max_file_bytes);
  if (absl::IsNotFound(text.status())) return std::nullopt;
  if (absl::IsUnavailable(text.status())) return Unreadable(text.status());
  absl::StatusOr<SavedRecord> record =
      text.ok() ? Parse(path, scope, name, *text) : absl::StatusOr<SavedRecord>(text.status());
  if (record.ok()) return *std::move(record);
  Log("warning", StrCat("a saved query is skipped: ", base::Message(record.status())));
  return absl::AbortedError(StrCat("the file of the saved query ", QuotedText(name),
                                   " was changed by hand and is wrong; the server's log says where"));
}

size_t SavedStore::MostFiles() const { return static_cast<size_t>(2 * kFilesForEach * options_.max_project_queries); }

absl::StatusOr<const SavedStore::KnownFiles*> SavedStore::Look(const SavedScope& scope) {
  const size_t most = MostFiles();
  const absl::StatusOr<std::vector<SavedFile>> files = folder_.Files(scope, most);
  if (!files.ok()) return Unreadable(files.status());
  if (files->size() == most && crowded_.insert(scope).second) {
    Log("warning", StrCat(folder_.FolderOf(scope), " has more files than saved queries may have; only ", most,
                          " of them are read"));
  }
  KnownFiles before = std::move(known_[scope]);
  KnownFiles& now = known_[scope];
  now.clear();
  for (const SavedFile& file : *files) {
    const endpoint::FileStamp stamp = endpoint::StampOf(file.path);
    const auto old = before.find(file.path);
    if (old != before.end() && old->second.stamp == stamp) {
      now.insert(before.extract(old));
    } else {
      now.emplace(file.path, ReadKnown(scope, file, stamp));
    }
  }
  if (now.empty()) {
    static const auto* const none = new KnownFiles;
    known_.erase(scope);
    return none;
  }
  return &now;
}

SavedStore::Known SavedStore::ReadKnown(const SavedScope& scope, const SavedFile& file,
                                        const endpoint::FileStamp& stamp) const {
  Known known{stamp, file.bytes, std::nullopt, false};
  if (file.name.empty()) {
    Log("warning", StrCat("a saved query is skipped: ", file.path, " has a name that no saved query may have"));
    return known;
  }
  const absl::StatusOr<std::optional<SavedRecord>> record = Read(scope, file.name);
  if (!record.ok() || !record->has_value()) return known;
  known.newest = (*record)->newest();
  known.newest->sql.clear();
  known.deleted = (*record)->is_deleted();
  return known;
}

absl::StatusOr<std::vector<SavedScope>> SavedStore::Scopes() const {
  absl::StatusOr<std::vector<SavedScope>> scopes = folder_.Scopes();
  return scopes.ok() ? scopes : Unreadable(scopes.status());
}

absl::StatusOr<std::vector<SavedQuery>> SavedStore::Newest(const SavedScope& scope) {
  absl::MutexLock lock(&mutex_);
  LOGQUERY_ASSIGN_OR_RETURN(const KnownFiles* const files, Look(scope));
  std::vector<SavedQuery> queries;
  for (const auto& [path, known] : *files) {
    if (known.newest && !known.deleted) queries.push_back(*known.newest);
  }
  return queries;
}

absl::Status SavedStore::Change(const SavedScope& scope, const std::string& name, Changing changing) {
  absl::MutexLock lock(&mutex_);
  const absl::StatusOr<SavedLock> files = folder_.Lock();
  if (!files.ok()) return Unwritten(files.status());
  LOGQUERY_ASSIGN_OR_RETURN(std::optional<SavedRecord> before, Read(scope, name));
  const bool is_new = !before || before->is_deleted();
  LOGQUERY_ASSIGN_OR_RETURN(SavedRecord after, changing(std::move(before)));
  const bool deletes = after.is_deleted();
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, TextOf(std::move(after)));
  // Nobody is kept from deleting.
  if (!deletes) LOGQUERY_RETURN_IF_ERROR(MakeRoom(scope, name, static_cast<int64_t>(text.size()), is_new));
  const absl::Status written = folder_.Write(scope, name, text);
  return written.ok() ? written : Unwritten(written);
}

// Without the revisions that are beyond the limits.
absl::StatusOr<std::string> SavedStore::TextOf(SavedRecord record) const {
  const auto most = static_cast<size_t>(options_.max_revisions);
  if (record.revisions.size() > most) record.revisions.resize(most);
  record.deleted.resize(record.revisions.size());
  std::string text = PrintSavedRecord(record);
  while (static_cast<int64_t>(text.size()) > options_.max_file_bytes && record.revisions.size() > 1) {
    record.revisions.pop_back();
    record.deleted.pop_back();
    text = PrintSavedRecord(record);
  }
  if (static_cast<int64_t>(text.size()) <= options_.max_file_bytes) return text;
  return absl::InvalidArgumentError(
      StrCat("the saved query has ", text.size(), " bytes as JSON; ", options_.max_file_bytes, " are allowed"));
}

absl::Status SavedStore::MakeRoom(const SavedScope& scope, const std::string& name, int64_t bytes, bool is_new) {
  LOGQUERY_ASSIGN_OR_RETURN(const KnownFiles* const files, Look(scope));
  const std::string own = folder_.PathOf(scope, name);
  int64_t live = 0, taken = bytes, count = 1;
  std::vector<const Known*> deleted;
  for (const auto& [path, known] : *files) {
    if (path == own) continue;
    ++count;
    taken += known.bytes;
    if (known.deleted) {
      deleted.push_back(&known);
    } else {
      ++live;
    }
  }
  if (is_new && live >= options_.max_project_queries) {
    return absl::AbortedError(StrCat(Owner(scope), " has ", live, live == 1 ? " saved query" : " saved queries",
                                     ", as many as it may have; delete ", live == 1 ? "it" : "some", " first"));
  }
  std::sort(deleted.begin(), deleted.end(),
            [](const Known* a, const Known* b) { return a->newest->saved_at > b->newest->saved_at; });
  while (!deleted.empty() &&
         (count > kFilesForEach * options_.max_project_queries || taken > options_.max_project_bytes)) {
    const Known& oldest = *deleted.back();
    if (const absl::Status gone = folder_.Remove(scope, oldest.newest->name); !gone.ok()) return Unwritten(gone);
    taken -= oldest.bytes;
    --count;
    deleted.pop_back();
  }
  if (taken > options_.max_project_bytes) {
    return absl::AbortedError(StrCat("the saved queries of ", Owner(scope), " would take ", taken, " bytes; ",
                                     options_.max_project_bytes, " are allowed; delete some first"));
  }
  return CheckTotal(own, bytes);
}

absl::Status SavedStore::CheckTotal(const std::string& own, int64_t bytes) const {
  const absl::StatusOr<std::vector<SavedScope>> scopes = folder_.Scopes();
  if (!scopes.ok()) return Unreadable(scopes.status());
  int64_t count = 1, taken = bytes;
  for (const SavedScope& scope : *scopes) {
    const absl::StatusOr<std::vector<SavedFile>> files = folder_.Files(scope, MostFiles());
    if (!files.ok()) return Unreadable(files.status());
    for (const SavedFile& file : *files) {
      if (file.path == own) continue;
      ++count;
      taken += file.bytes;
    }
  }
  if (count <= options_.max_queries && taken <= options_.max_bytes) return absl::OkStatus();
  return absl::AbortedError(StrCat("the saved queries of all projects would be ", count, " of ", taken, " bytes; ",
                                   options_.max_queries, " of ", options_.max_bytes, " bytes are allowed"));
}

}  // namespace logquery::serving
