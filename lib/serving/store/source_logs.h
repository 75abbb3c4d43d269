// Finds the log of a source for the tokens that write to it, and makes logs of new sources. log_receiver.h defines which token
// knows which log.
#ifndef LOGQUERY_LIB_SERVING_STORE_SOURCE_LOGS_H_
#define LOGQUERY_LIB_SERVING_STORE_SOURCE_LOGS_H_

#include <cstdint>
#include <map>
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
#include "lib/serving/store/new_sources.h"
#include "logquery/authenticator.h"
#include "logquery/catalog.h"

namespace logquery {
class DuckDbBackend;
}

namespace logquery::serving {

// Thread-safe. The backend is borrowed.
class SourceLogs {
 public:
  // InvalidArgument: a UUID of `source_ids` stands for a log that does not exist. Otherwise the statuses of
  // QueryBackend::ReadCatalog.
  static absl::StatusOr<std::unique_ptr<SourceLogs>> Create(DuckDbBackend* backend,
                                                            const std::map<std::string, std::string>& source_ids,
                                                            NewSources new_sources);

  // Returns the name of the table of a source that the principal may write; empty: the source may become a log. Statuses: those
  // of LogReceiver::Admit except ResourceExhausted.
  absl::StatusOr<std::string> Find(const Principal& principal, std::string_view source) const;
  // Returns the name of the source's table, and makes it if it does not exist. Statuses: those of Find, and of declaring.
  absl::StatusOr<std::string> FindOrMake(const Principal& principal, const std::string& source);
  // Returns the name of the table's column of times; empty: there is no such table, or it has none.
  std::string TimeColumn(std::string_view table) const;
  bool HasColumn(std::string_view table, std::string_view column) const;
  // Returns what LogReceiver::Sources does.
  std::vector<std::string> Names(const Principal& principal) const;

 private:
  // The logs of the folder at one time.
  struct Logs {
    Catalog catalog;
    base::StringSet made;  // the tables that sources made

    bool IsMade(std::string_view table) const { return made.contains(table) && catalog.Find(table) != nullptr; }
  };

  using SourceIds = base::StringMap<std::string>;  // the log of each UUID, which is in lower case

  SourceLogs(DuckDbBackend* backend, SourceIds source_ids, NewSources new_sources)
      : backend_(backend), source_ids_(std::move(source_ids)), new_sources_(std::move(new_sources)) {}
  static absl::StatusOr<std::shared_ptr<const Logs>> ReadLogs(DuckDbBackend& backend);
  // Returns the current logs: others may be declared at any time. If they can't be read, returns those that were read last; the
  // store then reports why it can't write.
  std::shared_ptr<const Logs> Read() const;

  // Returns the name of the table of a source that the principal knows of.
  absl::StatusOr<std::string> FindKnown(const Logs& logs, const Principal& principal, std::string_view source) const;
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
  // Pairs of a project and a table that a source made, which the project knows of.
  mutable absl::flat_hash_set<std::pair<std::string, std::string>> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_STORE_SOURCE_LOGS_H_
