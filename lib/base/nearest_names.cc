// Compares names by edit distance.
#include "lib/base/nearest_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::base {
namespace {

constexpr size_t kMostNames = 3;
// No name is that long; it bounds the work for what is no name.
constexpr size_t kLongestName = 64;

// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

size_t AllowedEdits(size_t letters) {
  const size_t third = letters / 3;
  return letters >= 4 ? std::max<size_t>(third, 2) : third;
}

}  // namespace

std::vector<std::string> NearestNames(std::string_view wanted, const std::vector<std::string>& names) {
  if (wanted.size() > kLongestName) return {};
  const std::string lower = ToLower(wanted);
  const size_t allowed = AllowedEdits(lower.size());
  struct Candidate {
    size_t distance;
    const std::string* name;
  };
  std::vector<Candidate> candidates;
  for (const std::string& name : names) {
    if (name.size() > lower.size() + allowed || name.size() + allowed < lower.size()) continue;
    const size_t distance = EditDistance(lower, ToLower(name));
    if (distance <= allowed) candidates.push_back({distance, &name});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::string> nearest;
  for (const Candidate& candidate : candidates) {
    const bool repeated = std::find(nearest.begin(), nearest.end(), *candidate.name) != nearest.end();
    if (!repeated) nearest.push_back(*candidate.name);
    if (nearest.size() == kMostNames) break;
  }
  return nearest;
}

std::string DidYouMean(const std::vector<std::string>& nearest) {
  if (nearest.empty()) return "";
  std::string text = "; did you mean ";
  for (size_t i = 0; i < nearest.size(); ++i) {
    if (i > 0) text += i + 1 == nearest.size() ? " or " : ", ";
    text += nearest[i];
  }
  return text + "?";
}

}  // namespace logquery::base
