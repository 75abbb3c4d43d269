// Ranks names by edit distance.
#include "shim/http/about/nearest_names.h"

#include <algorithm>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

}  // namespace

std::string DidYouMean(std::string_view wanted, const std::vector<std::string>& names) {
  std::vector<std::pair<size_t, std::string>> near;
  const std::string lower = base::ToLower(wanted.substr(0, 100));
  for (const std::string& name : names) {
    const bool begins =
        lower.size() >= 2 && base::EqualsIgnoreCase(lower, std::string_view(name).substr(0, lower.size()));
    const size_t distance = begins ? 0 : EditDistance(lower, base::ToLower(name));
    if (distance <= std::max<size_t>(2, name.size() / 3)) near.emplace_back(distance, name);
  }
  std::sort(near.begin(), near.end());
  std::string text;
  const size_t count = std::min<size_t>(near.size(), 3);
  for (size_t i = 0; i < count; ++i) {
    text += i == 0 ? "; did you mean " : i + 1 == count ? " or " : ", ";
    text += near[i].second;
  }
  return text.empty() ? text : text + "?";
}

}  // namespace logquery::shim
