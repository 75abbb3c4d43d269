// `logquery codegen`: writes a typed client of endpoints, in the language that is asked for.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/definition_check.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/catalog.h"
#include "logquery/endpoint_registry.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/findings.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/cli/options/version.h"
#include "shim/cli/query/codegen/client_model.h"
#include "shim/cli/query/codegen/cpp_client.h"
#include "shim/cli/query/codegen/typescript_client.h"
#include "shim/cli/query/definitions.h"

namespace logquery::shim {
namespace {

using base::StrCat;

constexpr char kCpp[] = "cpp";
constexpr char kTypeScript[] = "typescript";

absl::Status CheckLanguage(const CodegenArguments& arguments) {
  const std::vector<std::string> languages = CodegenLanguages();
  if (std::find(languages.begin(), languages.end(), arguments.language) == languages.end()) {
    return absl::InvalidArgumentError(StrCat("--lang must be ", base::Join(languages, " or "), ", is ",
                                             base::QuotedText(arguments.language),
                                             DidYouMean(arguments.language, languages)));
  }
  if (!arguments.int64.empty() && arguments.language != kTypeScript) {
    return absl::InvalidArgumentError(
        StrCat("--int64 goes with --lang typescript; in ", arguments.language, " an INT64 has 64 bits"));
  }
  return absl::OkStatus();
}

// The endpoints that a client may be of; nullptr: there are errors, which are printed.
absl::StatusOr<std::shared_ptr<const EndpointRegistry>> Definitions(const CodegenArguments& arguments,
                                                                    const Terminal& terminal) {
  std::vector<Endpoint> built_in = BuiltInDefinitions(arguments.built_in);
  if (arguments.endpoints.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, endpoint::AddOwnLogs(Catalog::DeclaredLogs(), arguments.schema, ""));
    return EndpointRegistry::Create(std::move(built_in), std::move(catalog));
  }
  LOGQUERY_ASSIGN_OR_RETURN(
      const endpoint::DefinitionCheck check,
      endpoint::CheckDefinitionFolder(arguments.endpoints, built_in, Catalog::DeclaredLogs(), arguments.schema));
  if (check.endpoints == nullptr) PrintFindings(check, terminal.err);
  return check.endpoints;
}

absl::Status WriteTo(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file.fail()) return absl::OkStatus();
  const std::string reason = errno == 0 ? "" : StrCat(": ", std::string_view(strerror(errno)));
  return absl::UnavailableError(StrCat("can't write ", path, reason));
}

}  // namespace

std::vector<std::string> CodegenLanguages() { return {kCpp, kTypeScript}; }

int RunCodegen(const CodegenArguments& arguments, const Terminal& terminal) {
  if (const absl::Status status = CheckLanguage(arguments); !status.ok()) return Fail(terminal, status);
  const auto registry = Definitions(arguments, terminal);
  if (!registry.ok()) {
    Fail(terminal, registry.status());
    return kExitFailed;  // the command line was right
  }
  if (*registry == nullptr) return kExitFailed;
  const absl::StatusOr<ClientModel> model = MakeClientModel(**registry, arguments.names, PlainVersion());
  if (!model.ok()) return Fail(terminal, model.status());
  const TypeScriptInt64 int64 = arguments.int64 == "bigint" ? TypeScriptInt64::kBigint : TypeScriptInt64::kNumber;
  const std::string client = arguments.language == kCpp ? CppClient(*model) : TypeScriptClient(*model, int64);
  if (arguments.out == "-") {
    PrintBody(client, terminal);
    return kExitOk;
  }
  const absl::Status written = WriteTo(arguments.out, client);
  return written.ok() ? kExitOk : Fail(terminal, written);
}

}  // namespace logquery::shim
