// Compares the settings as text, row by row of their table.
#include "shim/cli/serve/reload_settings.h"

#include <string>

#include "lib/base/strings.h"
#include "shim/cli/options/settings.h"

namespace logquery::shim {

void ReloadSettings(ServeArguments& arguments, const std::function<absl::Status(const ServeArguments& now)>& change,
                    RequestLog& log) {
  if (!arguments.read_again) return;
  ServeArguments now = arguments;
  absl::Status status = arguments.read_again(now);
  if (status.ok() && change) status = change(now);
  if (!status.ok()) {
    log.Note("error", base::StrCat("SIGHUP: the settings stay as they were: ", base::Message(status)));
    return;
  }
  for (const Setting& setting : AllSettings()) {
    if (ValueText(setting, arguments) == ValueText(setting, now)) continue;
    const std::string before = PrintedText(setting, arguments), after = PrintedText(setting, now);
    const std::string values =
        base::StrCat(setting.key, ": ", before.empty() ? "-" : before, " became ", after.empty() ? "-" : after);
    if (setting.is_live) {
      log.Note("info", base::StrCat("SIGHUP: ", values));
    } else {
      log.Note("warning", base::StrCat("SIGHUP: ", values, ", which counts from the next start on"));
    }
  }
  arguments.retain = now.retain;
  arguments.confirm_clock = now.confirm_clock;
  arguments.cluster_percent = now.cluster_percent;
  arguments.stop_seconds = now.stop_seconds;
}

}  // namespace logquery::shim
