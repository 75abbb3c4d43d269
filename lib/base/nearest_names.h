// Suggests existing names for a mistyped one.
#ifndef LOGQUERY_LIB_BASE_NEAREST_NAMES_H_
#define LOGQUERY_LIB_BASE_NEAREST_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::base {

// Returns up to three of `names` with the smallest edit distance from `wanted`, ignoring case, the closest first. Names
// that differ in more than a third of their letters are excluded, but 2 edits are always allowed for names of 4 or more
// letters. Swapping two adjacent letters is one edit. Where there are none, returns those that `wanted` abbreviates best, or that
// abbreviate it best: "lvl" and "level". Paths are not abbreviated.
std::vector<std::string> NearestNames(std::string_view wanted, const std::vector<std::string>& names);

// Returns "; did you mean a, b or c?", or an empty text.
std::string DidYouMean(const std::vector<std::string>& nearest);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_NEAREST_NAMES_H_
