// Which of the names that there are someone may have meant who wrote another.
#ifndef LOGQUERY_LIB_BASE_NEAREST_NAMES_H_
#define LOGQUERY_LIB_BASE_NEAREST_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::base {

// Up to three of `names` that are closest to `wanted` by edit distance without regard to case, the closest first; none
// that differs in more than a third of its letters (at least 2 edits are always allowed for names of 4 letters or
// more). A swap of neighbours is one edit.
std::vector<std::string> NearestNames(std::string_view wanted, const std::vector<std::string>& names);

// "; did you mean a, b or c?", or nothing.
std::string DidYouMean(const std::vector<std::string>& nearest);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_NEAREST_NAMES_H_
