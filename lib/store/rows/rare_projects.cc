// Keeps the number of rows in each class of projects up to date with each row, so that a chunk costs a walk over the classes.
#include "lib/store/rows/rare_projects.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace logquery::store {
namespace {

constexpr double kMicrosecondsOfDay = 86'400e6;

// A project with few rows so far may have more of them than its share, by so many standard deviations.
constexpr double kDeviations = 1.5;

int64_t LeastOf(int64_t rows) {
  const auto counted = static_cast<double>(rows);
  return std::max<int64_t>(1, static_cast<int64_t>(counted - kDeviations * std::sqrt(counted)));
}

}  // namespace

size_t RareProjects::ClassOf(int64_t rows) {
  const auto number = static_cast<uint64_t>(rows);
  const auto power = static_cast<size_t>(std::bit_width(number | 1)) - 1;
  // Below four, each number is a class.
  return power < 2 ? number : 4 * (power - 1) + ((number >> (power - 2)) & 3);
}

void RareProjects::Count(const std::vector<Row>& rows) {
  if (rows.empty()) return;
  const absl::MutexLock lock(&mutex_);
  for (const Row& row : rows) CountRow(row);
  AddTimes(rows);
}

void RareProjects::Find(std::vector<Row>& rows) {
  if (rows.empty()) return;
  const absl::MutexLock lock(&mutex_);
  const size_t classes = ClassesOf(rows_ / kRarePart);
  const size_t classes_to_stay = ClassesOf(rows_ / kMostRarePart);
  for (Row& row : rows) {
    row.is_rare = false;
    const auto counted = projects_.find(row.project.view());
    if (counted == projects_.end()) continue;
    Project& project = counted->second;
    const int64_t least = LeastOf(project.rows);
    project.was_rare = static_cast<double>(least) <= kMostRareRowsOfDay * days_ &&
                       ClassOf(least) < (project.was_rare ? classes_to_stay : classes);
    row.is_rare = project.was_rare && (rare_rows_ + 1) * kLimitPart <= rows_;
    rare_rows_ += row.is_rare ? 1 : 0;
  }
}

void RareProjects::CountRow(const Row& row) {
  ++rows_;
  auto known = projects_.find(row.project.view());
  if (known == projects_.end()) {
    if (projects_.size() >= kMostCountedProjects) return;
    known = projects_.emplace(std::string(row.project.view()), Project()).first;
  }
  int64_t& rows = known->second.rows;
  rows_of_class_[ClassOf(rows)] -= rows;
  ++rows;
  rows_of_class_[ClassOf(rows)] += rows;
}

void RareProjects::AddTimes(const std::vector<Row>& rows) {
  const auto [first, last] =
      std::minmax_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
  // Times may be further apart than the type's numbers reach.
  days_ += (static_cast<double>(last->time) - static_cast<double>(first->time)) / kMicrosecondsOfDay;
}

size_t RareProjects::ClassesOf(int64_t rows) const {
  size_t classes = 0;
  for (; classes < kClasses && rows_of_class_[classes] <= rows; ++classes) rows -= rows_of_class_[classes];
  return classes;
}

}  // namespace logquery::store
