// The dictionary with which the packed records of a log's new rows are compressed, trained on a sample of them.
//
//     LogDictionary dictionary(&of_folder);
//     if (dictionary.wants_samples(when)) dictionary.Offer(samples, when);
//     if (const auto now = dictionary.current()) …        // compress the records with it
//     for (const TrainedDictionary& trained : dictionary.unstored()) …   // store it with the rows
//
// A dictionary holds pieces of the rows that it was trained on. Therefore it is known whose rows these were and when they happened,
// so that it goes when they go: packed records that need it are as good as not there then. Each day's first rows train another,
// which replaces the present one if it is better, or if that is a week old, so that a dictionary that goes takes few rows' records
// with it.
//
// Thread-safe.
#ifndef LOGQUERY_LIB_STORE_ROWS_LOG_DICTIONARY_H_
#define LOGQUERY_LIB_STORE_ROWS_LOG_DICTIONARY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/record_dictionary.h"
#include "lib/base/strings.h"
#include "logquery/batch.h"

namespace logquery::store {

// A dictionary and the rows that it was trained on.
struct TrainedDictionary {
  std::shared_ptr<const backend::RecordDictionary> dictionary;
  base::StringSet projects;  // of these rows; rows without a project are not among them
  int64_t oldest = 0;        // the time of the oldest of them, in microseconds since 1970
  int64_t trained_at = 0;    // the same, by the clock
};

class LogDictionary {
 public:
  struct Sample {
    StringRef project;  // empty: none
    int64_t time = 0;   // of the row, in microseconds since 1970
    std::string_view packed;
  };

  // The number of records that a dictionary is trained on; with more, it saves hardly more bytes. The others show whether it is
  // better than the present one.
  static constexpr size_t kTrained = 384;
  static constexpr size_t kSamples = 512;
  // Longer records are no samples.
  static constexpr size_t kMostSampleBytes = 4 << 10;
  // A project has at most so many samples, and at most one in kPart of all rows that were offered: a project with most
  // of the rows, or with rows like no others', does not decide how well the records of all are compressed.
  static constexpr size_t kSamplesOfProject = 32;
  static constexpr size_t kPart = 16;
  // About so many of the rows that are offered together are looked at, from all of them, as these may be ordered by project.
  static constexpr size_t kSamplesOfOffer = 256;

  // A dictionary of so many days is replaced, and an earlier one if records take at most this part of their bytes with another.
  static constexpr int64_t kDays = 7;
  static constexpr double kWorthwhile = 0.9;
  // More than so many are too many: the oldest goes.
  static constexpr size_t kMost = 32;

  // `all` is borrowed: queries find the dictionaries there.
  explicit LogDictionary(backend::RecordDictionaries* all) : all_(all) {}

  // Both in microseconds since 1970.
  struct When {
    int64_t now = 0;        // by the clock
    int64_t open_from = 0;  // the first open day
  };

  // Returns nullptr if there is none yet.
  std::shared_ptr<const backend::RecordDictionary> current() const;
  // Returns whether another dictionary is to be tried: none was tried today on rows of open days.
  bool wants_samples(const When& when) const;
  // Takes some of the samples, and tries to train the next dictionary once there are enough. Those of closed days, which go first,
  // are taken only if there is no dictionary, and one is tried on them once a day as well.
  void Offer(const std::vector<Sample>& samples, const When& when);

  // Adds a dictionary that is stored. The one that was trained last is the current one.
  void Restore(TrainedDictionary stored);
  // Returns those that are not stored, as far as is known.
  std::vector<TrainedDictionary> unstored() const;
  // Notes that the dictionary is stored.
  void NoteStored(uint32_t id);
  // Forgets the dictionaries that were trained on rows of the project, or with nullopt of any, and on rows before that time, or
  // with nullopt of any time; and all samples. Must not be called while rows are stored.
  void Forget(const std::optional<std::string>& project, std::optional<int64_t> before);

 private:
  struct Known {
    TrainedDictionary trained;
    bool is_stored = false;
  };

  // The records so far on which the next dictionary will be trained.
  struct Samples {
    std::string bytes;
    std::vector<size_t> sizes;
    base::StringMap<size_t> of_project;  // their numbers; also of rows without a project
    size_t offered = 0;
    int64_t oldest = 0;
  };

  bool Wants(const When& when) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  void Add(Known known) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns whether there are enough samples now.
  static bool Take(const Sample& sample, Samples& samples);
  // Returns the next dictionary; nullptr: it is not worth replacing `present`, which may be nullptr.
  static absl::StatusOr<std::shared_ptr<const backend::RecordDictionary>> Train(
      const Samples& samples, const backend::RecordDictionary* present);

  backend::RecordDictionaries* const all_;
  mutable absl::Mutex mutex_;
  std::vector<Known> known_ ABSL_GUARDED_BY(mutex_);  // by trained_at, the current one last
  Samples samples_ ABSL_GUARDED_BY(mutex_);
  bool is_training_ ABSL_GUARDED_BY(mutex_) = false;
  // The days, counted since 1970, on which a dictionary was tried last on rows of open and of closed days; -1: never.
  int64_t tried_on_open_ ABSL_GUARDED_BY(mutex_) = -1;
  int64_t tried_on_closed_ ABSL_GUARDED_BY(mutex_) = -1;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_LOG_DICTIONARY_H_
