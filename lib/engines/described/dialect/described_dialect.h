// The dialect of an engine that an embedding program describes as data.
#ifndef LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_DIALECT_H_
#define LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_DIALECT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "logquery/experimental/engine_spellings.h"

namespace logquery::emit {

// Returns a dialect with powers(). Statuses: those of CheckEngineSpellings.
absl::StatusOr<std::unique_ptr<SqlDialect>> MakeDescribedDialect(const EngineSpellings& spellings);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DESCRIBED_DIALECT_DESCRIBED_DIALECT_H_
