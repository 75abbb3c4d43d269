// The options of the command line. Each Add… declares a command with its options; used only by command_line.cc.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_OPTIONS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "shim/cli/options/commands.h"

namespace logquery::shim {

// The command that the arguments chose; it runs after all of them are parsed.
using Chosen = std::function<int(const Terminal&)>;

template <typename Arguments>
void OnParsed(CLI::App* command, std::shared_ptr<Arguments> arguments, int (*run)(const Arguments&, const Terminal&),
              Chosen& chosen) {
  command->callback([arguments = std::move(arguments), run, &chosen] {
    chosen = [arguments, run](const Terminal& terminal) { return run(*arguments, terminal); };
  });
}

// Adds --quiet and --json, for a command that reports what it did.
inline void AddReporting(CLI::App* command, Reporting& to) {
  CLI::Option* quiet = command->add_flag("--quiet", to.quiet, "No report, progress and notes; only errors");
  command->add_flag("--json", to.json, "The report as one JSON object on a line")->excludes(quiet);
}

// Adds --format of these values, and --json for json, for a command whose result has a form for people and one for programs.
inline void AddFormat(CLI::App* command, std::string& to, const char* for_people, const char* help) {
  CLI::Option* format = command->add_option("--format", to, help)
                            ->check(CLI::IsMember({for_people, "json"}))
                            ->capture_default_str()
                            ->option_text(std::string(for_people) + "|json");
  command
      ->add_flag_callback(
          "--json", [&to] { to = "json"; }, "The same as --format json")
      ->excludes(format);
}

// folder_commands.cc
void AddStats(CLI::App& app, Chosen& chosen);
void AddBackup(CLI::App& app, Chosen& chosen);
void AddExport(CLI::App& app, Chosen& chosen);
void AddDoctor(CLI::App& app, Chosen& chosen);
void AddCluster(CLI::App& app, Chosen& chosen);
void AddErase(CLI::App& app, Chosen& chosen);
void AddRestore(CLI::App& app, Chosen& chosen);
// token_options.cc
void AddToken(CLI::App& app, Chosen& chosen);
// service_options.cc
void AddRun(CLI::App& app, Chosen& chosen);
void AddServe(CLI::App& app, Chosen& chosen);
void AddConfig(CLI::App& app, Chosen& chosen);
// query_commands.cc
void AddCheck(CLI::App& app, Chosen& chosen);
void AddNew(CLI::App& app, Chosen& chosen);
void AddImport(CLI::App& app, Chosen& chosen);
void AddDiff(CLI::App& app, Chosen& chosen);
void AddTest(CLI::App& app, Chosen& chosen);
void AddTranslate(CLI::App& app, Chosen& chosen);
void AddSchema(CLI::App& app, Chosen& chosen);
void AddCodegen(CLI::App& app, Chosen& chosen);
// shadow_options.cc
void AddShadow(CLI::App& app, Chosen& chosen);
// completion_command.cc
void AddCompletion(CLI::App& app, Chosen& chosen);
void AddMan(CLI::App& app, Chosen& chosen);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_OPTIONS_H_
