// What a server does with its folder by itself, beside taking logs in and answering.
#ifndef LOGQUERY_SHIM_SERVE_UPKEEP_H_
#define LOGQUERY_SHIM_SERVE_UPKEEP_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "shim/command/commands.h"
#include "shim/command/loading.h"
#include "shim/serve/background.h"

namespace logquery {
struct ClusteredDay;
class LogStore;
}  // namespace logquery

namespace logquery::shim {

// Not started yet. Rows go when `arguments.retain` says so, and closed days are put in order. `store` is borrowed; `log` gets
// what was done. InvalidArgument: `arguments.retain`.
absl::StatusOr<std::vector<std::unique_ptr<BackgroundTask>>> MakeUpkeep(const ServeArguments& arguments,
                                                                        const std::vector<std::string>& logs,
                                                                        LogStore* store, const IntakeLog& log);

// "2,000 rows of edge_logs on 2026-03-04 in 1.2 s"
std::string ClusteredText(const ClusteredDay& day);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_UPKEEP_H_
