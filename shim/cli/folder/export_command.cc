// `logquery export`: the rows of a data folder as Parquet files.
#include <optional>
#include <string>
#include <utility>

#include "absl/time/civil_time.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

absl::Status ReadDay(std::string_view option, const std::string& text, std::optional<absl::CivilDay>& day) {
  if (text.empty()) return absl::OkStatus();
  absl::CivilDay read;
  // Written as it is read, so that neither "2026-1-5" nor "2026-02-30" is one.
  if (!absl::ParseCivilTime(text, &read) || absl::FormatCivilTime(read) != text) {
    return absl::InvalidArgumentError(base::StrCat(option, " wants a day such as 2026-01-15, is ", text));
  }
  day = read;
  return absl::OkStatus();
}

absl::StatusOr<Exported> Export(const ExportArguments& arguments, const Terminal& terminal) {
  ExportJob job;
  job.folder = arguments.data;
  job.target = arguments.out;
  job.logs = arguments.logs;
  job.database = arguments.database;
  job.layout = arguments.layout;
  job.memory_limit_bytes = arguments.memory_limit_mb << 20;
  LOGQUERY_RETURN_IF_ERROR(ReadDay("--from", arguments.from, job.from));
  LOGQUERY_RETURN_IF_ERROR(ReadDay("--to", arguments.to, job.to));
  job.on_file = [&](const std::string& name, int64_t rows, std::optional<int64_t> before) {
    if (!PrintsNotes(arguments.reporting)) return;
    terminal.err << name << ": " << Counted(rows, "row");
    if (before) terminal.err << ", in place of a file of " << WithCommas(*before);
    terminal.err << std::endl;
  };
  return ExportLogs(job);
}

}  // namespace

int RunExport(const ExportArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<Exported> exported = Export(arguments, terminal);
  if (!exported.ok()) return Fail(terminal, exported.status());
  PrintReport(arguments.reporting,
              base::StrCat(Counted(exported->rows, "row"), ", ", BytesText(exported->bytes), " in ",
                           Counted(exported->files, "file"), " exported to ", arguments.out, "; ",
                           WithCommas(exported->kept), exported->kept == 1 ? " was" : " were", " there already"),
              {{"folder", arguments.out},
               {"rows", exported->rows},
               {"bytes", exported->bytes},
               {"files", exported->files},
               {"kept", exported->kept}},
              terminal);
  return kExitOk;
}

}  // namespace logquery::shim
