// Compares names by edit distance, and then as abbreviations.
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

// The letters that `shorter` leaves out of `longer`, both in lower case: 2 of "lvl" and "level". npos: it is no abbreviation, which
// begins with the same letter and has the others in order.
size_t LettersLeftOut(std::string_view shorter, std::string_view longer) {
  constexpr size_t kShortest = 2;
  // Options all begin with dashes.
  while (shorter.starts_with('-') && longer.starts_with('-')) {
    shorter.remove_prefix(1);
    longer.remove_prefix(1);
  }
  if (shorter.size() < kShortest || shorter.size() >= longer.size() || shorter[0] != longer[0]) return shorter.npos;
  size_t at = 0;
  for (const char letter : longer) {
    if (at < shorter.size() && letter == shorter[at]) ++at;
  }
  return at == shorter.size() ? longer.size() - shorter.size() : shorter.npos;
}

// The names that `wanted` abbreviates best, or that are the best abbreviations of it.
std::vector<std::string> Abbreviations(const std::string& wanted, const std::vector<std::string>& names) {
  std::vector<std::string> nearest;
  size_t fewest = std::string::npos;
  for (const std::string& name : names) {
    if (name.size() > kLongestName) continue;
    const std::string lower = ToLower(name);
    const size_t left_out =
        lower.size() > wanted.size() ? LettersLeftOut(wanted, lower) : LettersLeftOut(lower, wanted);
    if (left_out == std::string::npos || left_out > fewest) continue;
    if (left_out < fewest) nearest.clear();
    fewest = left_out;
    const bool repeated = std::find(nearest.begin(), nearest.end(), name) != nearest.end();
    if (!repeated && nearest.size() < kMostNames) nearest.push_back(name);
  }
  return nearest;
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
  const bool is_path = lower.find('/') != std::string::npos;
  return nearest.empty() && !is_path ? Abbreviations(lower, names) : nearest;
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
