// The settings of a server, all in one table: what `serve` takes as options, LOGQUERY_* variables and keys of its file, what its
// help and the documentation say of them, and which of them SIGHUP changes.
//
//     GivenSettings given{.config = "logquery.json", .options = {{"listen", {"127.0.0.1:0"}}}};
//     LOGQUERY_ASSIGN_OR_RETURN(ConfiguredServe configured, Configure(given, getenv));
//
// An option counts before a variable, that before the file, and that before the default.
#ifndef LOGQUERY_SHIM_COMMAND_SETTINGS_H_
#define LOGQUERY_SHIM_COMMAND_SETTINGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shim/command/commands.h"
#include "shim/command/variables.h"

namespace logquery::shim {

// Where a setting's value is kept.
using SettingPlace = std::variant<std::string*, std::vector<std::string>*, bool*, int*, int64_t*, double*>;

struct Setting {
  std::string_view key;    // "max_answer": the option --max-answer, the variable LOGQUERY_MAX_ANSWER
  std::string_view value;  // what it takes, for people: "MB"; of a switch empty
  std::string_view help;
  SettingPlace (*place)(ServeArguments&);
  double least = 0;  // of a number
  double most = 0;
  bool is_path = false;  // a relative one in the file is taken from where the file is
  bool is_live = false;  // SIGHUP changes it
};

// What a server has where nothing is said.
ServeArguments DefaultServe();

// In the order in which they are shown.
const std::vector<Setting>& AllSettings();
const Setting& FindSetting(std::string_view key);  // of a key that is known

bool IsList(const Setting& setting);
std::string OptionOf(const Setting& setting);    // "--max-answer"; of a switch that is on by default "--no-builtin"
std::string VariableOf(const Setting& setting);  // "LOGQUERY_MAX_ANSWER"
// What help says: the text, and the default where there is one.
std::string HelpOf(const Setting& setting);
// The value as text, lists with commas; what `config print` shows.
std::string ValueText(const Setting& setting, const ServeArguments& arguments);
// The table of docs/command_line.md, in Markdown.
std::string SettingsTable();

struct GivenSettings {
  std::string config;                                       // the file of --config; empty: none is named there
  std::map<std::string, std::vector<std::string>> options;  // by key; a switch has one empty text
};

struct ConfiguredServe {
  ServeArguments arguments;
  // For each of AllSettings: "default", "FILE:LINE", the variable or the option.
  std::vector<std::string> sources;
};

// InvalidArgument: a value, with where it is from and what would be right; settings that exclude or need each other. NotFound: the
// file can't be read.
absl::StatusOr<ConfiguredServe> Configure(const GivenSettings& given, const Variables& variable);

struct ConfigProblem {
  size_t offset = 0;  // in the file, in bytes
  std::string message;
};

// All that is wrong with a file of settings whose text is `text`, in the order of their places.
// Relative paths in it are taken from `folder`; the file of "backend" is read.
std::vector<ConfigProblem> CheckConfigText(std::string_view text, const std::string& folder);

// "LOGQUERY_LISTN is the variable of no setting; did you mean LOGQUERY_LISTEN?" for each such name of `environment`.
std::vector<std::string> NearVariables(const char* const* environment);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_SETTINGS_H_
