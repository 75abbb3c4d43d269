// Suggests names for a mistyped or abbreviated one.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_NEAREST_NAMES_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_NEAREST_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::shim {

// Returns "; did you mean a, b or c?", the nearest first; empty if no name is near.
std::string DidYouMean(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_NEAREST_NAMES_H_
