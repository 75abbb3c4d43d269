// The settings of a server in one table: the options of `serve`, LOGQUERY_* variables, keys of the settings file, their
// help and documentation, and which of them SIGHUP changes.
//
//     GivenSettings given{.config = "logquery.json", .options = {{"listen", {"127.0.0.1:0"}}}};
//     LOGQUERY_ASSIGN_OR_RETURN(ConfiguredServe configured, Configure(given, getenv));
//
// An option overrides a variable, which overrides the file, which overrides the default.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_SETTINGS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_SETTINGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/variables.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// The variable that stores a setting's value.
using SettingPlace = std::variant<std::string*, std::vector<std::string>*, bool*, int*, int64_t*, double*>;

struct Setting {
  std::string_view key;    // "max_answer": the option --max-answer, the variable LOGQUERY_MAX_ANSWER
  std::string_view value;  // its placeholder in the help: "MB"; empty for a switch
  std::string_view help;
  SettingPlace (*place)(ServeArguments&);
  double least = 0;  // the minimum, for a number
  double most = 0;
  bool is_path = false;  // a relative path in the file is resolved against the file's folder
  bool is_live = false;  // SIGHUP can change it
};

// The default settings.
ServeArguments DefaultServe();

// Returns all settings in the order of the help.
const std::vector<Setting>& AllSettings();
const Setting& FindSetting(std::string_view key);  // `key` must exist

bool IsList(const Setting& setting);
std::string OptionOf(const Setting& setting);    // "--max-answer"; for a switch that is on by default "--no-builtin"
std::string VariableOf(const Setting& setting);  // "LOGQUERY_MAX_ANSWER"
// Returns the help text, with the default if there is one.
std::string HelpOf(const Setting& setting);
// Returns the value as text, lists with commas.
std::string ValueText(const Setting& setting, const ServeArguments& arguments);
// Returns the value as people and logs may see it: with *** in place of a URL's user, password and query.
std::string PrintedText(const Setting& setting, const ServeArguments& arguments);
// Returns the table of docs/command_line.md, in Markdown.
std::string SettingsTable();

struct GivenSettings {
  std::string config;                                       // the file of --config; empty: not given
  std::map<std::string, std::vector<std::string>> options;  // by key; a switch has one empty text
};

struct ConfiguredServe {
  ServeArguments arguments;
  // The origin of each of AllSettings: "default", "FILE:LINE", the variable or the option.
  std::vector<std::string> sources;
};

// InvalidArgument: an invalid value, with its origin and the valid form; settings that conflict or require each other.
// NotFound: the file can't be read.
absl::StatusOr<ConfiguredServe> Configure(const GivenSettings& given, const base::Variables& variable);

struct ConfigProblem {
  size_t offset = 0;  // byte offset in the file
  std::string message;
};

// Returns all problems of a settings file with the content `text`, in the order of their places. Relative paths are
// resolved against `folder`; the file of "backend" is read.
std::vector<ConfigProblem> CheckConfigText(std::string_view text, const std::string& folder);

// Returns "LOGQUERY_LISTN is the variable of no setting; did you mean LOGQUERY_LISTEN?" for each such name in
// `environment`.
std::vector<std::string> NearVariables(const char* const* environment);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_SETTINGS_H_
