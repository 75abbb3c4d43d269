// `logquery config`: checks a settings file, prints a server's effective settings and their origins, and lists the
// keys.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_files.h"
#include "lib/tools/definition_check.h"
#include "shim/cli/options/config_commands.h"
#include "shim/cli/options/findings.h"
#include "shim/cli/options/reporting.h"
#include "shim/cli/options/settings_check.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

constexpr int kWidth = 2'000;

void WarnOfVariables(const Terminal& terminal) {
  for (const std::string& warning : NearVariables(environ)) {
    terminal.err << "logquery: " << OneLine(warning, kWidth) << "\n";
  }
}

}  // namespace

int RunConfigCheck(const std::string& file, const Terminal& terminal) {
  const absl::StatusOr<std::string> text = endpoint::ReadDefinitionFile(file);
  if (!text.ok()) return Fail(terminal, text.status());
  const std::vector<ConfigProblem> problems =
      CheckConfigText(*text, std::filesystem::path(file).parent_path().string());
  for (const ConfigProblem& problem : problems) {
    constexpr auto kError = endpoint::Finding::Kind::kError;
    PrintFinding(endpoint::FindingAt(kError, file, *text, problem.offset, problem.message), terminal.err);
  }
  if (!problems.empty()) {
    terminal.err << "logquery: " << problems.size() << (problems.size() == 1 ? " error\n" : " errors\n");
    return kExitFailed;
  }
  // Checks what settings ask of each other. Variables and options are a server's own, and may name the tokens.
  const auto tokens_alone = [](const std::string& name) { return name == "LOGQUERY_TOKENS" ? "tokens.json" : nullptr; };
  const absl::Status together = Configure({file, {}}, tokens_alone).status();
  if (!together.ok()) {
    Fail(terminal, together);
    return kExitFailed;
  }
  terminal.out << OneLine(file, kWidth) << " is in order\n";
  return kExitOk;
}

int RunConfigPrint(const GivenSettings& given, bool json, const Terminal& terminal) {
  const absl::StatusOr<ConfiguredServe> configured = Configure(given, Environment());
  if (!configured.ok()) return Fail(terminal, configured.status());
  WarnOfVariables(terminal);
  const std::vector<Setting>& settings = AllSettings();
  if (json) {
    base::Json all = base::Json::object();
    for (size_t i = 0; i < settings.size(); ++i) {
      all[std::string(settings[i].key)] = {{"value", PrintedText(settings[i], configured->arguments)},
                                           {"source", configured->sources[i]}};
    }
    PrintReport({.json = true}, "", all, terminal);
    return kExitOk;
  }
  size_t key_width = 0, value_width = 0;
  std::vector<std::string> values;
  for (const Setting& setting : settings) {
    const std::string value = PrintedText(setting, configured->arguments);
    values.push_back(value.empty() ? "-" : OneLine(value, kWidth));
    key_width = std::max(key_width, setting.key.size());
    value_width = std::max(value_width, values.back().size());
  }
  for (size_t i = 0; i < settings.size(); ++i) {
    terminal.out << settings[i].key << std::string(key_width + 2 - settings[i].key.size(), ' ') << values[i]
                 << std::string(value_width + 2 - values[i].size(), ' ') << OneLine(configured->sources[i], kWidth)
                 << "\n";
  }
  return kExitOk;
}

int RunConfigKeys(const Terminal& terminal) {
  terminal.out << SettingsTable();
  return kExitOk;
}

int RunConfiguredServe(const GivenSettings& given, const Terminal& terminal) {
  absl::StatusOr<ConfiguredServe> configured = Configure(given, Environment());
  if (!configured.ok()) return Fail(terminal, configured.status());
  WarnOfVariables(terminal);
  ServeArguments arguments = std::move(configured->arguments);
  arguments.read_again = [given](ServeArguments& now) -> absl::Status {
    absl::StatusOr<ConfiguredServe> again = Configure(given, Environment());
    if (!again.ok()) return again.status();
    LOGQUERY_RETURN_IF_ERROR(CheckedSettings(again->arguments));
    now = std::move(again->arguments);
    return absl::OkStatus();
  };
  return RunServe(arguments, terminal);
}

}  // namespace logquery::shim
