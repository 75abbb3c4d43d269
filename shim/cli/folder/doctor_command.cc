// The command doctor. The server that holds the folder checks it; otherwise the command does.
#include <optional>
#include <string>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;

constexpr int kMaxLine = 2'000;

// Checks the folder through the server that holds it, or by itself.
absl::StatusOr<std::string> Check(const DoctorArguments& arguments) {
  HttpRequest request;
  request.method = "POST";
  request.path = "/check";
  request.headers = {{"Content-Type", "application/json"}};
  request.body = Json{{"read_rows", arguments.read_rows}}.ToString();
  if (arguments.repair && HasServer(arguments.data)) {
    return absl::FailedPreconditionError(base::StrCat("a server holds ", arguments.data,
                                                      ", and has repaired it when it started: stop it to do so again"));
  }
  if (std::optional<absl::StatusOr<std::string>> answer = AskOwner(arguments.data, request)) return *std::move(answer);
  return CheckDataFolder(arguments.data, arguments.repair, arguments.read_rows);
}

bool IsOpen(const Json& finding) { return !finding.value("repaired", false) && finding.value("kind", "") != "note"; }

void Print(const Json& findings, const DoctorArguments& arguments, const Terminal& terminal) {
  for (const Json& finding : findings) {
    const bool repaired = finding.value("repaired", false);
    terminal.out << (repaired ? "repaired" : finding.value("kind", "")) << ": "
                 << OneLine(finding.value("what", ""), kMaxLine) << "\n";
    const std::string to_do = finding.value("to_do", "");
    if (!repaired && !to_do.empty()) terminal.out << "    " << OneLine(to_do, kMaxLine) << "\n";
  }
  if (findings.empty()) terminal.out << arguments.data << " is in order\n";
  if (!arguments.read_rows) terminal.err << "rows were counted, not read; --read-rows reads each value\n";
}

}  // namespace

int RunDoctor(const DoctorArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::string> report = Check(arguments);
  if (!report.ok()) return Fail(terminal, report.status());
  const absl::StatusOr<Json> json = base::ParseJson("the report", *report);
  if (!json.ok()) return Fail(terminal, json.status());
  const Json findings = json->value("findings", Json::array());
  if (arguments.format == "json") {
    terminal.out << *report << (terminal.out_is_terminal ? "\n" : "");
  } else {
    Print(findings, arguments, terminal);
  }
  for (const Json& finding : findings) {
    if (IsOpen(finding)) return kExitFindings;
  }
  return kExitOk;
}

}  // namespace logquery::shim
