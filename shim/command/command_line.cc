// Declares the commands, their options and their help.
#include "shim/command/command_line.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "logquery/error.h"
#include "shim/command/command_errors.h"
#include "shim/command/command_options.h"
#include "shim/command/version.h"

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
      ->add_option("--part", to->part,
                   "Only the I-th of N equal stretches of time; all of them, one after another, are the whole")
      ->option_text("I/N");
  command->footer("Example:\n  logquery sample --rows 1000000 --days 30 --end 2026-01-15T12:00:00Z sample");
  OnParsed(command, to, RunSample, chosen);
}

void AddLoad(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<LoadArguments>();
  CLI::App* command = app.add_subcommand("load",
                                         "Puts NDJSON logs, plain or gzip, into a data folder. A file that is "
                                         "there already is skipped, whatever its name.");
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
  command->add_option("files", to->files, "Files, folders of NAME.ndjson, or - for standard input")
      ->required()
      ->option_text("FILE…");
  command->footer(
      "Exit code: 0 all rows are in, 3 some were rejected (they are kept in DIR/rejected), 1 failure.\n"
      "Examples:\n  logquery load --data data sample\n"
      "  zcat edge-*.gz | logquery load --data data --source edge_logs -");
  OnParsed(command, to, RunLoad, chosen);
}

void AddLimit(CLI::App* command, const char* name, std::optional<int64_t>& value, const char* what) {
  constexpr int64_t kMost = 1'000'000'000'000;
  command->add_option(name, value, what)->check(CLI::Range(int64_t{1}, kMost))->option_text("N");
}

