// AllowAll, and the checks of what a principal may call and write.
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
    anyone.may_read_metrics = true;
    anyone.may_save = true;
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

bool IngestRights::MayWrite(std::string_view table, std::string_view log) const {
  if (!logs.has_value()) return true;
  return std::any_of(logs->begin(), logs->end(), [&](const std::string& allowed) {
    return base::EqualsIgnoreCase(allowed, table) || (!log.empty() && base::EqualsIgnoreCase(allowed, log));
  });
}

std::unique_ptr<Authenticator> AllowAll() { return std::make_unique<AllowAllAuthenticator>(); }

}  // namespace logquery
