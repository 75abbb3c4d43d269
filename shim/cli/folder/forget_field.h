// The command forget-field: gives learned columns of a data folder back.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_FORGET_FIELD_H_
#define LOGQUERY_SHIM_CLI_FOLDER_FORGET_FIELD_H_

#include <string>

#include "absl/status/statusor.h"
#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

struct ForgetFieldArguments {
  std::string data;
  std::string log;
  std::string project;  // empty: all projects
  std::string field;
  bool dry_run = false;
  Reporting reporting;
};
int RunForgetField(const ForgetFieldArguments& arguments, const Terminal& terminal);

CommandNode DeclareForgetField();

// For a folder that no server holds. Returns JSON in the form of --json. Statuses: those of OpenDuckDb and ForgetFields.
absl::StatusOr<std::string> ForgetInFolder(const ForgetFieldArguments& arguments);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_FORGET_FIELD_H_
