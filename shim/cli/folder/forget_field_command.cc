// `logquery forget-field`: removes learned fields from a folder, and says what was lost and what is free again.
#include <cstdint>
#include <memory>
#include <string>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/forget_field.h"
#include "shim/cli/options/command_options.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;

constexpr int kMaxName = 200;

std::string TextOf(const Json& report, const ForgetFieldArguments& arguments) {
  std::string text;
  int64_t freed = 0;
  for (const Json& field : report.value("fields", Json::array())) {
    const auto rows = field.value("rows", int64_t{0});
    const bool is_freed = field.value("freed", false);
    freed += is_freed ? 1 : 0;
    base::StrAppend(&text, OneLine(field.value("path", ""), kMaxName), " ", field.value("type", ""), ": ",
                    WithCommas(rows), rows == 1 ? " row loses its value" : " rows lose their value",
                    is_freed ? "" : "; the column stays for other projects", "\n");
  }
  base::StrAppend(&text, WithCommas(freed), freed == 1 ? " column" : " columns", " of ",
                  OneLine(arguments.log, kMaxName));
  if (arguments.dry_run) return text + " would be free again";
  return text + (freed == 1 ? " is free again" : " are free again");
}

}  // namespace

int RunForgetField(const ForgetFieldArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::string> body = ForgetInFolder(arguments);
  if (!body.ok()) return Fail(terminal, body.status());
  const absl::StatusOr<Json> report = base::ParseJson("the report", *body);
  if (!report.ok()) return Fail(terminal, report.status());
  PrintReport(arguments.reporting, TextOf(*report, arguments), *report, terminal);
  return kExitOk;
}

CommandNode DeclareForgetField() {
  auto to = std::make_shared<ForgetFieldArguments>();
  CommandNode command(
      "forget-field",
      "Removes a field that a log has learned from rows, with its values, so that its column can be learned anew.");
  command.Add("--data", "DIR", "The data folder; no server may own it", &to->data).Required();
  command.Add("--log", "LOG", "The log, such as edge_logs", &to->log).Required();
  command.Add("--project", "REF", "Only the values of this project; the column stays if other projects have it",
              &to->project);
  command.AddFlag("--dry-run", "Only report what would be removed", &to->dry_run);
  AddReporting(command, to->reporting);
  command.Add("field", "FIELD", "The field, such as metadata.app.n, or a record with all its fields", &to->field)
      .Required();
  command.footer =
      "logquery stats --json lists what is learned, and who has how many of the columns.\n"
      "Exit code: 0 removed; 1 nothing of this name is learned, or a failure.\n"
      "Example:\n  logquery forget-field --data data --log edge_logs metadata.junk --dry-run";
  command.Runs(to, RunForgetField);
  return command;
}

}  // namespace logquery::shim
