// The effect of each setting of `serve`, checked on a server in a process of its own.
#ifndef LOGQUERY_TESTS_SHIM_SETTINGS_EFFECTS_H_
#define LOGQUERY_TESTS_SHIM_SETTINGS_EFFECTS_H_

#include <functional>
#include <map>
#include <string>

#include "tests/shim/configured_server.h"

namespace logquery::shim {

// A check for each setting's key. It starts the server with a file in which that setting alone has another value.
using SettingEffects = std::map<std::string, std::function<void(ConfiguredServer&)>>;

SettingEffects EffectsOfFolderSettings();
SettingEffects EffectsOfServerSettings();

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_SETTINGS_EFFECTS_H_
