// Decides which retention rule applies to each log of a folder; maintenance.h defines the order of precedence.
#ifndef LOGQUERY_LIB_SERVING_STORE_RETENTION_RULES_H_
#define LOGQUERY_LIB_SERVING_STORE_RETENTION_RULES_H_

#include <vector>

#include "absl/status/status.h"
#include "logquery/catalog.h"
#include "logquery/store/disk_retention.h"

namespace logquery::serving {

// InvalidArgument: a rule names no log of the catalog, two rules are for the same log, or a limit is not positive.
absl::Status CheckRetention(const std::vector<RetentionRule>& rules, const Catalog& catalog);

// Returns the rule of each log that has one, in the catalog's order, with the table's name. `declared` are the rules that
// logs were declared with.
std::vector<RetentionRule> RulesOfLogs(const std::vector<RetentionRule>& rules,
                                       const std::vector<RetentionRule>& declared, const Catalog& catalog);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_STORE_RETENTION_RULES_H_
