// A queue of changes, of which the oldest lose their rows first, and then go.
#include "lib/store/tables/recent_changes.h"

#include <algorithm>

namespace logquery::store {

void RecentChanges::Clear(int64_t known_from) {
  changes_.clear();
  projects_ = 0;
  bytes_ = 0;
  known_from_ = known_from;
}

void RecentChanges::Add(const BookedChange& change) {
  const int64_t number = change.number.number;
  if (changes_.empty() || changes_.back().number >= number) Clear(std::max(known_from_, number - 1));
  projects_ += change.rows.projects().size();
  if (change.added != nullptr) bytes_ += change.added->bytes();
  changes_.push_back({number, change.rows, change.added});
  while (changes_.size() > 1 && (changes_.size() > kMaxChanges || projects_ > kMaxProjects)) DropFirst();
  DropRows(kMaxBytes);
}

void RecentChanges::Completed() {
  if (!changes_.empty()) completed_ = changes_.back().number;
}

void RecentChanges::Failed() {
  if (!changes_.empty()) Clear(changes_.back().number);
}

void RecentChanges::DropFirst() {
  const Change& first = changes_.front();
  known_from_ = first.number;
  projects_ -= first.rows.projects().size();
  if (first.added != nullptr) bytes_ -= first.added->bytes();
  changes_.pop_front();
}

void RecentChanges::DropRows(size_t most) {
  for (Change& change : changes_) {
    if (bytes_ <= most) return;
    if (change.added == nullptr) continue;
    bytes_ -= change.added->bytes();
    change.added = nullptr;
  }
}

std::optional<int64_t> RecentChanges::EarliestAfter(const std::optional<std::string>& project, int64_t number) const {
  if (changes_.empty() || number < known_from_) return std::nullopt;
  int64_t earliest = kNoRow;
  for (auto change = changes_.rbegin(); change != changes_.rend() && change->number > number; ++change) {
    earliest = std::min(earliest, change->rows.EarliestOf(project).value_or(kNoRow));
  }
  return earliest;
}

std::optional<RecentChanges::Rows> RecentChanges::RowsBetween(const std::optional<std::string>& project, int64_t after,
                                                              int64_t last) const {
  if (changes_.empty() || after < known_from_ || changes_.back().number < last) return std::nullopt;
  Rows rows;
  for (auto change = changes_.rbegin(); change != changes_.rend() && change->number > after; ++change) {
    if (change->number > last || !change->rows.IsOf(project)) continue;
    if (change->added == nullptr || !change->added->is_whole()) return std::nullopt;
    rows.push_back(change->added);
  }
  return rows;
}

}  // namespace logquery::store
