// Which casts there are, by the types alone.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_CAST_ALLOWED_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_CAST_ALLOWED_H_

#include "logquery/type.h"

namespace logquery::rewrite {

// Whether CAST(from AS to) exists at all.
bool CastAllowed(const Type& from, const Type& to);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_CAST_ALLOWED_H_
