// Checks the values with the functions that use them at the start.
#include "shim/cli/options/settings_check.h"

#include <algorithm>

#include "lib/base/listen_socket.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/retention_window.h"
#include "logquery/clock.h"
#include "logquery/parameter_binder.h"
#include "logquery/retention_policy.h"
#include "shim/cli/options/packed_records_option.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/retain_option.h"
#include "shim/cli/serve/serve_tracing.h"
#include "shim/cli/serve/source_ids.h"
#include "shim/cli/serve/token_from.h"
#include "shim/http/transport/cors.h"

namespace logquery::shim {
namespace {

absl::Status CheckNow(const std::string& now) {
  if (now.empty()) return absl::OkStatus();
  const absl::Status status = ParseTimestamp(now).status();
  return status.ok() ? status : absl::InvalidArgumentError(base::StrCat("--now: ", base::Message(status)));
}

absl::Status CheckBackend(ServiceArguments& service) {
  return service.data.empty() && service.backend.empty() ? absl::OkStatus() : ReadBackend(service);
}

}  // namespace

absl::StatusOr<base::ListenAddress> AddressOf(std::string_view option, const std::string& text, bool insecure_http) {
  const absl::StatusOr<base::ListenAddress> address = base::ParseListenAddress(text);
  if (!address.ok()) {
    return absl::InvalidArgumentError(
        base::StrCat(option, " wants HOST:PORT, such as 127.0.0.1:4000 or [::1]:4000, not ", text));
  }
  if (insecure_http || base::IsLoopback(address->host)) return address;
  return absl::InvalidArgumentError(
      base::StrCat(option, " ", address->host,
                   " can be reached from other machines, and HTTP sends tokens unencrypted; put a "
                   "proxy with TLS in front and listen on 127.0.0.1, or say --insecure-http"));
}

std::vector<SettingProblem> CheckSettings(ServeArguments& arguments) {
  ServiceArguments& service = arguments.service;
  std::vector<SettingProblem> problems = {
      {"listen", AddressOf("--listen", arguments.listen, arguments.insecure_http).status()},
      {"admin", arguments.admin.empty() ? absl::OkStatus()
                                        : AddressOf("--admin", arguments.admin, arguments.insecure_http).status()},
      {service.backend.empty() ? "data" : "backend", CheckBackend(service)},
      {"cors_origin", Cors::Create(arguments.cors_origins).status()},
      {"now", CheckNow(service.now)},
      {"default_tier", endpoint::CheckDefaultTier(service.default_tier, RetentionPolicy::Default(Clock::Real()))},
      {"retain", ParseRetain(arguments.retain).status()},
      {"confirm_clock", ParseConfirmedDay(arguments.confirm_clock).status()},
      {"packed_records", ParsePackedRecords(arguments.packed_records).status()},
      {"trace_to", arguments.trace_to.empty() ? absl::OkStatus() : CheckTraceUrl(arguments.trace_to)},
      {"token_from", ParseTokenFrom(arguments.token_from).status()},
      {"source_ids", ParseSourceIds(arguments.source_ids).status()},
  };
  problems.erase(
      std::remove_if(problems.begin(), problems.end(), [](const SettingProblem& p) { return p.status.ok(); }),
      problems.end());
  return problems;
}

absl::Status CheckedSettings(ServeArguments& arguments) {
  const std::vector<SettingProblem> problems = CheckSettings(arguments);
  return problems.empty() ? absl::OkStatus() : problems.front().status;
}

}  // namespace logquery::shim
