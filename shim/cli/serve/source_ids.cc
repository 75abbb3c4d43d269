// UUIDs that differ in letter case alone are the same.
#include "shim/cli/serve/source_ids.h"

#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/uuid.h"

namespace logquery::shim {

absl::StatusOr<std::map<std::string, std::string>> ParseSourceIds(const std::vector<std::string>& options) {
  std::map<std::string, std::string> ids;
  for (const std::string& option : options) {
    for (const absl::string_view part : absl::StrSplit(option, ',')) {
      const std::string_view text(part.data(), part.size());
      const size_t equals = text.find('=');
      const std::string_view id = text.substr(0, equals);
      if (equals == text.npos || equals + 1 == text.size() || !IsUuid(id)) {
        return absl::InvalidArgumentError(
            base::StrCat("--source-ids ", base::QuotedText(text),
                         ": it is UUID=LOG, such as 0f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4=edge_logs"));
      }
      if (!ids.emplace(absl::AsciiStrToLower(base::ToAbsl(id)), text.substr(equals + 1)).second) {
        return absl::InvalidArgumentError(base::StrCat("--source-ids names the UUID ", id, " twice"));
      }
    }
  }
  return ids;
}

}  // namespace logquery::shim
