// Finds out whether a fragment's rows are the answer as they come.
#ifndef LOGQUERY_LIB_SPLIT_PASS_THROUGH_H_
#define LOGQUERY_LIB_SPLIT_PASS_THROUGH_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "lib/split/split.h"

namespace logquery::split {

// For each column of the result, the column of the only fragment that it is; the fragment's rows are in the result's
// order. nullopt: the local engine has something to do.
std::optional<std::vector<size_t>> PassThrough(const SplitPlan& split);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_PASS_THROUGH_H_
