// The commands with their options; used only by command_line.cc and the files that declare them.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_OPTIONS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_OPTIONS_H_

#include <string>

#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Adds --quiet and --json, for a command that reports what it did.
inline void AddReporting(CommandNode& command, Reporting& to) {
  command.AddFlag("--quiet", "No report, progress and notes; only errors", &to.quiet);
  command.AddFlag("--json", "The report as one JSON object on a line", &to.json).Excludes("--quiet");
}

// Adds --format of these values, and --json for json, for a command whose result has a form for people and one for programs.
inline void AddFormat(CommandNode& command, std::string& to, const std::string& for_people, const char* help) {
  command.Add("--format", for_people + "|json", help, &to);
  command.AddFlag("--json", "The same as --format json", [&to] { to = "json"; }).Excludes("--format");
}

// folder_commands.cc
CommandNode DeclareStats();
CommandNode DeclareBackup();
CommandNode DeclareExport();
CommandNode DeclareDoctor();
CommandNode DeclareCluster();
CommandNode DeclareErase();
CommandNode DeclareRestore();
// token_options.cc
CommandNode DeclareToken();
// service_options.cc
CommandNode DeclareRun();
CommandNode DeclareQuery();
CommandNode DeclareServe();
CommandNode DeclareMcp();
CommandNode DeclareVerify();
CommandNode DeclareConfig();
// query_commands.cc
CommandNode DeclareCheck();
CommandNode DeclareNew();
CommandNode DeclareImport();
CommandNode DeclareDiff();
CommandNode DeclareTest();
CommandNode DeclareTranslate();
CommandNode DeclareSchema();
CommandNode DeclareCodegen();
// shadow_options.cc
CommandNode DeclareShadow();
// completion_command.cc
CommandNode DeclareCompletion();
CommandNode DeclareMan();

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_OPTIONS_H_
