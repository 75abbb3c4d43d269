// Commands that use the settings of a server: serve and config.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_CONFIG_COMMANDS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_CONFIG_COMMANDS_H_

#include <cstdlib>
#include <string>

#include "shim/cli/options/commands.h"
#include "shim/cli/options/settings.h"

namespace logquery::shim {

// The environment of this process.
inline base::Variables Environment() {
  return [](const std::string& name) { return std::getenv(name.c_str()); };
}

// Calls RunServe with the settings from the command line, the variables and the file; SIGHUP reads them again.
int RunConfiguredServe(const GivenSettings& given, const Terminal& terminal);

int RunConfigCheck(const std::string& file, const Terminal& terminal);
int RunConfigPrint(const GivenSettings& given, bool json, const Terminal& terminal);
int RunConfigKeys(const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_CONFIG_COMMANDS_H_
