// Pins: values that the engine computes where they are written, and neither moves nor copies.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PINS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PINS_H_

#include <utility>
#include <vector>

#include "lib/rewrite/plan.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

// Values that an engine may keep once for many rows. It reads records and arrays row by row.
inline bool CanPin(const Type& type) { return !type.is_array() && !type.is_struct(); }

// Returns the value, of a type that CanPin takes, pinned.
inline rewrite::ScalarPtr Pinned(rewrite::ScalarPtr value) {
  const Type type = value->type;
  std::vector<rewrite::ScalarPtr> arguments;
  arguments.push_back(std::move(value));
  return rewrite::MakeTypedCall("$pin", type, std::move(arguments));
}

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PINS_H_
