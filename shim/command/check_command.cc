#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/translate.h"
#include "logquery/catalog.h"
#include "logquery/endpoint_folder.h"
#include "logquery/endpoint_registry.h"
#include "logquery/error.h"
#include "logquery/sandbox_verdict.h"
#include "shim/command/backend_file.h"
#include "shim/command/commands.h"
#include "shim/command/definitions.h"
#include "shim/command/display.h"
#include "shim/command/nearest_names.h"
#include "shim/command/sql_input.h"

namespace logquery::shim {
namespace {

void PrintEndpoint(const RegisteredEndpoint& endpoint, std::ostream& out) {
  const Endpoint& definition = endpoint.definition();
  out << definition.name << "  " << definition.id << "\n  max rows " << WithCommas(definition.max_rows) << ", caching ";
  out << (definition.caching.has_value() ? absl::FormatDuration(*definition.caching) : "disabled");
  if (definition.cache_warming.has_value()) out << ", warming " << absl::FormatDuration(*definition.cache_warming);
  out << ", sandbox " << (definition.query_sandboxing ? "on" : "off") << ", redaction "
      << (definition.redact_pii ? "on" : "off") << "\n  parameters:";
  for (const Parameter& parameter : definition.parameters) {
    if (parameter.computed.has_value()) continue;
    out << " " << parameter.name << " " << parameter.type.ToString() << (parameter.required ? " (required)" : "")
        << ";";
  }
  out << "\n  columns:";
  for (const Field& column : endpoint.schema()) out << " " << column.name << ";";
  out << "\n";
}

int CheckDefinitions(const CheckArguments& arguments, const Terminal& terminal) {
  if (arguments.path.empty() && !arguments.built_in) {
    return Fail(terminal, absl::InvalidArgumentError(
                              "say what to check: a folder of definitions, --builtin, or SQL with --sandbox"));
  }
  std::vector<Endpoint> definitions;
  if (arguments.built_in) definitions = Endpoint::BuiltIn();
  if (!arguments.path.empty()) {
    absl::StatusOr<std::vector<Endpoint>> read = ReadEndpointFolder(arguments.path);
    if (!read.ok()) {
      Fail(terminal, read.status());
      return kExitFailed;
    }
    for (Endpoint& endpoint : *read) definitions.push_back(std::move(endpoint));
  }
  absl::StatusOr<BackendTables> tables = TablesOf(arguments.backend);
  if (!tables.ok()) return Fail(terminal, tables.status());
  const auto registry = EndpointRegistry::Create(std::move(definitions), std::move(tables->catalog));
  if (!registry.ok()) {
    Fail(terminal, registry.status());
    return kExitFailed;  // the command line was right, the definitions are not
  }
  for (const RegisteredEndpoint* endpoint : (*registry)->All()) PrintEndpoint(*endpoint, terminal.out);
  terminal.out << (*registry)->All().size() << " endpoints, all in order\n";
  return kExitOk;
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
  const auto registry = Registry(arguments.endpoints, std::move(tables->catalog));
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
