// Declares the commands, their options and their help.
#include "shim/cli/options/command_line.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "shim/cli/folder/forget_field.h"
#include "shim/cli/options/command_errors.h"
#include "shim/cli/options/command_options.h"
#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/version.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

constexpr std::string_view kHelp =
    R"(logquery answers saved, parameterised log queries, written in the BigQuery dialect.

  logquery COMMAND [OPTION]…

Try it
  sample      write sample log rows
  load        load NDJSON logs into a data folder
  run         run an endpoint on a data folder and print its rows

Serve
  serve       answer endpoints over HTTP
  token       create, import, list, rotate and revoke access tokens
  config      check, print and list the settings of serve

Keep the data folder
  stats       count the rows and fields of each log
  cluster     rewrite closed days by project, for faster queries
  erase       remove a project
  forget-field  give back a field that rows have taught
  doctor      check a data folder
  backup      copy a data folder, even while it is served
  restore     create a data folder from a backup

Write endpoints
  new         write an example definition
  check       check definitions, or SQL against an endpoint's sandbox
  test        run the test cases of definitions
  diff        show what callers notice of changed definitions
  translate   show each step of a query's translation
  codegen     write a typed client in C++ or TypeScript

Come from Logflare
  import      take over Logflare's endpoints, or its rows
  shadow      compare the answers of a running Logflare with those of a server

Use another engine
  schema      print the tables that PostgreSQL, ClickHouse or BigQuery need
  export      write a data folder's rows as Parquet

Set up the shell
  completion  print the completion script for bash, zsh or fish
  man         print or write man pages

  logquery COMMAND --help   a command's options and examples; also logquery help COMMAND
  logquery --version [--notices]      the version; with --notices, the licences of the software in it

From nothing to rows:
  logquery sample --rows 100000 sample
  logquery load --data data sample
  logquery run --data data logs.all project=REF project_tier=FREE     (REF: see sample/manifest.json)
)";

void AddSample(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<SampleArguments>();
  CLI::App* command = app.add_subcommand("sample",
                                         "Writes log rows to try things with: NAME.ndjson for each of the nine "
                                         "logs, and manifest.json with the projects.");
  command->add_option("folder", to->folder, "The folder to write to; created if it is absent")
      ->required()
      ->option_text("DIR");
  command->add_option("--rows", to->rows, "Rows in all nine logs")->capture_default_str()->option_text("N");
  command->add_option("--projects", to->projects, "Projects that the rows belong to")
      ->capture_default_str()
      ->option_text("P");
  command->add_option("--days", to->days, "Days that the rows are spread over")
      ->capture_default_str()
      ->option_text("D");
  command->add_option("--seed", to->seed, "The same seed produces the same bytes")
      ->capture_default_str()
      ->option_text("S");
  command->add_option("--end", to->end, "The time of the newest row; without it, the beginning of this hour")
      ->option_text("TIME");
  command
      ->add_option(
          "--part", to->part,
          "Only the I-th of N equal time periods; all parts together are the whole sample; without it everything")
      ->option_text("I/N");
  command->footer("Example:\n  logquery sample --rows 1000000 --days 30 --end 2026-01-15T12:00:00Z sample");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunSample, chosen);
}

