// Converts a fragment's bindings for libpq: typed, in PostgreSQL's binary format.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_PARAMETERS_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_PARAMETERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/prepared_query.h"

namespace logquery::postgres {

// The OIDs of PostgreSQL's built-in types (pg_type.dat), which never change.
enum TypeId : uint32_t {
  kBoolId = 16,
  kByteaId = 17,
  kNameId = 19,
  kInt8Id = 20,
  kInt2Id = 21,
  kInt4Id = 23,
  kTextId = 25,
  kFloat4Id = 700,
  kFloat8Id = 701,
  kBpcharId = 1042,
  kVarcharId = 1043,
  kDateId = 1082,
  kTimestampId = 1114,
  kTimestamptzId = 1184,
  kUuidId = 2950,
  kJsonbId = 3802,
};

// PostgreSQL counts time from the year 2000.
inline constexpr int64_t kEpochMicros = 946'684'800'000'000;
inline constexpr int32_t kEpochDays = 10'957;

class Parameters {
 public:
  // InvalidArgument: text with a NUL or invalid UTF-8, which PostgreSQL's text type can't represent. Internal: a type
  // that the dialect does not bind.
  static absl::StatusOr<Parameters> Of(const Bindings& bindings);

  int count() const { return static_cast<int>(types_.size()); }
  const uint32_t* types() const { return types_.data(); }
  // Valid while this object lives unchanged.
  std::vector<const char*> values() const;
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  std::vector<uint32_t> types_;
  std::vector<std::string> bytes_;
  std::vector<bool> nulls_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_PARAMETERS_H_
