// Each setting has an effect: a server in a process of its own, with a file in which that setting alone is another one.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "shim/cli/options/settings.h"
#include "tests/shim/settings_effects.h"

namespace logquery::shim {
namespace {

TEST_CASE("each setting of the table has an effect", "[serial]") {
  SettingEffects effects = EffectsOfFolderSettings();
  effects.merge(EffectsOfServerSettings());
  for (const Setting& setting : AllSettings()) {
    DYNAMIC_SECTION(setting.key) {
      const auto effect = effects.find(std::string(setting.key));
      REQUIRE(effect != effects.end());
      ConfiguredServer serving;
      effect->second(serving);
    }
  }
}

}  // namespace
}  // namespace logquery::shim
