// The last changes that added rows to a table: whose rows they added, from which time on, and the rows themselves if
// somebody asks for them.
//
// A change is here from before its commit, so whoever can read its rows finds it. Of each change the number is that of
// change_books.h, and changes are asked for by the number after which they came.
#ifndef LOGQUERY_LIB_STORE_TABLES_RECENT_CHANGES_H_
#define LOGQUERY_LIB_STORE_TABLES_RECENT_CHANGES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/store/rows/added_rows.h"
#include "lib/store/tables/change_books.h"

namespace logquery::store {

// Not thread-safe.
class RecentChanges {
 public:
  // Bounds of the changes that are kept, of the projects in all of them, and of the bytes of their rows.
  static constexpr size_t kMaxChanges = 1'024;
  static constexpr size_t kMaxProjects = 50'000;
  static constexpr size_t kMaxBytes = 32 << 20;
  static constexpr int64_t kNoRow = std::numeric_limits<int64_t>::max();

  using Rows = std::vector<std::shared_ptr<const AddedRows>>;

  // To be called before the change is committed. A change that failed and the next one may have one number.
  void Add(const BookedChange& change);
  // To be called after the commit of the last change that was added.
  void Completed();
  // To be called if that commit failed: it is not known whether its rows are there.
  void Failed();
  // The number of the last change that is committed: rows that are read later are of it or a later one.
  int64_t completed() const { return completed_; }

  // Returns a time before which no row of the project, or no row if it is absent, was added after the change `number`;
  // kNoRow: none was. nullopt: that is not known.
  std::optional<int64_t> EarliestAfter(const std::optional<std::string>& project, int64_t number) const;
  // Returns what changes of the project added after the change `after`, up to `last`. nullopt: it is not all here.
  std::optional<Rows> RowsBetween(const std::optional<std::string>& project, int64_t after, int64_t last) const;

  // Drops rows, the oldest first, until those that are left take at most so many bytes.
  void DropRows(size_t most);
  // Rows are kept only while somebody asks for them. `now`: monotonic time.
  void Ask(absl::Duration now) { asked_ = now; }
  bool IsAskedFor(absl::Duration now) const { return asked_ && now - *asked_ < absl::Minutes(1); }

 private:
  struct Change {
    int64_t number = 0;
    RowChange rows;
    std::shared_ptr<const AddedRows> added;  // nullptr: they are not kept
  };
  void Clear(int64_t known_from);
  void DropFirst();

  std::deque<Change> changes_;
  size_t projects_ = 0;
  size_t bytes_ = 0;
  int64_t known_from_ = 0;  // all changes with greater numbers are here
  int64_t completed_ = 0;
  std::optional<absl::Duration> asked_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_RECENT_CHANGES_H_
