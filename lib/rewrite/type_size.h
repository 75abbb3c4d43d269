// How large a type may become: each WITH entry that puts two of the last one's into a STRUCT doubles it.
#ifndef LOGQUERY_LIB_REWRITE_TYPE_SIZE_H_
#define LOGQUERY_LIB_REWRITE_TYPE_SIZE_H_

#include "absl/status/status.h"
#include "logquery/type.h"

namespace logquery::rewrite {

inline constexpr int kMaxTypeFields = 10'000;

// InvalidArgument, without a place: the type has more than kMaxTypeFields fields, those of its fields counted too.
absl::Status CheckTypeSize(const Type& type);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_TYPE_SIZE_H_
