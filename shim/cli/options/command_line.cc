// Declares the commands, their options and their help.
#include "shim/cli/options/command_line.h"

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "shim/cli/folder/forget_field.h"
#include "shim/cli/options/command_errors.h"
#include "shim/cli/options/command_options.h"
#include "shim/cli/options/command_parser.h"
#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/packed_records_option.h"
#include "shim/cli/options/standard_output.h"
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
  query       run SQL over all logs of a data folder and print its rows
  run         run an endpoint on a data folder and print its rows

Serve
  serve       answer endpoints over HTTP
  mcp         give endpoints to a model, over standard input and output
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
  verify      rewrite queries in ClickHouse SQL or back, and compare the rows
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

CommandNode DeclareSample() {
  auto to = std::make_shared<SampleArguments>();
  CommandNode command("sample",
                      "Writes log rows to try things with: NAME.ndjson for each of the nine logs, and manifest.json "
                      "with the projects.");
  command.Add("folder", "DIR", "The folder to write to; created if it is absent", &to->folder).Required();
  command.Add("--rows", "N", "Rows in all nine logs", &to->rows);
  command.Add("--projects", "P", "Projects that the rows belong to", &to->projects);
  command.Add("--days", "D", "Days that the rows are spread over", &to->days);
  command.Add("--seed", "S", "The same seed produces the same bytes", &to->seed);
  command.Add("--end", "TIME", "The time of the newest row; without it, the beginning of this hour", &to->end);
  command.Add("--part", "I/N",
              "Only the I-th of N equal time periods; all parts together are the whole sample; without it everything",
              &to->part);
  command.footer = "Example:\n  logquery sample --rows 1000000 --days 30 --end 2026-01-15T12:00:00Z sample";
  AddReporting(command, to->reporting);
  command.Runs(to, RunSample);
  return command;
}

CommandNode DeclareLoad() {
  auto to = std::make_shared<LoadArguments>();
  CommandNode command("load",
                      "Loads NDJSON logs, plain, gzip or zstd, into a data folder. A file that was already loaded, "
                      "under any name, is skipped.");
  command.Add("--data", "DIR", "The data folder; created if it is absent", &to->data).Required();
  command.Add("--source", "NAME", "The log that the files belong to, such as edge_logs; auto: from their names",
              &to->source);
  command.Add("--schema", "FILE", "A file that declares further logs; the folder keeps the declarations", &to->schema);
  command.Add("--timestamp-unit", "s|ms|us|ns", "The unit of timestamps that are integers", &to->timestamp_unit);
  command.Add("--dedupe", "id", "Skip rows whose id is already stored", &to->dedupe);
  command.AddFlag("--again", "Load files that were loaded before, too; with --dedupe id only what is missing of them",
                  &to->again);
  command.Add("--packed-records", kPackedRecordsValues, kPackedRecordsHelp, &to->packed_records);
  command.Add("files", "FILE…", "Files, folders of NAME.ndjson, or - for standard input", &to->files).Required();
  command.footer =
      "Exit code: 0 all rows are in, 3 some were rejected, now or when a skipped file was loaded (they are kept in "
      "DIR/rejected), 1 failure.\n"
      "Examples:\n  logquery load --data data sample\n"
      "  zcat edge-*.gz | logquery load --data data --source edge_logs -";
  AddReporting(command, to->reporting);
  command.Runs(to, RunLoad);
  return command;
}

}  // namespace

void PrintBody(std::string_view body, const Terminal& terminal) {
  terminal.out << body;
  if (terminal.out_is_terminal && (body.empty() || body.back() != '\n')) terminal.out << "\n";
}

int Fail(const Terminal& terminal, const absl::Status& status) {
  terminal.err << Painted(terminal.colours && terminal.err_is_terminal, Colour::kRed, "logquery:") << " "
               << base::Message(status) << "\n";
  // The snippet is the line of a place in a file or query, and a caret.
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

CommandNode DescribeCommandLine() {
  CommandNode root("", "");
  for (auto* declare :
       {DeclareSample,  DeclareLoad,   DeclareQuery,      DeclareRun,       DeclareMcp,    DeclareServe,
        DeclareConfig,  DeclareToken,  DeclareStats,      DeclareCluster,   DeclareErase,  DeclareForgetField,
        DeclareDoctor,  DeclareBackup, DeclareRestore,    DeclareExport,    DeclareCheck,  DeclareNew,
        DeclareImport,  DeclareTest,   DeclareDiff,       DeclareTranslate, DeclareVerify, DeclareSchema,
        DeclareCodegen, DeclareShadow, DeclareCompletion, DeclareMan}) {
    root.commands.push_back(declare());
  }
  return root;
}

namespace {

int RunCommandOf(int argc, const char* const* argv, const Terminal& terminal) {
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
  const CommandNode root = DescribeCommandLine();
  if (const std::string message = UnknownCommand(root, argc, argv); !message.empty()) return Usage(terminal, message);
  ParsedCommand parsed;
  try {
    parsed = ParseArguments(root, argc, argv);
  } catch (const std::exception& error) {
    return Usage(terminal, error.what());  // options that contradict each other
  }
  if (parsed.wants_help || !parsed.error.empty()) return Refused(parsed, kHelp, terminal);
  return parsed.command->run(terminal);
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv, const Terminal& terminal) {
  const int code = RunCommandOf(argc, argv, terminal);
  const absl::Status written = FlushOutput(terminal.out);
  if (written.ok()) return code;
  const int failed = Fail(terminal, written);
  return code == kExitOk ? failed : code;
}

}  // namespace logquery::shim
