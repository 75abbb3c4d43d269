// Looks the name up in the formats of HTTP.
#include "shim/cli/query/row_format.h"

#include "lib/base/strings.h"
#include "shim/http/calls/content_type.h"

namespace logquery::shim {

RowFormat RowFormatNamed(std::string_view name) { return ChooseFormat(name, "").value_or(RowFormat::kJson); }

bool IsBinary(RowFormat format) { return format == RowFormat::kArrow || format == RowFormat::kParquet; }

absl::Status CheckTerminalShows(std::string_view format, std::string_view command, const Terminal& terminal) {
  if (!terminal.out_is_terminal || !IsBinary(RowFormatNamed(format))) return absl::OkStatus();
  return absl::InvalidArgumentError(
      base::StrCat("--format ", format, " writes bytes that a terminal can't show; send them to a file: logquery ",
                   command, " … >rows.", format));
}

}  // namespace logquery::shim
