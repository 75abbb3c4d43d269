// The command diff: prints the changes between definitions that callers notice.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/replace_definitions.h"
#include "lib/tools/definition_diff.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/catalog.h"
#include "logquery/endpoint_folder.h"
#include "logquery/endpoint_registry.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/query/definitions.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;
using endpoint::DefinitionChange;

absl::StatusOr<std::shared_ptr<const EndpointRegistry>> RegistryOf(const std::string& folder, bool built_in) {
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Endpoint> own, ReadEndpointFolder(folder));
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, endpoint::AddOwnLogs(Catalog::DeclaredLogs(), "", folder));
  const absl::StatusOr<std::shared_ptr<const EndpointRegistry>> made = EndpointRegistry::Create(
      endpoint::ReplaceDefinitions(BuiltInDefinitions(built_in), std::move(own)), std::move(catalog));
  if (made.ok()) return made;
  return absl::InvalidArgumentError(base::StrCat(folder, ": ", base::Message(made.status()), "; `logquery check ",
                                                 folder, "` lists all that is wrong"));
}

void PrintText(const std::vector<DefinitionChange>& changes, std::ostream& out) {
  constexpr int kWidth = 1'000;
  for (const DefinitionChange& change : changes) {
    out << (change.breaking ? "! " : "  ") << OneLine(base::StrCat(change.endpoint, ": ", change.what), kWidth) << "\n";
  }
  if (changes.empty()) out << "callers notice no difference\n";
}

void PrintJson(const std::vector<DefinitionChange>& changes, std::ostream& out) {
  Json list = Json::array();
  for (const DefinitionChange& change : changes) {
    list.push_back({{"endpoint", change.endpoint}, {"breaking", change.breaking}, {"what", change.what}});
  }
  out << Json{{"changes", std::move(list)}}.ToString() << "\n";
}

}  // namespace

int RunDiff(const DiffArguments& arguments, const Terminal& terminal) {
  const auto before = RegistryOf(arguments.before, arguments.built_in);
  const auto after = before.ok() ? RegistryOf(arguments.after, arguments.built_in) : before;
  if (!after.ok()) {
    Fail(terminal, after.status());
    return kExitFailed;  // the command line was right
  }
  const std::vector<DefinitionChange> changes = endpoint::CompareDefinitions(**before, **after);
  if (arguments.format == "json") {
    PrintJson(changes, terminal.out);
  } else {
    PrintText(changes, terminal.out);
  }
  const bool breaking = std::any_of(changes.begin(), changes.end(), [](const auto& change) { return change.breaking; });
  return breaking ? kExitFindings : kExitOk;
}

}  // namespace logquery::shim
