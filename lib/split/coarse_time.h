// How much of a time a function reads: FORMAT_TIMESTAMP('%H:%M', t) is the same for all t of a minute. So rows can be grouped by the
// minute where the function itself is worked out later.
#ifndef LOGQUERY_LIB_SPLIT_COARSE_TIME_H_
#define LOGQUERY_LIB_SPLIT_COARSE_TIME_H_

#include <string_view>

#include "lib/rewrite/plan.h"

namespace logquery::split {

struct CoarseTime {
  size_t argument = 0;    // which of the call's is the TIMESTAMP
  std::string_view part;  // "SECOND", "MINUTE", "HOUR", "DAY" of UTC; empty: the function may read all of it
};

// Of a call of a function of a TIMESTAMP, without a zone.
CoarseTime CoarseTimeOf(const rewrite::FunctionCall& call);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_COARSE_TIME_H_
