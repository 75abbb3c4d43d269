// Formats events as log lines.
#include "lib/serving/deployment/service_log.h"

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

void AddNames(std::string_view what, const std::vector<std::string>& names, std::string& line) {
  if (!names.empty()) base::StrAppend(&line, line.empty() ? "" : "; ", what, " ", base::Join(names, ", "));
}

}  // namespace

void ServiceLog::OnDefinitions(const DefinitionsEvent& event) noexcept {
  if (next_ != nullptr) next_->OnDefinitions(event);
  bool recovered = false;
  {
    absl::MutexLock lock(&mutex_);
    recovered = event.status.ok() && !definitions_.ok();
    const bool is_about_files = event.cause != DefinitionsEvent::Cause::kTables;
    if (!event.status.ok() && is_about_files && report_ != nullptr) report_->Ask();
    definitions_ = event.status;
  }
  // Whoever asked for a reload has the status, and says what came of it.
  if (!event.status.ok() && event.cause == DefinitionsEvent::Cause::kAsked) return;
  if (!event.status.ok()) {
    const bool tables = event.cause == DefinitionsEvent::Cause::kTables;
    log_("error", base::StrCat(tables ? "the endpoints can't be planned for the tables as they are now"
                                      : "the definitions can't be taken over",
                               "; the endpoints stay as they were: ", base::Message(event.status)));
    return;
  }
  std::string line;
  AddNames("added", event.added, line);
  AddNames("changed", event.changed, line);
  AddNames("removed", event.removed, line);
  if (line.empty() && recovered) line = "in order again, and as they were";
  if (!line.empty())
    log_("info",
         base::StrCat("definitions: ", line, "; ", event.endpoints, event.endpoints == 1 ? " endpoint" : " endpoints"));
}

void ServiceLog::OnEngineFailure(const EngineFailureEvent& event) noexcept {
  if (next_ != nullptr) next_->OnEngineFailure(event);
  log_("warning",
       base::StrCat("query ", event.query_id, " of ", event.origin.endpoint,
                    " runs again with bare scans in the engine, which failed: ", base::Message(event.status)));
}

}  // namespace logquery::serving
