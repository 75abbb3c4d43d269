// Limits the size of types: each WITH entry that puts the previous entry into a STRUCT twice doubles a type's size.
#ifndef LOGQUERY_LIB_REWRITE_TYPE_SIZE_H_
#define LOGQUERY_LIB_REWRITE_TYPE_SIZE_H_

#include "absl/status/status.h"
#include "logquery/type.h"

namespace logquery::rewrite {

inline constexpr int kMaxTypeFields = 10'000;

// InvalidArgument, without a place: the type has more than kMaxTypeFields fields, counting nested ones.
absl::Status CheckTypeSize(const Type& type);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_TYPE_SIZE_H_
