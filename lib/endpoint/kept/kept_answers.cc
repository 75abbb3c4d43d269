// An LRU list of answers and compressed bodies, limited by bytes.
#include "lib/endpoint/kept/kept_answers.h"

#include <algorithm>

#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

// The memory that an entry takes beside its texts, and a little over.
constexpr int64_t kEntryBytes = 1'024;

int64_t BytesOfKept(const KeptAnswer& kept) {
  const QueryAnswer& answer = kept.answer();
  size_t bytes = answer.body.text().capacity() + answer.receipt.capacity() + kept.state().capacity() +
                 answer.schema.size() * sizeof(Field);
  if (kept.mergeable().has_value()) {
    for (const RowKey& key : kept.mergeable()->keys) bytes += sizeof(key) + key.id.size();
  }
  return static_cast<int64_t>(bytes);
}

int64_t BytesOfGroups(const KeptGroups& groups) {
  size_t bytes = groups.epoch.size() + groups.places.size() * sizeof(int64_t);
  for (const std::vector<Value>& row : groups.rows) {
    bytes += sizeof(std::vector<Value>) + row.size() * sizeof(Value);
    for (const Value& value : row) {
      const bool is_text = value.type().is(TypeKind::kString) || value.type().is(TypeKind::kBytes) ||
                           value.type().is(TypeKind::kNumeric);
      if (is_text && !value.is_null()) bytes += value.string_value().size();
    }
  }
  return static_cast<int64_t>(bytes);
}

// No other key begins with a coding's name: they begin with a length.
std::string PackedKey(ContentCoding coding, const std::string& digest) {
  return base::StrCat(ContentCodingName(coding), " ", digest);
}

}  // namespace

void KeptAnswer::Widen(size_t bound, const Stretch& stretch) {
  absl::MutexLock lock(&mutex_);
  stretches_[bound].from = std::min(stretches_[bound].from, stretch.from);
  stretches_[bound].to = std::max(stretches_[bound].to, stretch.to);
}

const KeptAnswers::Entry* KeptAnswers::FindEntry(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &entries_.front();
}

std::shared_ptr<KeptAnswer> KeptAnswers::Find(std::string_view key) {
  absl::MutexLock lock(&mutex_);
  const Entry* const entry = FindEntry(key);
  return entry == nullptr ? nullptr : entry->answer;
}

std::shared_ptr<const KeptGroups> KeptAnswers::FindGroups(std::string_view key) {
  absl::MutexLock lock(&mutex_);
  const Entry* const entry = FindEntry(key);
  return entry == nullptr ? nullptr : entry->groups;
}

std::optional<SharedText> KeptAnswers::FindPacked(ContentCoding coding, const std::string& digest) {
  const std::string key = PackedKey(coding, digest);
  absl::MutexLock lock(&mutex_);
  const Entry* const entry = FindEntry(key);
  return entry == nullptr ? std::nullopt : entry->packed;
}

uint64_t KeptAnswers::clears() {
  absl::MutexLock lock(&mutex_);
  return clears_;
}

void KeptAnswers::Put(std::string_view key, std::shared_ptr<KeptAnswer> answer, uint64_t clears) {
  const auto bytes = BytesOfKept(*answer);
  PutEntry({std::string(key), std::move(answer), std::nullopt, nullptr, bytes}, clears);
}

void KeptAnswers::PutGroups(std::string_view key, std::shared_ptr<const KeptGroups> groups, uint64_t clears) {
  const int64_t bytes = BytesOfGroups(*groups);
  PutEntry({std::string(key), nullptr, std::nullopt, std::move(groups), bytes}, clears);
}

void KeptAnswers::PutPacked(ContentCoding coding, const std::string& digest, SharedText body, uint64_t clears) {
  const auto bytes = static_cast<int64_t>(body.size());
  PutEntry({PackedKey(coding, digest), nullptr, std::move(body), nullptr, bytes}, clears);
}

void KeptAnswers::PutEntry(Entry entry, uint64_t clears) {
  entry.bytes += static_cast<int64_t>(entry.key.size()) + kEntryBytes;
  absl::MutexLock lock(&mutex_);
  if (clears != clears_) return;
  Remove(entry.key);
  if (entry.bytes > max_bytes_ / 4) return;
  bytes_ += entry.bytes;
  entries_.push_front(std::move(entry));
  by_key_.emplace(entries_.front().key, entries_.begin());
  while (bytes_ > max_bytes_) Remove(entries_.back().key);
}

void KeptAnswers::Remove(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  const std::list<Entry>::iterator entry = found->second;
  bytes_ -= entry->bytes;
  by_key_.erase(found);
  entries_.erase(entry);
}

void KeptAnswers::Clear() {
  std::list<Entry> entries;  // freed after the lock
  absl::MutexLock lock(&mutex_);
  ++clears_;
  by_key_.clear();
  entries.swap(entries_);
  bytes_ = 0;
}

int64_t KeptAnswers::bytes() {
  absl::MutexLock lock(&mutex_);
  return bytes_;
}

}  // namespace logquery::endpoint
