// The UUIDs by which clients of Logflare may name a source, and the logs that they stand for.
#ifndef LOGQUERY_SHIM_HTTP_LOGS_SOURCE_IDS_H_
#define LOGQUERY_SHIM_HTTP_LOGS_SOURCE_IDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/strings.h"

namespace logquery::shim {

// The log's name of each UUID, which is in lower case.
using SourceIds = base::StringMap<std::string>;

// Options are UUID=LOG, or lists of it. InvalidArgument: one has another form, or a UUID comes twice.
absl::StatusOr<SourceIds> ParseSourceIds(const std::vector<std::string>& options);

// Returns the log that the source stands for if it is one of the UUIDs, and the source itself otherwise. Borrows from both.
std::string_view LogOfSource(const SourceIds& ids, std::string_view source);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_LOGS_SOURCE_IDS_H_
