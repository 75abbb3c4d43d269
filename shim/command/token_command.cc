// The commands on tokens: they make, list and revoke those of a token file.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/authenticator.h"
#include "logquery/clock.h"
#include "shim/command/commands.h"
#include "shim/command/definitions.h"
#include "shim/command/display.h"
#include "shim/command/nearest_names.h"

namespace logquery::shim {
namespace {

constexpr int kMaxName = 100;
constexpr int kMaxLine = 100'000;

absl::StatusOr<Principal> PrincipalOf(const TokenArguments& arguments) {
  Principal principal;
  principal.label = arguments.label;
  if (!arguments.endpoints.empty()) principal.endpoints = arguments.endpoints;
  for (const std::string& fixed : arguments.fixed) {
    const size_t equals = fixed.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError(base::StrCat("--fix wants KEY=VALUE, not ", fixed));
    }
    principal.fixed_parameters[fixed.substr(0, equals)] = fixed.substr(equals + 1);
  }
  if (arguments.project.empty() == !arguments.all_projects) {
    return absl::InvalidArgumentError("say whose rows the token may read: --project REF or --all-projects");
  }
  if (!arguments.project.empty()) principal.project_scope = arguments.project;
  principal.redact_pii = arguments.redact_pii;
  principal.may_bypass_cache = arguments.may_bypass_cache;
  principal.max_rows = arguments.max_rows;
  principal.limits.max_result_bytes = arguments.max_result_bytes;
  if (arguments.time_limit_ms) principal.limits.time_limit = absl::Milliseconds(*arguments.time_limit_ms);
  principal.limits.max_concurrent = arguments.max_concurrent;
  principal.limits.calls_per_minute = arguments.calls_per_minute;
  return principal;
}

void DescribeLimits(const Principal& principal, std::string& text) {
  const auto add = [&text](std::optional<int64_t> limit, std::string_view unit) {
    if (limit.has_value()) base::StrAppend(&text, "  ", *limit, " ", unit);
  };
  const CallLimits& limits = principal.limits;
  add(principal.max_rows, "rows");
  add(limits.max_result_bytes, "bytes");
  if (limits.time_limit) add(absl::ToInt64Milliseconds(*limits.time_limit), "ms");
  add(limits.max_concurrent, "at one time");
  add(limits.calls_per_minute, "a minute");
}

absl::Status CheckEndpoints(const TokenArguments& arguments) {
  if (arguments.endpoints.empty()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Endpoint> definitions, AllDefinitions(arguments.definitions));
  std::vector<std::string> names;
  for (const Endpoint& definition : definitions) names.push_back(definition.name);
  for (const std::string& wanted : arguments.endpoints) {
    const bool known = std::any_of(definitions.begin(), definitions.end(), [&](const Endpoint& definition) {
      return wanted == definition.name || base::EqualsIgnoreCase(wanted, definition.id);
    });
    if (known) continue;
    std::string near = DidYouMean(wanted, names);
    if (near.empty()) near = base::StrCat("; there are ", base::Join(names, ", "), ".");
    return absl::InvalidArgumentError(base::StrCat(
        "there is no endpoint \"", OneLine(wanted, kMaxName), "\"", near,
        arguments.definitions.empty() ? " Definitions of your own are read with --endpoints DIR, as by serve." : ""));
  }
  return absl::OkStatus();
}

std::string Described(const TokenRecord& record, absl::Time now) {
  const Principal& principal = record.principal;
  std::string text = base::StrCat(
      record.id, "  ", principal.label.empty() ? "(no label)" : principal.label, "  ",
      principal.endpoints.has_value() ? base::Join(*principal.endpoints, ",") : "all endpoints", "  ",
      principal.project_scope.has_value() ? "project " + *principal.project_scope : std::string("all projects"));
  for (const auto& [name, value] : principal.fixed_parameters) base::StrAppend(&text, "  ", name, "=", value);
  if (principal.redact_pii) base::StrAppend(&text, "  redacted");
  if (principal.may_bypass_cache) base::StrAppend(&text, "  may bypass the cache");
  DescribeLimits(principal, text);
  const auto day = [](absl::Time time) { return absl::FormatTime("%Y-%m-%d", time, absl::UTCTimeZone()); };
  base::StrAppend(&text, "  created ", day(record.created));
  if (record.expires.has_value()) {
    base::StrAppend(&text, *record.expires <= now ? "  expired " : "  expires ", day(*record.expires));
  }
  // Files that other programs wrote may hold what would steer the terminal.
  return OneLine(text, kMaxLine);
}

}  // namespace

int RunTokenCreate(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<Principal> principal = PrincipalOf(arguments);
  if (!principal.ok()) return Fail(terminal, principal.status());
  if (const absl::Status known = CheckEndpoints(arguments); !known.ok()) return Fail(terminal, known);
  std::optional<absl::Time> expires;
  if (arguments.expires_days > 0) expires = Clock::Real()->Now() + absl::Hours(24) * arguments.expires_days;
  const absl::StatusOr<std::string> token = TokenFile::Create(arguments.tokens, *principal, expires, Clock::Real());
  if (!token.ok()) return Fail(terminal, token.status());
  terminal.out << *token << "\n";
  return kExitOk;
}

int RunTokenList(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::vector<TokenRecord>> records = TokenFile::List(arguments.tokens);
  if (!records.ok()) return Fail(terminal, records.status());
  for (const TokenRecord& record : *records) terminal.out << Described(record, Clock::Real()->Now()) << "\n";
  if (records->empty()) terminal.err << "there is no token in " << arguments.tokens << "\n";
  return kExitOk;
}

int RunTokenRotate(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::string> token =
      TokenFile::Rotate(arguments.tokens, arguments.id, absl::Hours(arguments.grace_hours), Clock::Real());
  if (!token.ok()) return Fail(terminal, token.status());
  terminal.out << *token << "\n";
  return kExitOk;
}

int RunTokenRevoke(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::Status status = TokenFile::Revoke(arguments.tokens, arguments.id);
  if (!status.ok()) return Fail(terminal, status);
  terminal.out << "revoked " << arguments.id << "\n";
  return kExitOk;
}

}  // namespace logquery::shim
