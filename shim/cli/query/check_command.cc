// The command check: checks definitions of endpoints, or SQL against an endpoint's sandbox.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/definition_check.h"
#include "lib/tools/own_logs_file.h"
#include "lib/tools/pushdown.h"
#include "lib/tools/translate.h"
#include "logquery/catalog.h"
#include "logquery/endpoint_registry.h"
#include "logquery/error.h"
#include "logquery/sandbox_verdict.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/findings.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/cli/query/definitions.h"
#include "shim/cli/query/sql_input.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

constexpr int kMaxText = 200;

// " (required)", " (default 24, from 1, to 168)"; empty: nothing is said of its values.
std::string WhatItTakes(const Parameter& parameter) {
  std::vector<std::string> words;
  if (parameter.required) words.emplace_back("required");
  if (parameter.default_text) words.push_back(base::StrCat("default ", OneLine(*parameter.default_text, kMaxText)));
  if (parameter.minimum) words.push_back("from " + *parameter.minimum);
  if (parameter.maximum) words.push_back("to " + *parameter.maximum);
  if (!parameter.allowed.empty()) {
    words.push_back(base::StrCat("one of ", OneLine(base::Join(parameter.allowed, ", "), kMaxText)));
  }
  return words.empty() ? "" : base::StrCat(" (", base::Join(words, ", "), ")");
}

void PrintEndpoint(const RegisteredEndpoint& endpoint, std::ostream& out) {
  const Endpoint& definition = endpoint.definition();
  out << definition.name << "  " << definition.id << "\n  max rows " << WithCommas(definition.max_rows) << ", caching ";
  out << (definition.caching.has_value() ? absl::FormatDuration(*definition.caching) : "disabled");
  if (definition.cache_warming.has_value()) out << ", warming " << absl::FormatDuration(*definition.cache_warming);
  out << ", sandbox " << (definition.query_sandboxing ? "on" : "off") << ", redaction "
      << (definition.redact_pii ? "on" : "off") << "\n  parameters:";
  for (const Parameter& parameter : definition.parameters) {
    if (parameter.computed.has_value()) continue;
    out << " " << parameter.name << " " << parameter.type.ToString() << WhatItTakes(parameter) << ";";
  }
  out << "\n  columns:";
  for (const Field& column : endpoint.schema()) out << " " << column.name << " " << column.type.ToString() << ";";
  out << "\n";
}

// Each endpoint, and with a backend that has parts of queries run elsewhere, what these are.
absl::Status PrintEndpoints(const EndpointRegistry& registry, const std::vector<std::string>& names,
                            const Capabilities& backend, bool as_json, base::Json findings, std::ostream& out) {
  base::Json all = base::Json::array();
  for (const RegisteredEndpoint* endpoint : registry.All()) {
    const Endpoint& definition = endpoint->definition();
    if (std::find(names.begin(), names.end(), definition.name) == names.end()) continue;
    if (!as_json) PrintEndpoint(*endpoint, out);
    base::Json json = {{"name", definition.name}, {"id", definition.id}};
    if (backend.fragments != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::vector<split::Description> parts,
                                endpoint::PushdownOf(definition, registry.catalog(), *backend.fragments));
      if (!as_json) out << "  in " << backend.engine << ":\n" << endpoint::PushdownText(parts, "    ");
      json["parts"] = base::TryReadJson(endpoint::PushdownJson(parts)).value_or(nullptr);
    }
    all.push_back(std::move(json));
  }
  if (!as_json) return absl::OkStatus();
  base::Json report = {{"endpoints", std::move(all)}, {"findings", std::move(findings)}};
  if (!backend.engine.empty()) report["engine"] = backend.engine;
  out << report.ToString() << "\n";
  return absl::OkStatus();
}

// "4 endpoints (3 built in)".
std::string CountOf(const EndpointRegistry& registry) {
  size_t built_in = 0;
  for (const Endpoint& known : Endpoint::BuiltIn()) {
    const RegisteredEndpoint* const found = registry.Find(known.name);
    built_in += found != nullptr && found->definition().query == known.query ? 1 : 0;
  }
  const size_t all = registry.All().size();
  return base::StrCat(all, all == 1 ? " endpoint" : " endpoints",
                      built_in == 0 || built_in == all ? "" : base::StrCat(" (", built_in, " built in)"));
}

int EndWithEndpoints(const EndpointRegistry& registry, const std::vector<std::string>& names,
                     const Capabilities& backend, const CheckArguments& arguments,
                     const std::vector<endpoint::Finding>& findings, const std::string& also,
                     const Terminal& terminal) {
  const bool as_json = arguments.format == "json";
  const absl::Status printed = PrintEndpoints(registry, names, backend, as_json, FindingsJson(findings), terminal.out);
  if (!printed.ok()) {
    Fail(terminal, printed);
    return kExitFailed;
  }
  if (!as_json) terminal.out << CountOf(registry) << ", all in order" << also << "\n";
  return kExitOk;
}

