// Formats lists of types for messages.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_TYPE_LIST_TEXT_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_TYPE_LIST_TEXT_H_

#include <string>
#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Returns the distinct types of the scalars: "INT64, DATE and STRING".
std::string TypeListText(const std::vector<const Scalar*>& scalars);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_TYPE_LIST_TEXT_H_
