#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/authenticator.h"
#include "logquery/clock.h"
#include "shim/commands.h"

namespace logquery::shim {
namespace {

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
  return principal;
}

std::string Described(const TokenRecord& record) {
  const Principal& principal = record.principal;
  std::string text = base::StrCat(
      record.id, "  ", principal.label.empty() ? "(no label)" : principal.label, "  ",
      principal.endpoints.has_value() ? base::Join(*principal.endpoints, ",") : "all endpoints", "  ",
      principal.project_scope.has_value() ? "project " + *principal.project_scope : std::string("all projects"));
  for (const auto& [name, value] : principal.fixed_parameters) base::StrAppend(&text, "  ", name, "=", value);
  const auto day = [](absl::Time time) { return absl::FormatTime("%Y-%m-%d", time, absl::UTCTimeZone()); };
  base::StrAppend(&text, "  created ", day(record.created));
  if (record.expires.has_value()) base::StrAppend(&text, "  expires ", day(*record.expires));
  return text;
}

}  // namespace

int RunTokenCreate(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<Principal> principal = PrincipalOf(arguments);
  if (!principal.ok()) return Fail(terminal, principal.status());
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
  for (const TokenRecord& record : *records) terminal.out << Described(record) << "\n";
  if (records->empty()) terminal.err << "there is no token in " << arguments.tokens << "\n";
  return kExitOk;
}

int RunTokenRevoke(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::Status status = TokenFile::Revoke(arguments.tokens, arguments.id);
  if (!status.ok()) return Fail(terminal, status);
  terminal.out << "revoked " << arguments.id << "\n";
  return kExitOk;
}

}  // namespace logquery::shim