int CheckFolder(const CheckArguments& arguments, const Terminal& terminal) {
  absl::StatusOr<BackendTables> tables = TablesOf(arguments.backend);
  if (!tables.ok()) return Fail(terminal, tables.status());
  absl::StatusOr<endpoint::DefinitionCheck> check = endpoint::CheckDefinitionFolder(
      arguments.path, BuiltInDefinitions(!arguments.no_built_in), std::move(tables->catalog), arguments.schema);
  if (!check.ok()) {
    Fail(terminal, check.status());
    return kExitFailed;  // the command line was right
  }
  const bool as_json = arguments.format == "json";
  const int warnings = as_json ? 0 : PrintFindings(*check, terminal.err);
  if (check->endpoints == nullptr) {
    if (as_json) terminal.out << base::Json{{"findings", FindingsJson(check->findings)}}.ToString() << "\n";
    return kExitFailed;
  }
  std::vector<std::string> names = check->own;
  if (arguments.built_in) {
    for (const Endpoint& known : Endpoint::BuiltIn()) names.push_back(known.name);
  }
  return EndWithEndpoints(*check->endpoints, names, tables->backend, arguments, check->findings, AlsoWarnings(warnings),
                          terminal);
}

int CheckDefinitions(const CheckArguments& arguments, const Terminal& terminal) {
  if (!arguments.path.empty()) return CheckFolder(arguments, terminal);
  if (!arguments.built_in) {
    return Fail(terminal, absl::InvalidArgumentError(
                              "say what to check: a folder of definitions, --builtin, or SQL with --sandbox"));
  }
  absl::StatusOr<BackendTables> tables = TablesOf(arguments.backend);
  if (!tables.ok()) return Fail(terminal, tables.status());
  const auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), std::move(tables->catalog));
  if (!registry.ok()) {
    Fail(terminal, registry.status());
    return kExitFailed;  // the command line was right, the definitions are not
  }
  std::vector<std::string> names;
  for (const Endpoint& known : Endpoint::BuiltIn()) names.push_back(known.name);
  return EndWithEndpoints(**registry, names, tables->backend, arguments, {}, "", terminal);
}

void PrintList(std::string_view title, const std::vector<std::string>& names, std::ostream& out) {
  if (!names.empty()) out << title << base::Join(names, ", ") << "\n";
}

void PrintVerdict(const SandboxVerdict& verdict, std::ostream& out) {
  if (!verdict.allowed) {
    out << "refused: " << base::Message(verdict.reason) << "\n";
    const std::string snippet = GetErrorDetails(verdict.reason).snippet;
    if (!snippet.empty()) out << snippet << "\n";
    return;
  }
  out << "allowed\n";
  PrintList("  reads       ", verdict.tables, out);
  PrintList("  columns     ", verdict.columns, out);
  PrintList("  functions   ", verdict.functions, out);
  PrintList("  parameters  ", verdict.parameters, out);
  std::vector<std::string> result;
  for (const Field& column : verdict.result) result.push_back(base::StrCat(column.name, " ", column.type.ToString()));
  PrintList("  returns     ", result, out);
  for (const std::string& part : verdict.parts) {
    out << "  elsewhere   a part of it" << (part.empty() ? "" : base::StrCat("; then here, ", part)) << "\n";
  }
}

// The registry whose endpoints SQL may be checked against.
absl::StatusOr<std::shared_ptr<const EndpointRegistry>> Registry(const std::string& folder, Catalog catalog) {
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Endpoint> definitions, AllDefinitions(folder));
  return EndpointRegistry::Create(std::move(definitions), std::move(catalog));
}

int CheckSql(const CheckArguments& arguments, const Terminal& terminal) {
  absl::StatusOr<BackendTables> tables = TablesOf(arguments.backend);
  if (!tables.ok()) return Fail(terminal, tables.status());
  const absl::StatusOr<Catalog> catalog = endpoint::AddOwnLogs(tables->catalog, arguments.schema, arguments.endpoints);
  if (!catalog.ok()) return Fail(terminal, catalog.status());
  const auto registry = Registry(arguments.endpoints, *catalog);
  if (!registry.ok()) {
    Fail(terminal, registry.status());
    return kExitFailed;
  }
  const RegisteredEndpoint* endpoint = (*registry)->Find(arguments.sandbox);
  if (endpoint == nullptr) {
    std::vector<std::string> names;
    for (const RegisteredEndpoint* known : (*registry)->All()) names.push_back(known->definition().name);
    return Fail(terminal, absl::InvalidArgumentError(base::StrCat("there is no endpoint ", arguments.sandbox,
                                                                  DidYouMean(arguments.sandbox, names))));
  }
  const absl::StatusOr<std::string> sql = ReadSql(arguments.path, terminal.in);
  if (!sql.ok()) return Fail(terminal, sql.status());
  const absl::StatusOr<SandboxVerdict> verdict = CheckSandbox(**registry, *endpoint, *sql, tables->backend);
  if (!verdict.ok()) return Fail(terminal, verdict.status());
  if (arguments.format == "json") {
    terminal.out << VerdictJson(*verdict) << "\n";
  } else {
    PrintVerdict(*verdict, terminal.out);
  }
  return verdict->allowed ? kExitOk : kExitFailed;
}

}  // namespace

int RunCheck(const CheckArguments& arguments, const Terminal& terminal) {
  if (arguments.functions) {
    terminal.out << endpoint::FunctionTable();
    return kExitOk;
  }
  return arguments.sandbox.empty() ? CheckDefinitions(arguments, terminal) : CheckSql(arguments, terminal);
}

}  // namespace logquery::shim
