// Keeps names that rows have taught out of error messages. Such a name may come from another project's rows, so it must
// not be suggested; a query that knows it may use it.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_LEARNED_NAMES_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_LEARNED_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "logquery/catalog.h"

namespace logquery::rewrite {

// Returns whether only learned fields of the catalog's tables have this name, in any case. `catalog` may be nullptr.
bool IsLearnedName(std::string_view name, const Catalog* catalog);
// Returns the names without those, in their order.
std::vector<std::string> WithoutLearnedNames(std::vector<std::string> names, const Catalog* catalog);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_LEARNED_NAMES_H_
