#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/catalog.h"
#include "logquery/endpoint_registry.h"
#include "shim/commands.h"
#include "shim/definitions.h"
#include "shim/display.h"

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

}  // namespace

int RunCheck(const CheckArguments& arguments, const Terminal& terminal) {
  if (arguments.folder.empty() && !arguments.built_in) {
    return Fail(terminal, absl::InvalidArgumentError("say what to check: a folder of definitions, or --builtin"));
  }
  std::vector<Endpoint> definitions;
  if (arguments.built_in) definitions = Endpoint::BuiltIn();
  if (!arguments.folder.empty()) {
    absl::StatusOr<std::vector<Endpoint>> read = ReadDefinitions(arguments.folder);
    if (!read.ok()) {
      Fail(terminal, read.status());
      return kExitFailed;
    }
    for (Endpoint& endpoint : *read) definitions.push_back(std::move(endpoint));
  }
  const auto registry = EndpointRegistry::Create(std::move(definitions), Catalog::DeclaredLogs());
  if (!registry.ok()) {
    Fail(terminal, registry.status());
    return kExitFailed;  // the command line was right, the definitions are not
  }
  for (const RegisteredEndpoint* endpoint : (*registry)->All()) PrintEndpoint(*endpoint, terminal.out);
  terminal.out << (*registry)->All().size() << " endpoints, all in order\n";
  return kExitOk;
}

}  // namespace logquery::shim
