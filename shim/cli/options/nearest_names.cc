// Adds one rule to lib/base/nearest_names.h: people abbreviate what they type.
#include "shim/cli/options/nearest_names.h"

#include <algorithm>

#include "lib/base/nearest_names.h"
#include "lib/base/strings.h"

namespace logquery::shim {

std::string DidYouMean(std::string_view wanted, const std::vector<std::string>& names) {
  std::vector<std::string> near;
  for (const std::string& name : names) {
    const std::string_view beginning = std::string_view(name).substr(0, wanted.size());
    if (wanted.size() >= 2 && base::EqualsIgnoreCase(wanted, beginning)) near.push_back(name);
  }
  std::sort(near.begin(), near.end());
  for (const std::string& name : base::NearestNames(wanted, names)) {
    if (std::find(near.begin(), near.end(), name) == near.end()) near.push_back(name);
  }
  near.resize(std::min<size_t>(near.size(), 3));
  return base::DidYouMean(near);
}

}  // namespace logquery::shim
