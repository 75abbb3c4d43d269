// Determines how much of a time a function reads: FORMAT_TIMESTAMP('%H:%M', t) is the same for all t of a minute. Rows
// can then be grouped by the minute before the function is evaluated.
#ifndef LOGQUERY_LIB_SPLIT_COARSE_TIME_H_
#define LOGQUERY_LIB_SPLIT_COARSE_TIME_H_

#include <string_view>

#include "lib/rewrite/plan.h"

namespace logquery::split {

struct CoarseTime {
  size_t argument = 0;    // index of the call's TIMESTAMP argument
  std::string_view part;  // "SECOND", "MINUTE", "HOUR", "DAY" in UTC; empty: it may read the whole time
};

// `call` is a call of a function on a TIMESTAMP, without a time zone.
CoarseTime CoarseTimeOf(const rewrite::FunctionCall& call);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_COARSE_TIME_H_
