// Stores answers, and groups of answers, together with the state of the rows that they were computed from.
//
//     if (std::shared_ptr<KeptAnswer> kept = answers.Find(key); kept != nullptr && kept->state() == now) …
//
// An answer is exact as long as the state is the same and the bounds on the time of rows lie in its stretches. Limited by
// the bytes of its entries; the least recently used ones go first. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_KEPT_ANSWERS_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_KEPT_ANSWERS_H_

#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/recent_rows.h"
#include "lib/endpoint/kept/newest_rows.h"
#include "logquery/content_coding.h"
#include "logquery/query_answer.h"
#include "logquery/shared_text.h"
#include "logquery/value.h"

namespace logquery::endpoint {

// The places (KeptBound::PlaceOf) that a bound may have without a row coming or going.
struct Stretch {
  int64_t from = 0;
  int64_t to = 0;  // inclusive
  bool Has(int64_t place) const { return from <= place && place <= to; }
};

// The facts needed to merge an answer of newest rows with rows that come later.
struct Mergeable {
  std::string epoch;         // RowsState::epoch
  std::vector<RowKey> keys;  // of the answer's rows, which are those of its state
};

class KeptAnswer {
 public:
  // `stretches`: one for each bound of the plan.
  KeptAnswer(QueryAnswer answer, RecentRows::Moment moment, std::vector<Stretch> stretches,
             std::optional<Mergeable> mergeable)
      : answer_(std::move(answer)),
        state_(std::move(moment.state)),
        mergeable_(std::move(mergeable)),
        completed_(std::move(moment.completed)),
        stretches_(std::move(stretches)) {}

  const QueryAnswer& answer() const { return answer_; }
  const std::string& state() const { return state_; }
  const std::optional<Mergeable>& mergeable() const { return mergeable_; }
  std::vector<Stretch> stretches() const {
    absl::MutexLock lock(&mutex_);
    return stretches_;
  }
  // Extends the stretch of one bound.
  void Widen(size_t bound, const Stretch& stretch);
  // The last known moment of the state.
  RecentRows::Moment moment() const {
    absl::MutexLock lock(&mutex_);
    return {completed_, state_};
  }
  void SetCompleted(std::string completed) {
    absl::MutexLock lock(&mutex_);
    completed_ = std::move(completed);
  }

 private:
  const QueryAnswer answer_;
  const std::string state_;
  const std::optional<Mergeable> mergeable_;
  mutable absl::Mutex mutex_;
  std::string completed_ ABSL_GUARDED_BY(mutex_);
  std::vector<Stretch> stretches_ ABSL_GUARDED_BY(mutex_);
};

// The groups of a plan (rewrite::GroupParts), from the rows up to one place.
struct KeptGroups {
  using Rows = std::vector<std::vector<Value>>;

  std::string epoch;            // RowsState::epoch; empty: the next call shall keep them
  bool unfit = false;           // they can't be kept: there are too many, one has no bucket, or it does not pay
  RecentRows::Moment moment;    // of the rows that they are from, at least
  int64_t end = 0;              // the place of the last row that they are from, if they are merged
  std::vector<int64_t> places;  // of the plan's bounds
  Rows rows;                    // by bucket
  // Groups of buckets from here on are computed by each call, since this time of the call's clock; in microseconds.
  int64_t open = std::numeric_limits<int64_t>::max();
  int64_t opened = 0;
  absl::Duration whole;  // what the whole query took
  int slow = 0;          // the last updates, one after another, that took about as long
};

class KeptAnswers {
 public:
  // 0: nothing is kept.
  explicit KeptAnswers(int64_t max_bytes) : max_bytes_(max_bytes) {}

  bool enabled() const { return max_bytes_ > 0; }
  // Returns nullptr if there is none.
  std::shared_ptr<KeptAnswer> Find(std::string_view key);
  // Returns a number that changes with each Clear. To be read before an answer is computed.
  uint64_t clears();
  // Stores the answer, unless everything was cleared since `clears`. Does not store answers above a quarter of the bytes.
  void Put(std::string_view key, std::shared_ptr<KeptAnswer> answer, uint64_t clears);
  // The same for groups. A key of both must not be equal.
  std::shared_ptr<const KeptGroups> FindGroups(std::string_view key);
  void PutGroups(std::string_view key, std::shared_ptr<const KeptGroups> groups, uint64_t clears);
  // Compressed bodies, by the digest of the body that they are of. FindPacked returns nullopt if there is none.
  std::optional<SharedText> FindPacked(ContentCoding coding, const std::string& digest);
  void PutPacked(ContentCoding coding, const std::string& digest, SharedText body, uint64_t clears);
  void Clear();

  int64_t bytes();

 private:
  struct Entry {
    std::string key;
    // One of:
    std::shared_ptr<KeptAnswer> answer;
    std::optional<SharedText> packed;
    std::shared_ptr<const KeptGroups> groups;
    int64_t bytes = 0;
  };

  // Returns nullptr if there is none.
  const Entry* FindEntry(std::string_view key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PutEntry(Entry entry, uint64_t clears);
  void Remove(std::string_view key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int64_t max_bytes_;
  absl::Mutex mutex_;
  uint64_t clears_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);  // the one used last first
  // Views of the entries' own keys.
  absl::flat_hash_map<std::string_view, std::list<Entry>::iterator> by_key_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_KEPT_ANSWERS_H_
