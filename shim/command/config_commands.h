// Commands over the settings of a server: serve itself, and config.
#ifndef LOGQUERY_SHIM_COMMAND_CONFIG_COMMANDS_H_
#define LOGQUERY_SHIM_COMMAND_CONFIG_COMMANDS_H_

#include <cstdlib>
#include <string>

#include "shim/command/commands.h"
#include "shim/command/settings.h"

namespace logquery::shim {

// This process's.
inline Variables Environment() {
  return [](const std::string& name) { return std::getenv(name.c_str()); };
}

// RunServe with the settings that the command line, the variables and the file give; SIGHUP reads them again.
int RunConfiguredServe(const GivenSettings& given, const Terminal& terminal);

int RunConfigCheck(const std::string& file, const Terminal& terminal);
int RunConfigPrint(const GivenSettings& given, const Terminal& terminal);
int RunConfigKeys(const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_CONFIG_COMMANDS_H_
