#include "lib/base/status_macros.h"
#include "lib/rewrite/resolver_impl.h"

namespace logquery::rewrite {

absl::StatusOr<Named> Resolver::ResolvePipes(const sql::Query& query, Named, const Scope*) {
  return Unsupported(query.pipes.front().span, "pipe syntax is not supported yet");
}

}  // namespace logquery::rewrite
