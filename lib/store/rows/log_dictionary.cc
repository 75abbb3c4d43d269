// Trains outside of the lock, so that other threads go on storing rows.
#include "lib/store/rows/log_dictionary.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "absl/status/statusor.h"

namespace logquery::store {
namespace {

constexpr int64_t kDay = int64_t{24} * 60 * 60 * 1'000'000;

int64_t DayOf(int64_t time) { return time / kDay; }

// Returns whether the rows that it was trained on were of days that were closed then.
bool OfClosedDays(const TrainedDictionary& trained) { return DayOf(trained.oldest) < DayOf(trained.trained_at) - 1; }

// Returns the bytes that the records take with this dictionary; `sizes` are theirs, one after the other.
size_t BytesWith(const backend::RecordDictionary& dictionary, std::string_view records, std::span<const size_t> sizes) {
  backend::RecordCompressor compressor;
  std::string compressed;
  for (const size_t size : sizes) {
    compressor.Compress(dictionary, records.substr(0, size), compressed);
    records.remove_prefix(size);
  }
  return compressed.size();
}

}  // namespace

std::shared_ptr<const backend::RecordDictionary> LogDictionary::current() const {
  absl::MutexLock lock(&mutex_);
  return known_.empty() ? nullptr : known_.back().trained.dictionary;
}

bool LogDictionary::Wants(const When& when) const { return !is_training_ && tried_on_open_ != DayOf(when.now); }

bool LogDictionary::wants_samples(const When& when) const {
  absl::MutexLock lock(&mutex_);
  return Wants(when);
}

bool LogDictionary::Take(const Sample& sample, Samples& samples) {
  if (sample.packed.size() > kMostSampleBytes) return false;
  size_t& taken = samples.of_project[std::string(sample.project.view())];
  if (taken >= std::max(kSamplesOfProject, samples.offered / kPart)) return false;
  ++taken;
  samples.oldest = samples.sizes.empty() ? sample.time : std::min(samples.oldest, sample.time);
  samples.bytes += sample.packed;
  samples.sizes.push_back(sample.packed.size());
  return samples.sizes.size() == kSamples;
}

void LogDictionary::Offer(const std::vector<Sample>& samples, const When& when) {
  Samples enough;
  std::shared_ptr<const backend::RecordDictionary> present;
  bool must_go = false;
  {
    absl::MutexLock lock(&mutex_);
    if (!Wants(when)) return;
    const bool takes_closed = known_.empty() && tried_on_closed_ != DayOf(when.now);
    const int64_t from = takes_closed ? std::numeric_limits<int64_t>::min() : when.open_from;
    samples_.offered += samples.size();
    const size_t step = std::max<size_t>(samples.size() / kSamplesOfOffer, 1);
    bool is_complete = false;
    for (size_t i = 0; i < samples.size() && !is_complete; i += step) {
      is_complete = samples[i].time >= from && Take(samples[i], samples_);
    }
    if (!is_complete) return;
    enough = std::exchange(samples_, {});
    is_training_ = true;
    (enough.oldest < when.open_from ? tried_on_closed_ : tried_on_open_) = DayOf(when.now);
    if (!known_.empty()) {
      const TrainedDictionary& newest = known_.back().trained;
      present = newest.dictionary;
      must_go = OfClosedDays(newest) || DayOf(when.now) - DayOf(newest.trained_at) >= kDays;
    }
  }
  absl::StatusOr<std::shared_ptr<const backend::RecordDictionary>> next =
      Train(enough, must_go ? nullptr : present.get());
  absl::MutexLock lock(&mutex_);
  is_training_ = false;
  // Without one the records are stored as they are, and the next day's rows are tried.
  if (!next.ok() || *next == nullptr) return;
  TrainedDictionary trained = {*std::move(next), {}, enough.oldest, when.now};
  for (const auto& [project, count] : enough.of_project) {
    if (count > 0 && !project.empty()) trained.projects.insert(project);
  }
  Add({std::move(trained), /*is_stored=*/false});
}

// Those records that the dictionary was trained on itself do not tell how well it does.
absl::StatusOr<std::shared_ptr<const backend::RecordDictionary>> LogDictionary::Train(
    const Samples& samples, const backend::RecordDictionary* present) {
  const std::vector<size_t> trained(samples.sizes.begin(), samples.sizes.begin() + kTrained);
  const size_t bytes = std::accumulate(trained.begin(), trained.end(), size_t{0});
  const std::string_view all = samples.bytes;
  absl::StatusOr<std::shared_ptr<const backend::RecordDictionary>> next =
      backend::RecordDictionary::Train(all.substr(0, bytes), trained);
  if (!next.ok() || present == nullptr) return next;
  const std::span<const size_t> others = std::span(samples.sizes).subspan(kTrained);
  const auto with = [&](const backend::RecordDictionary& dictionary) {
    return static_cast<double>(BytesWith(dictionary, all.substr(bytes), others));
  };
  if (with(**next) < kWorthwhile * with(*present)) return next;
  return nullptr;
}

void LogDictionary::Add(Known known) {
  const auto later = std::find_if(known_.begin(), known_.end(), [&](const Known& other) {
    return other.trained.trained_at > known.trained.trained_at;
  });
  all_->Add(known.trained.dictionary);
  known_.insert(later, std::move(known));
  if (known_.size() <= kMost) return;
  all_->Remove(known_.front().trained.dictionary->id());
  known_.erase(known_.begin());
}

void LogDictionary::Restore(TrainedDictionary stored) {
  absl::MutexLock lock(&mutex_);
  int64_t& tried = OfClosedDays(stored) ? tried_on_closed_ : tried_on_open_;
  tried = std::max(tried, DayOf(stored.trained_at));
  Add({std::move(stored), /*is_stored=*/true});
}

std::vector<TrainedDictionary> LogDictionary::unstored() const {
  absl::MutexLock lock(&mutex_);
  std::vector<TrainedDictionary> unstored;
  for (const Known& known : known_) {
    if (!known.is_stored) unstored.push_back(known.trained);
  }
  return unstored;
}

void LogDictionary::NoteStored(uint32_t id) {
  absl::MutexLock lock(&mutex_);
  for (Known& known : known_) known.is_stored = known.is_stored || known.trained.dictionary->id() == id;
}

void LogDictionary::Forget(const std::optional<std::string>& project, std::optional<int64_t> before) {
  absl::MutexLock lock(&mutex_);
  samples_ = {};
  const size_t forgotten = std::erase_if(known_, [&](const Known& known) {
    const TrainedDictionary& trained = known.trained;
    if (project.has_value() && !trained.projects.contains(*project)) return false;
    if (before.has_value() && trained.oldest >= *before) return false;
    all_->Remove(trained.dictionary->id());
    return true;
  });
  if (forgotten > 0) tried_on_open_ = tried_on_closed_ = -1;
}

}  // namespace logquery::store
