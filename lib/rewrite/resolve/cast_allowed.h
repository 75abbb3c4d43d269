// The table of casts that GoogleSQL allows, by type.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_CAST_ALLOWED_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_CAST_ALLOWED_H_

#include "logquery/type.h"

namespace logquery::rewrite {

// Returns whether CAST(from AS to) is valid.
bool CastAllowed(const Type& from, const Type& to);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_CAST_ALLOWED_H_
