// The option --packed-records: for which rows a folder keeps whole records in one value (logquery/packed_records.h).
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_PACKED_RECORDS_OPTION_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_PACKED_RECORDS_OPTION_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/packed_records.h"

namespace logquery::shim {

inline constexpr char kPackedRecordsValues[] = "open-days|all";
inline constexpr char kPackedRecordsHelp[] =
    "The stored rows whose records are kept a second time, packed in one value: open-days, those of today, yesterday "
    "and projects with few rows; all, which makes older pages of busy projects faster and takes more disk";

// InvalidArgument: `option` is neither of the values.
absl::StatusOr<PackedRecords> ParsePackedRecords(const std::string& option);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_PACKED_RECORDS_OPTION_H_