// What a token may do, for the commands that make one.
void AddRights(CLI::App* command, const std::shared_ptr<TokenArguments>& to) {
  command->add_option("--label", to->label, "A label for the token, shown in the log")->option_text("TEXT");
  CLI::Option* endpoint = command->add_option("--endpoint", to->endpoints, "Only this endpoint; may be given again")
                              ->allow_extra_args(false)
                              ->option_text("NAME");
  command->add_flag("--no-endpoints", to->no_endpoints, "No endpoint: for a token that only sends logs")
      ->excludes(endpoint);
  command->add_option("--endpoints", to->definitions, "A folder of further definitions that --endpoint may name")
      ->option_text("DIR");
  command
      ->add_option(
          "--schema", to->schema,
          "A file that declares further logs, that --may-ingest may name; without it schema.json of --endpoints "
          "does")
      ->option_text("FILE");
  command->add_option("--fix", to->fixed, "A fixed value for a parameter; may be given again")
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE");
  CLI::Option* project = command->add_option("--project", to->project, "Only this project's rows")->option_text("REF");
  command->add_flag("--all-projects", to->all_projects, "The rows of all projects")->excludes(project);
  command->add_flag("--redact-pii", to->redact_pii,
                    "Only rows whose IP addresses are REDACTED, also to its callers' SQL");
  command->add_option("--expires-days", to->expires_days, "0: it does not expire")
      ->check(CLI::Range(0, 36'500))
      ->capture_default_str()
      ->option_text("N");
  AddLimit(command, "--max-rows", to->max_rows, "Rows of an answer, where the endpoint would give more");
  AddLimit(command, "--max-result-bytes", to->max_result_bytes, "Bytes of an answer");
  AddLimit(command, "--time-limit-ms", to->time_limit_ms, "Milliseconds of one query");
  AddLimit(command, "--max-concurrent", to->max_concurrent, "Calls at one time; 429 beyond");
  AddLimit(command, "--calls-per-minute", to->calls_per_minute, "429 beyond");
  command->add_flag("--may-bypass-cache", to->may_bypass_cache, "Allow Cache-Control: no-store to bypass the cache");
}

// The same of logs that it brings.
void AddIngestRights(CLI::App* command, const std::shared_ptr<TokenArguments>& to) {
  CLI::Option* ingest =
      command
          ->add_option_function<std::vector<std::string>>(
              "--may-ingest",
              [to = to.get()](const std::vector<std::string>& lists) {
                to->may_ingest = true;
                for (const std::string& list : lists) {
                  for (const absl::string_view log : absl::StrSplit(list, ',', absl::SkipEmpty())) {
                    to->ingest_logs.emplace_back(log);
                  }
                }
              },
              "It may write logs where serve has --ingest: these, or all; of --project that project's rows alone")
          ->expected(0, 1)
          ->option_text("[LOG,…]");
  command->add_flag("--may-learn", to->may_learn, "Undeclared fields of its events become columns instead of JSON")
      ->needs(ingest);
  AddLimit(command, "--ingest-rows-per-second", to->ingest_rows_per_second, "Rows that it may bring; 429 beyond");
  AddLimit(command, "--ingest-bytes-per-day", to->ingest_bytes_per_day, "429 beyond");
}

void AddToken(CLI::App& app, Chosen& chosen) {
  CLI::App* token = app.add_subcommand("token", "Creates, imports, lists, rotates and revokes access tokens.");
  token->require_subcommand(1);
  const auto add = [&](std::string name, std::string what, int (*run)(const TokenArguments&, const Terminal&)) {
    auto to = std::make_shared<TokenArguments>();
    CLI::App* command = token->add_subcommand(std::move(name), std::move(what));
    command->add_option("--tokens", to->tokens, "The file of access tokens")->required()->option_text("FILE");
    OnParsed(command, to, run, chosen);
    return std::make_pair(command, to);
  };
  auto [create, to] = add("create", "Adds a token and prints it: the only time that it can be read.", RunTokenCreate);
  AddRights(create, to);
  AddIngestRights(create, to);
  create->footer(
      "Examples:\n  logquery token create --tokens tokens.json --all-projects --label dashboard --expires-days 90\n"
      "  logquery token create --tokens tokens.json --project REF --may-ingest edge_logs --label collector");
  auto [import, imported] =
      add("import", "Adds a token that was made elsewhere, read from standard input unless said.", RunTokenImport);
  CLI::Option* secret_file =
      import->add_option("--secret-file", imported->secret_file, "A file that contains it")->option_text("FILE");
  import
      ->add_option("--secret-env", imported->secret_variable,
                   "An environment variable that contains it, or VARIABLE_FILE its path")
      ->excludes(secret_file)
      ->option_text("VARIABLE");
  AddRights(import, imported);
  AddIngestRights(import, imported);
  import->footer(
      "One that is there already stays as it is.\nExample:\n"
      "  logquery token import --tokens tokens.json --secret-env LOGFLARE_PUBLIC_ACCESS_TOKEN --project default "
      "--may-ingest --no-endpoints");
  add("list", "Lists the tokens: their ids and what they may do, never the tokens themselves.", RunTokenList);
  auto [rotate, rotated] =
      add("rotate", "Prints a new token that may do what an old one may, which ends.", RunTokenRotate);
  rotate->add_option("id", rotated->id, "The id of the old token, as list shows it")->required()->option_text("ID");
  rotate->add_option("--grace-hours", rotated->grace_hours, "How long the old token still works; 0: not at all")
      ->check(CLI::Range(0, 8'760))
      ->capture_default_str()
      ->option_text("N");
  auto [revoke, revoked] = add("revoke", "Revokes a token, at once also for a server that is running.", RunTokenRevoke);
  revoke->add_option("id", revoked->id, "The id of the token, as list shows it")->required()->option_text("ID");
}

}  // namespace

void PrintBody(std::string_view body, const Terminal& terminal) {
  terminal.out << body;
  if (terminal.out_is_terminal && (body.empty() || body.back() != '\n')) terminal.out << "\n";
}

int Fail(const Terminal& terminal, const absl::Status& status) {
  terminal.err << "logquery: " << base::Message(status) << "\n";
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
    app.require_subcommand(1);
    for (auto* add : {AddSample, AddLoad,   AddRun,       AddServe,   AddConfig,  AddToken,  AddStats,      AddCluster,
                      AddErase,  AddDoctor, AddBackup,    AddRestore, AddExport,  AddCheck,  AddNew,        AddImport,
                      AddTest,   AddDiff,   AddTranslate, AddSchema,  AddCodegen, AddShadow, AddCompletion, AddMan}) {
      add(app, chosen);
    }
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
