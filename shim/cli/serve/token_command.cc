// The commands that create, list, rotate and revoke the tokens of a token file.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/given_secret.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/tokens/token_records.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/authenticator.h"
#include "logquery/catalog.h"
#include "logquery/clock.h"
#include "logquery/parameter_text.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/cli/options/reporting.h"
#include "shim/cli/options/standard_output.h"
#include "shim/cli/query/definitions.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;

constexpr int kMaxName = 100;
constexpr int kMaxLine = 100'000;
constexpr std::string_view kOwnLogs = " Logs of your own are read with --schema FILE or --endpoints DIR, as by serve.";

absl::StatusOr<IngestRights> IngestOf(const TokenArguments& arguments) {
  IngestRights rights;
  if (!arguments.ingest_logs.empty()) rights.logs = arguments.ingest_logs;
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog declared,
                            endpoint::AddOwnLogs(Catalog::DeclaredLogs(), arguments.schema, arguments.definitions));
  const bool declares_own = !arguments.schema.empty() || !arguments.definitions.empty();
  for (const std::string& log : arguments.ingest_logs) {
    std::vector<std::string> names;
    bool known = false;
    for (const Table& table : declared.tables()) {
      names.insert(names.end(), {table.log, table.name});
      known = known || base::EqualsIgnoreCase(table.log, log) || base::EqualsIgnoreCase(table.name, log);
    }
    if (!known) {
      std::string near = DidYouMean(log, names);
      if (near.empty()) near = base::StrCat("; there are ", base::Join(names, ", "), ".");
      return absl::InvalidArgumentError(
          base::StrCat("there is no log \"", OneLine(log, kMaxName), "\"", near, declares_own ? "" : kOwnLogs));
    }
  }
  rights.may_learn = arguments.may_learn;
  rights.rows_per_second = arguments.ingest_rows_per_second;
  rights.bytes_per_day = arguments.ingest_bytes_per_day;
  return rights;
}

absl::StatusOr<Principal> PrincipalOf(const TokenArguments& arguments) {
  Principal principal;
  principal.label = arguments.label;
  if (arguments.no_endpoints && !arguments.may_ingest && !arguments.may_read_metrics) {
    return absl::InvalidArgumentError(
        "a token without endpoints could do nothing: say --may-ingest too, or --may-read-metrics");
  }
  if (arguments.no_endpoints || !arguments.endpoints.empty()) principal.endpoints = arguments.endpoints;
  for (const std::string& fixed : arguments.fixed) {
    const size_t equals = fixed.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError(base::StrCat("--fix wants KEY=VALUE, not ", fixed));
    }
    principal.fixed_parameters[fixed.substr(0, equals)] = fixed.substr(equals + 1);
  }
  const bool has_rows = !arguments.no_endpoints || arguments.may_ingest;
  if (has_rows && arguments.project.empty() == !arguments.all_projects) {
    return absl::InvalidArgumentError("say whose rows the token may read: --project REF or --all-projects");
  }
  if (!arguments.project.empty()) principal.project_scope = arguments.project;
  principal.redact_pii = arguments.redact_pii;
  principal.may_bypass_cache = arguments.may_bypass_cache;
  principal.may_read_metrics = arguments.may_read_metrics;
  principal.may_save = arguments.may_save;
  principal.max_rows = arguments.max_rows;
  principal.limits.max_result_bytes = arguments.max_result_bytes;
  if (arguments.time_limit_ms) principal.limits.time_limit = absl::Milliseconds(*arguments.time_limit_ms);
  principal.limits.max_concurrent = arguments.max_concurrent;
  principal.limits.calls_per_minute = arguments.calls_per_minute;
  if (!arguments.may_ingest) {
    if (!arguments.ingest_rows_per_second && !arguments.ingest_bytes_per_day) return principal;
    return absl::InvalidArgumentError("a quota of logs is for a token that brings some: say --may-ingest too");
  }
  LOGQUERY_ASSIGN_OR_RETURN(principal.ingest, IngestOf(arguments));
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
  if (!principal.ingest) return;
  add(principal.ingest->rows_per_second, "rows in a second");
  add(principal.ingest->bytes_per_day, "bytes in a day");
}

bool IsNamed(const Endpoint& definition, const std::string& wanted) {
  return wanted == definition.name || base::EqualsIgnoreCase(wanted, definition.id);
}

