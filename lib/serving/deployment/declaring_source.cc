// Reads and declares the logs, then reads the definitions.
#include "lib/serving/deployment/declaring_source.h"

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/own_logs_file.h"

namespace logquery::serving {

absl::StatusOr<EndpointSet> DeclaringSource::Read() {
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::OwnLogsFile own, endpoint::ReadOwnLogsFile(schema_, endpoints_));
  if (!own.json.empty() && declare_ != nullptr) LOGQUERY_RETURN_IF_ERROR(declare_(own.path, own.json));
  EndpointSet set;
  if (definitions_ != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(set, definitions_->Read());
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Table> stored, stored_());
  LOGQUERY_ASSIGN_OR_RETURN(const bool added, endpoint::AddOwnLogsEndpoint(own, stored, set.endpoints));
  if (added) base::StrAppend(&set.revision, " ", set.endpoints.back().revision);
  return set;
}

std::unique_ptr<EndpointSource::Watch> DeclaringSource::OnChange(std::function<void()> changed) {
  return definitions_ == nullptr ? nullptr : definitions_->OnChange(std::move(changed));
}

}  // namespace logquery::serving
