// The commands backup and restore. The server that holds the folder makes the backup; otherwise the command does.
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "absl/time/time.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;

// Backs the folder up through the server that holds it, or from the folder itself.
absl::StatusOr<std::string> BackUp(const BackupArguments& arguments) {
  std::error_code error;
  // The server works in another folder than this command.
  const std::string target = std::filesystem::absolute(arguments.target, error).string();
  if (error) return absl::InvalidArgumentError(base::StrCat(arguments.target, ": ", error.message()));
  HttpRequest request;
  request.method = "POST";
  request.path = "/backup";
  request.headers = {{"Content-Type", "application/json"}};
  request.body = Json{{"target", target}}.ToString();
  if (std::optional<absl::StatusOr<std::string>> answer = AskOwner(arguments.data, request)) return *std::move(answer);
  return BackUpFolder(arguments.data, target);
}

}  // namespace

int RunBackup(const BackupArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::string> report = BackUp(arguments);
  if (!report.ok()) return Fail(terminal, report.status());
  const absl::StatusOr<Json> json = base::ParseJson("the report", *report);
  if (!json.ok()) return Fail(terminal, json.status());
  const auto number = [&json](const char* key) { return json->value(key, int64_t{0}); };
  const std::string text = base::StrCat(Counted(number("rows"), "row"), ", ", BytesText(number("bytes")), " in ",
                                        Counted(number("files"), "file"), " backed up to ", arguments.target, " in ",
                                        DurationText(absl::Milliseconds(number("time_ms"))), "; loads waited for ",
                                        DurationText(absl::Milliseconds(number("loads_waited_ms"))), " of that");
  PrintReport(arguments.reporting, text, *json, terminal);
  return kExitOk;
}

int RunRestore(const RestoreArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<Restored> restored = RestoreFolder(arguments.backup, arguments.data);
  if (!restored.ok()) return Fail(terminal, restored.status());
  const std::string made_at = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", restored->made_at, absl::UTCTimeZone());
  PrintReport(arguments.reporting,
              base::StrCat(Counted(restored->rows, "row"), ", ", BytesText(restored->bytes), " in ",
                           Counted(restored->files, "file"), " restored to ", arguments.data, " as of ", made_at,
                           " in ", DurationText(restored->time)),
              {{"folder", arguments.data},
               {"rows", restored->rows},
               {"bytes", restored->bytes},
               {"files", restored->files},
               {"made_at", made_at},
               {"time_ms", absl::ToInt64Milliseconds(restored->time)}},
              terminal);
  return kExitOk;
}

}  // namespace logquery::shim
