// Finds the log of a source for the tokens that write to it, and makes logs of new sources.
//
// A log that a source made belongs to the projects whose tokens write to it: a token of another project neither finds it
// nor reads its name in an error or a list. If that project writes to a source of the same name, the log becomes its own
// as well, as if it had been made then.
#ifndef LOGQUERY_SHIM_CLI_SERVE_COMPOSE_SOURCES_H_
#define LOGQUERY_SHIM_CLI_SERVE_COMPOSE_SOURCES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "logquery/authenticator.h"
#include "logquery/catalog.h"
#include "shim/http/logs/new_sources.h"
#include "shim/http/logs/source_ids.h"

namespace logquery {
class DuckDbBackend;
}

namespace logquery::shim {

// Thread-safe.
class SourceLogs {
 public:
  // `backend` is borrowed. InvalidArgument: a source's UUID stands for a log that there is not; otherwise what
  // QueryBackend::ReadCatalog returns.
  static absl::StatusOr<std::unique_ptr<SourceLogs>> Create(DuckDbBackend* backend, SourceIds source_ids,
                                                            NewSources new_sources);

  // As LogIngest::CheckSource.
  absl::Status Check(const Principal& principal, std::string_view source) const;
  // Returns whether the source has no log yet that the principal knows of.
  bool IsNew(const Principal& principal, std::string_view source) const;
  // Returns the name of the source's table, which is made if it may be. Statuses: those of Check, and of declaring.
  absl::StatusOr<std::string> FindOrMake(const Principal& principal, const std::string& source);
  // As LogIngest::sources.
  std::vector<std::string> Names(const Principal& principal) const;

 private:
  // The logs of the folder.
  struct Logs {
    Catalog catalog;
    base::StringSet made;  // the tables that sources made

    bool IsMade(std::string_view table) const { return made.contains(table) && catalog.Find(table) != nullptr; }
  };

  SourceLogs(DuckDbBackend* backend, SourceIds source_ids, NewSources new_sources)
      : backend_(backend), source_ids_(std::move(source_ids)), new_sources_(std::move(new_sources)) {}
  static absl::StatusOr<std::shared_ptr<const Logs>> ReadLogs(DuckDbBackend& backend);
  // The logs as they are now: a running server may get new ones. If they can't be read, these are the last that were: the
  // store itself tells why it can't write.
  std::shared_ptr<const Logs> Read() const;

  // Returns the name of the table of a source that the principal knows of.
  absl::StatusOr<std::string> Find(const Logs& logs, const Principal& principal, std::string_view source) const;
  // Returns whether the source, which the principal does not know of, may become a log of its project.
  absl::Status CheckNew(const Logs& logs, const Principal& principal, std::string_view source) const;
  // Returns NotFound, with names like it of those that the principal knows of.
  absl::Status NoSource(const Logs& logs, const Principal& principal, std::string_view source) const;
  // Returns whether the principal knows of a log that a source made. Once it does, it stays so.
  bool KnowsOf(const Logs& logs, const Principal& principal, const Table& table) const;
  // Returns the tables that the principal may write and knows of, in the order of the catalog.
  absl::StatusOr<std::vector<const Table*>> Visible(const Logs& logs, const Principal& principal) const;
  // Returns the tables of sources that the principal's project made or has rows in.
  absl::StatusOr<base::StringSet> Owned(const Logs& logs, const Principal& principal) const;

  DuckDbBackend* const backend_;
  const SourceIds source_ids_;
  const NewSources new_sources_;
  absl::Mutex new_mutex_;  // held while a log is made
  mutable absl::Mutex mutex_;
  mutable uint64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
  mutable std::shared_ptr<const Logs> logs_ ABSL_GUARDED_BY(mutex_);
  // Projects, each with the table of a log of sources that it knows of.
  mutable absl::flat_hash_set<std::pair<std::string, std::string>> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_COMPOSE_SOURCES_H_