void AddLoad(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<LoadArguments>();
  CLI::App* command = app.add_subcommand("load",
                                         "Loads NDJSON logs, plain, gzip or zstd, into a data folder. A file that was "
                                         "already loaded, under any name, is skipped.");
  command->add_option("--data", to->data, "The data folder; created if it is absent")->required()->option_text("DIR");
  command
      ->add_option("--source", to->source,
                   "The log that the files belong to, such as edge_logs; auto: from their names")
      ->capture_default_str()
      ->option_text("NAME");
  command->add_option("--schema", to->schema, "A file that declares further logs; the folder keeps the declarations")
      ->option_text("FILE");
  command->add_option("--timestamp-unit", to->timestamp_unit, "The unit of timestamps that are integers")
      ->check(CLI::IsMember({"s", "ms", "us", "ns"}))
      ->capture_default_str()
      ->option_text("s|ms|us|ns");
  command->add_option("--dedupe", to->dedupe, "Skip rows whose id is already stored")
      ->check(CLI::IsMember({"id"}))
      ->option_text("id");
  command->add_flag("--again", to->again,
                    "Load files that were loaded before, too; with --dedupe id only what is missing of them");
  command->add_option("files", to->files, "Files, folders of NAME.ndjson, or - for standard input")
      ->required()
      ->option_text("FILE…");
  command->footer(
      "Exit code: 0 all rows are in, 3 some were rejected, now or when a skipped file was loaded (they are kept in "
      "DIR/rejected), 1 failure.\n"
      "Examples:\n  logquery load --data data sample\n"
      "  zcat edge-*.gz | logquery load --data data --source edge_logs -");
  AddReporting(command, to->reporting);
  OnParsed(command, to, RunLoad, chosen);
}

}  // namespace

void PrintBody(std::string_view body, const Terminal& terminal) {
  terminal.out << body;
  if (terminal.out_is_terminal && (body.empty() || body.back() != '\n')) terminal.out << "\n";
}

int Fail(const Terminal& terminal, const absl::Status& status) {
  terminal.err << Painted(terminal.colours && terminal.err_is_terminal, Colour::kRed, "logquery:") << " "
               << base::Message(status) << "\n";
  // Its line and a caret, of a place in a file or query.
  const std::string snippet = GetErrorDetails(status).snippet;
  if (!snippet.empty()) terminal.err << snippet << "\n";
  return absl::IsInvalidArgument(status) ? kExitUsage : kExitFailed;
}

namespace {

int PrintVersion(int argc, const char* const* argv, const Terminal& terminal) {
  if (argc > 3 || (argc == 3 && std::string_view(argv[2]) != "--notices")) {
    return Usage(terminal, base::StrCat("--version takes --notices and nothing else, not ", argv[argc > 3 ? 3 : 2]));
  }
  if (argc == 3) {
    PrintBody(Notices(), terminal);
  } else {
    terminal.out << "logquery " << VersionText() << "\n";
  }
  return kExitOk;
}

}  // namespace

namespace {

void AddCommands(CLI::App& app, Chosen& chosen) {
  app.require_subcommand(1);
  for (auto* add :
       {AddSample,      AddLoad,      AddRun,    AddServe,   AddConfig, AddToken,      AddStats, AddCluster, AddErase,
        AddForgetField, AddDoctor,    AddBackup, AddRestore, AddExport, AddCheck,      AddNew,   AddImport,  AddTest,
        AddDiff,        AddTranslate, AddSchema, AddCodegen, AddShadow, AddCompletion, AddMan}) {
    add(app, chosen);
  }
}

}  // namespace

CommandNode DescribeCommandLine() {
  CLI::App app("", "logquery");
  Chosen chosen;
  AddCommands(app, chosen);
  return DescribeCommand(app);
}

int RunCommandLine(int argc, const char* const* argv, const Terminal& terminal) {
  if (argc < 2) {
    terminal.err << kHelp;
    return kExitUsage;
  }
  if (std::string_view(argv[1]) == "--version") return PrintVersion(argc, argv, terminal);
  std::vector<const char*> help;
  if (std::string_view(argv[1]) == "help") {
    if (argc == 2) {
      terminal.out << kHelp;
      return kExitOk;
    }
    // `help token create` is `token create --help`.
    help.push_back(argv[0]);
    help.insert(help.end(), argv + 2, argv + argc);
    help.push_back("--help");
    argv = help.data();
  }
  Chosen chosen;
  try {
    CLI::App app("", "logquery");
    AddCommands(app, chosen);
    if (const std::string message = UnknownCommand(app, argc, argv); !message.empty()) return Usage(terminal, message);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return ParseFailed(app, error, kHelp, terminal);
    }
  } catch (const std::exception& error) {
    return Usage(terminal, error.what());  // CLI11 itself, on options that contradict each other
  }
  return chosen(terminal);
}

}  // namespace logquery::shim
