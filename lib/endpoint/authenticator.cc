#include "logquery/authenticator.h"

#include <algorithm>

#include "lib/base/strings.h"

namespace logquery {
namespace {

class AllowAllAuthenticator : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view) override {
    Principal anyone;
    anyone.label = "anyone";
    anyone.may_bypass_cache = true;
    return anyone;
  }
};

}  // namespace

bool Principal::MayCall(std::string_view name, std::string_view id) const {
  if (!endpoints.has_value()) return true;
  return std::any_of(endpoints->begin(), endpoints->end(), [&](const std::string& allowed) {
    return allowed == name || base::EqualsIgnoreCase(allowed, id);
  });
}

std::unique_ptr<Authenticator> AllowAll() { return std::make_unique<AllowAllAuthenticator>(); }

}  // namespace logquery
