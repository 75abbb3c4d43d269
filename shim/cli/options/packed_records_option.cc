// Parses the values of --packed-records. The parser of the command line rejects others; settings in a file may have any text.
#include "shim/cli/options/packed_records_option.h"

#include "absl/status/status.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"

namespace logquery::shim {

absl::StatusOr<PackedRecords> ParsePackedRecords(const std::string& option) {
  if (option == "open-days") return PackedRecords::kOpenDays;
  if (option == "all") return PackedRecords::kAll;
  return absl::InvalidArgumentError(
      base::StrCat("--packed-records must be open-days or all, is ", base::QuotedText(option)));
}

}  // namespace logquery::shim