// Whether --fix names parameters of the endpoints that the token may call, with values that they take: a misspelt name would
// fix nothing, and a value that is refused would refuse each call.
absl::Status CheckFixed(const TokenArguments& arguments, const std::vector<Endpoint>& definitions) {
  std::vector<const Parameter*> parameters;
  for (const Endpoint& definition : definitions) {
    if (std::none_of(arguments.endpoints.begin(), arguments.endpoints.end(),
                     [&](const std::string& wanted) { return IsNamed(definition, wanted); })) {
      continue;
    }
    for (const Parameter& parameter : definition.parameters) {
      if (!parameter.computed) parameters.push_back(&parameter);
    }
  }
  for (const std::string& fixed : arguments.fixed) {
    const std::string name = fixed.substr(0, fixed.find('='));
    const std::string value = fixed.substr(fixed.find('=') + 1);
    std::vector<std::string> known;
    for (const Parameter* const parameter : parameters) {
      known.push_back(parameter->name);
      if (parameter->name != name || value.empty()) continue;
      const absl::StatusOr<Value> taken = ParseParameter(*parameter, value);
      if (!taken.ok()) return absl::InvalidArgumentError(base::StrCat("--fix: ", base::Message(taken.status())));
    }
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return absl::InvalidArgumentError(base::StrCat(
        "--fix ", OneLine(name, kMaxName), ": no endpoint of the token has this parameter", DidYouMean(name, known)));
  }
  return absl::OkStatus();
}

absl::Status CheckEndpoints(const TokenArguments& arguments) {
  if (arguments.endpoints.empty()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Endpoint> definitions,
                            AllDefinitions(arguments.definitions, arguments.schema));
  std::vector<std::string> names;
  for (const Endpoint& definition : definitions) names.push_back(definition.name);
  for (const std::string& wanted : arguments.endpoints) {
    const bool known = std::any_of(definitions.begin(), definitions.end(),
                                   [&](const Endpoint& definition) { return IsNamed(definition, wanted); });
    if (known) continue;
    std::string near = DidYouMean(wanted, names);
    if (near.empty()) near = base::StrCat("; there are ", base::Join(names, ", "), ".");
    return absl::InvalidArgumentError(base::StrCat(
        "there is no endpoint \"", OneLine(wanted, kMaxName), "\"", near,
        arguments.definitions.empty() ? " Definitions of your own are read with --endpoints DIR, as by serve." : ""));
  }
  return CheckFixed(arguments, definitions);
}

// The secret that is imported.
absl::StatusOr<std::string> GivenTo(const TokenArguments& arguments, const Terminal& terminal) {
  if (!arguments.secret_file.empty()) return base::ReadSecretFile(arguments.secret_file);
  if (arguments.secret_variable.empty()) return base::ReadSecret(terminal.in);
  return base::SecretOfVariable(arguments.secret_variable,
                                [](const std::string& name) { return std::getenv(name.c_str()); });
}

std::string EndpointsOf(const Principal& principal) {
  if (!principal.endpoints.has_value()) return "all endpoints";
  return principal.endpoints->empty() ? "no endpoint" : base::Join(*principal.endpoints, ",");
}

std::string Described(const TokenRecord& record, absl::Time now) {
  const Principal& principal = record.principal;
  std::string text = base::StrCat(
      record.id, "  ", principal.label.empty() ? "(no label)" : principal.label, "  ", EndpointsOf(principal), "  ",
      principal.project_scope.has_value() ? "project " + *principal.project_scope : std::string("all projects"));
  for (const auto& [name, value] : principal.fixed_parameters) base::StrAppend(&text, "  ", name, "=", value);
  if (principal.redact_pii) base::StrAppend(&text, "  redacted");
  if (principal.may_bypass_cache) base::StrAppend(&text, "  may bypass the cache");
  if (principal.may_read_metrics) base::StrAppend(&text, "  may read metrics");
  if (principal.may_save) base::StrAppend(&text, "  may save queries");
  if (principal.ingest) {
    base::StrAppend(&text, "  may write ",
                    principal.ingest->logs ? base::Join(*principal.ingest->logs, ",") : "all logs");
    if (principal.ingest->may_learn) base::StrAppend(&text, " and learns");
  }
  DescribeLimits(principal, text);
  const auto day = [](absl::Time time) { return absl::FormatTime("%Y-%m-%d", time, absl::UTCTimeZone()); };
  base::StrAppend(&text, "  created ", day(record.created));
  if (record.expires.has_value()) {
    base::StrAppend(&text, *record.expires <= now ? "  expired " : "  expires ", day(*record.expires));
  }
  // Files that other programs wrote may hold what would steer the terminal.
  return OneLine(text, kMaxLine);
}

// Removes a token that nobody has seen from the file. `old` is the token that it replaces, or empty.
void RevokeUnprinted(const std::string& id, const std::string& old, const TokenArguments& arguments,
                     const Terminal& terminal) {
  const absl::Status revoked = TokenFile::Revoke(arguments.tokens, id);
  if (!revoked.ok()) {
    terminal.err << "logquery: the new token " << id << " could not be printed and is still in " << arguments.tokens
                 << ": remove it with logquery token revoke (" << base::Message(revoked) << ")\n";
    return;
  }
  terminal.err << "logquery: the new token could not be printed and is revoked";
  if (!old.empty()) terminal.err << "; create another one in place of " << old;
  terminal.err << "\n";
}

