// Finds the longest common subsequence of the rows between the common prefix and suffix.
#include "shim/cli/query/row_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace logquery::shim {
namespace {

using Rows = std::vector<std::string>;

// Beyond this many comparisons rows are compared one by one, in order.
constexpr size_t kMostComparisons = 4'000'000;

// lengths[i][j]: of the longest common subsequence of expected[i..] and got[j..].
std::vector<std::vector<uint32_t>> CommonLengths(const Rows& expected, const Rows& got) {
  std::vector<std::vector<uint32_t>> lengths(expected.size() + 1, std::vector<uint32_t>(got.size() + 1));
  for (size_t i = expected.size(); i-- > 0;) {
    for (size_t j = got.size(); j-- > 0;) {
      lengths[i][j] =
          expected[i] == got[j] ? lengths[i + 1][j + 1] + 1 : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

Rows AllLines(const Rows& expected, const Rows& got) {
  Rows lines;
  const bool whole = (expected.size() + 1) * (got.size() + 1) <= kMostComparisons;
  const auto lengths = whole ? CommonLengths(expected, got) : std::vector<std::vector<uint32_t>>();
  size_t i = 0, j = 0;
  while (i < expected.size() || j < got.size()) {
    const bool both = i < expected.size() && j < got.size();
    if (both && expected[i] == got[j]) {
      lines.push_back("  " + expected[i++]);
      ++j;
    } else if (i < expected.size() && (!both || !whole || lengths[i + 1][j] >= lengths[i][j + 1])) {
      lines.push_back("- " + expected[i++]);
      if (!whole && j < got.size()) lines.push_back("+ " + got[j++]);
    } else {
      lines.push_back("+ " + got[j++]);
    }
  }
  return lines;
}

}  // namespace

Rows DiffRows(const Rows& expected, const Rows& got) {
  if (expected == got) return {};
  const Rows lines = AllLines(expected, got);
  Rows shown;
  bool gap = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto differs = [&lines](size_t at) { return at < lines.size() && lines[at][0] != ' '; };
    const bool near = differs(i) || differs(i + 1) || (i > 0 && differs(i - 1));
    if (near) shown.push_back(lines[i]);
    if (!near && !gap) shown.emplace_back("  …");
    gap = !near;
  }
  return shown;
}

}  // namespace logquery::shim