// A new token is what was asked for, so it is printed with --quiet too. It goes out as JSON where that is wanted.
int PrintToken(const std::string& token, const std::string& old, const TokenArguments& arguments,
               const Terminal& terminal) {
  constexpr size_t kIdDigits = 12;  // as TokenRecord::id has them
  const std::string id = base::Sha256Hex(token).substr(0, kIdDigits);
  if (arguments.reporting.json) {
    PrintReport(arguments.reporting, "", {{"id", id}, {"token", token}}, terminal);
  } else {
    terminal.out << token << "\n";
  }
  // The dispatcher reports the error.
  if (!FlushOutput(terminal.out).ok()) RevokeUnprinted(id, old, arguments, terminal);
  return kExitOk;
}

// The file's own form of the tokens, without their digests.
absl::StatusOr<Json> ListJson(const std::vector<TokenRecord>& records) {
  LOGQUERY_ASSIGN_OR_RETURN(Json json, base::ParseJson("the tokens", endpoint::PrintTokens(records)));
  Json tokens = std::move(json["tokens"]);
  for (Json& token : tokens) token.erase("sha256");
  return Json{{"tokens", std::move(tokens)}};
}

}  // namespace

int RunTokenCreate(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<Principal> principal = PrincipalOf(arguments);
  if (!principal.ok()) return Fail(terminal, principal.status());
  if (const absl::Status known = CheckEndpoints(arguments); !known.ok()) return Fail(terminal, known);
  std::optional<absl::Time> expires;
  if (arguments.expires_days > 0) expires = Clock::Real()->Now() + absl::Hours(24) * arguments.expires_days;
  const absl::StatusOr<std::string> token = TokenFile::Create(arguments.tokens, *principal, expires, Clock::Real());
  return token.ok() ? PrintToken(*token, /*old=*/"", arguments, terminal) : Fail(terminal, token.status());
}

int RunTokenImport(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<Principal> principal = PrincipalOf(arguments);
  if (!principal.ok()) return Fail(terminal, principal.status());
  if (const absl::Status known = CheckEndpoints(arguments); !known.ok()) return Fail(terminal, known);
  std::optional<absl::Time> expires;
  if (arguments.expires_days > 0) expires = Clock::Real()->Now() + absl::Hours(24) * arguments.expires_days;
  const absl::StatusOr<std::string> token = GivenTo(arguments, terminal);
  if (!token.ok()) return Fail(terminal, token.status());
  const absl::StatusOr<std::string> id =
      TokenFile::Import(arguments.tokens, *token, *principal, expires, Clock::Real());
  if (absl::IsAlreadyExists(id.status())) {
    if (!arguments.reporting.quiet) terminal.err << base::Message(id.status()) << "; its rights stay as they are\n";
    return kExitOk;
  }
  if (!id.ok()) return Fail(terminal, id.status());
  PrintReport(arguments.reporting, base::StrCat("imported ", *id), {{"imported", *id}}, terminal);
  return kExitOk;
}

int RunTokenList(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::vector<TokenRecord>> records = TokenFile::List(arguments.tokens);
  if (!records.ok()) return Fail(terminal, records.status());
  if (arguments.reporting.json) {
    const absl::StatusOr<Json> json = ListJson(*records);
    if (!json.ok()) return Fail(terminal, json.status());
    PrintReport(arguments.reporting, "", *json, terminal);
    return kExitOk;
  }
  for (const TokenRecord& record : *records) terminal.out << Described(record, Clock::Real()->Now()) << "\n";
  if (records->empty() && !arguments.reporting.quiet)
    terminal.err << "there is no token in " << arguments.tokens << "\n";
  return kExitOk;
}

int RunTokenRotate(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::string> token =
      TokenFile::Rotate(arguments.tokens, arguments.id, absl::Hours(arguments.grace_hours), Clock::Real());
  return token.ok() ? PrintToken(*token, arguments.id, arguments, terminal) : Fail(terminal, token.status());
}

int RunTokenRevoke(const TokenArguments& arguments, const Terminal& terminal) {
  const absl::Status status = TokenFile::Revoke(arguments.tokens, arguments.id);
  if (!status.ok()) return Fail(terminal, status);
  PrintReport(arguments.reporting, base::StrCat("revoked ", arguments.id), {{"revoked", arguments.id}}, terminal);
  return kExitOk;
}

}  // namespace logquery::shim
