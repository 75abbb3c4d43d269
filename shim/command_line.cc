#include "shim/command_line.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "shim/command_errors.h"
#include "shim/command_options.h"

#ifndef LOGQUERY_VERSION
#define LOGQUERY_VERSION "unknown"
#endif

namespace logquery::shim {
namespace {

constexpr std::string_view kHelp =
    R"(logquery answers saved, parameterised log queries, written in the BigQuery dialect.

  logquery COMMAND [OPTION]…

Try it
  sample      write log rows to try things with
  load        put NDJSON logs into a data folder
  run         run an endpoint on a data folder and print its rows

Serve it
  serve       answer endpoints over HTTP
  token       create, list, rotate and revoke access tokens

Keep it
  stats       count what a data folder holds
  doctor      look whether a data folder is in order
  backup      copy a data folder, also while it is served
  restore     make a data folder of a backup

Write queries
  check       check definitions of endpoints, or SQL against an endpoint's sandbox
  translate   show what becomes of a query on its way to the engine

  logquery COMMAND --help   what a command takes, with examples
  logquery --version

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
  command->add_option("folder", to->folder, "Where to; made when it is absent")->required()->option_text("DIR");
  command->add_option("--rows", to->rows, "Rows in all nine logs")->capture_default_str()->option_text("N");
  command->add_option("--projects", to->projects, "Projects that they are of")->capture_default_str()->option_text("P");
  command->add_option("--days", to->days, "Days that they spread over")->capture_default_str()->option_text("D");
  command->add_option("--seed", to->seed, "The same seed, the same bytes")->capture_default_str()->option_text("S");
  command->add_option("--end", to->end, "When the newest row is from; this hour's beginning unless said")
      ->option_text("TIME");
  command->footer("Example:\n  logquery sample --rows 1000000 --days 30 --end 2026-01-15T12:00:00Z sample");
  OnParsed(command, to, RunSample, chosen);
}

void AddLoad(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<LoadArguments>();
  CLI::App* command = app.add_subcommand("load",
                                         "Puts NDJSON logs, plain or gzip, into a data folder. A file that is "
                                         "there already is skipped, whatever its name.");
  command->add_option("--data", to->data, "The data folder; made when it is absent")->required()->option_text("DIR");
  command
      ->add_option("--source", to->source, "The log that the files are of, such as edge_logs; auto: from their names")
      ->capture_default_str()
      ->option_text("NAME");
  command->add_option("--timestamp-unit", to->timestamp_unit, "Of timestamps that are integers")
      ->check(CLI::IsMember({"s", "ms", "us", "ns"}))
      ->capture_default_str()
      ->option_text("s|ms|us|ns");
  command->add_option("--dedupe", to->dedupe, "Leave rows out whose id is there already")
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

void AddServiceOptions(CLI::App* command, ServiceArguments& to) {
  command->add_option("--data", to.data, "The data folder")->required()->option_text("DIR");
  command->add_option("--endpoints", to.endpoints, "A folder of further definitions, NAME.json with NAME.sql")
      ->option_text("DIR");
  command->add_option("--now", to.now, "Answer as if it were then")->option_text("TIME");
  command->add_option("--time-limit", to.time_limit_seconds, "Of one query")
      ->check(CLI::Range(0.001, 86'400.0))
      ->capture_default_str()
      ->option_text("SECONDS");
  command->add_option("--memory-limit", to.memory_limit_mb, "Of the engine")
      ->check(CLI::Range(64, 1 << 24))
      ->capture_default_str()
      ->option_text("MB");
  command->add_option("--engine-threads", to.engine_threads, "Of the engine; 0: as many as the machine has")
      ->check(CLI::Range(0, 1'024))
      ->capture_default_str()
      ->option_text("N");
}

void AddRun(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run",
                                         "Runs an endpoint on a data folder and prints the body that HTTP would "
                                         "answer, an error's too (then the exit code is 1).");
  AddServiceOptions(command, to->service);
  command->add_option("endpoint", to->endpoint, "Its name or id")->required()->option_text("ENDPOINT");
  command->add_option("parameters", to->parameters, "Its parameters; also sql=SELECT…")->option_text("KEY=VALUE…");
  command->add_option("--format", to->format, "json, or table for people")
      ->check(CLI::IsMember({"json", "table"}))
      ->capture_default_str()
      ->option_text("json|table");
  command->add_flag("--redact-pii", to->redact_pii, "Replace IP addresses by REDACTED");
  command->add_flag("--int64-as-string", to->int64_as_string, "Integers that JavaScript can't hold as strings");
  command->footer(
      "Examples:\n  logquery run --data data logs.all project=REF project_tier=PRO\n"
      "  logquery run --data data --format table logs.all project=REF project_tier=PRO \\\n"
      "      sql='select event_message from auth_logs limit 5'");
  OnParsed(command, to, RunQuery, chosen);
}

void AddServe(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<ServeArguments>();
  CLI::App* command = app.add_subcommand("serve", "Answers endpoints over HTTP until it gets SIGTERM or Ctrl-C.");
  AddServiceOptions(command, to->service);
  command->add_option("--tokens", to->tokens, "The file of access tokens")->required()->option_text("FILE");
  CLI::Option* spool =
      command->add_option("--spool", to->spool, "A folder that programs put logs into, beside DATA/spool")
          ->option_text("DIR");
  CLI::Option* retain =
      command
          ->add_option(
              "--retain", to->retain,
              "Keep rows of a log no longer (90d, 12h), or no more on the disk (20GB); the oldest go for good. "
              "* is each log without a limit of its own; may be given again")
          ->allow_extra_args(false)
          ->option_text("LOG=LIMIT,…");
  command->add_flag("--read-only", to->read_only, "Take no logs in; several may then serve and run on the folder")
      ->excludes(spool)
      ->excludes(retain);
  command->add_option("--listen", to->listen, "Address and port; port 0: one that is free")
      ->capture_default_str()
      ->option_text("HOST:PORT");
  command->add_option("--query-threads", to->query_threads, "Queries at one time; 0: twice the processors")
      ->check(CLI::Range(0, 1'024))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--max-queued", to->max_queued, "Queries that wait; 503 beyond")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--max-connections", to->max_connections, "Connections at one time; further ones wait")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--stop-timeout", to->stop_seconds, "How long requests may take to finish after SIGTERM")
      ->check(CLI::Range(0.0, 3'600.0))
      ->capture_default_str()
      ->option_text("SECONDS");
  command->add_flag("--insecure-http", to->insecure_http, "Listen beyond this machine though HTTP is not encrypted");
  command->add_flag("--trust-forwarded-for", to->trust_forwarded_for,
                    "A proxy in front sets X-Forwarded-For: failed attempts are counted by its last address");
  command->footer(
      "Example:\n  logquery token create --tokens tokens.json --all-projects\n"
      "  logquery serve --data data --tokens tokens.json");
  OnParsed(command, to, RunServe, chosen);
}

void AddLimit(CLI::App* command, const char* name, std::optional<int64_t>& value, const char* what) {
  constexpr int64_t kMost = 1'000'000'000'000;
  command->add_option(name, value, what)->check(CLI::Range(int64_t{1}, kMost))->option_text("N");
}

void AddToken(CLI::App& app, Chosen& chosen) {
  CLI::App* token = app.add_subcommand("token", "Creates, lists, rotates and revokes access tokens.");
  token->require_subcommand(1);
  const auto add = [&](std::string name, std::string what, int (*run)(const TokenArguments&, const Terminal&)) {
    auto to = std::make_shared<TokenArguments>();
    CLI::App* command = token->add_subcommand(std::move(name), std::move(what));
    command->add_option("--tokens", to->tokens, "The file of access tokens")->required()->option_text("FILE");
    OnParsed(command, to, run, chosen);
    return std::make_pair(command, to);
  };
  auto [create, to] = add("create", "Adds a token and prints it: the only time that it can be read.", RunTokenCreate);
  create->add_option("--label", to->label, "Who it is for, as the log shows it")->option_text("TEXT");
  create->add_option("--endpoint", to->endpoints, "Only this endpoint; may be given again")
      ->allow_extra_args(false)
      ->option_text("NAME");
  create->add_option("--fix", to->fixed, "A parameter that callers can't choose; may be given again")
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE");
  CLI::Option* project = create->add_option("--project", to->project, "Only this project's rows")->option_text("REF");
  create->add_flag("--all-projects", to->all_projects, "The rows of all projects")->excludes(project);
  create->add_flag("--redact-pii", to->redact_pii,
                   "Only rows whose IP addresses are REDACTED, also to its callers' SQL");
  create->add_option("--expires-days", to->expires_days, "0: it does not expire")
      ->check(CLI::Range(0, 36'500))
      ->capture_default_str()
      ->option_text("N");
  create->footer(
      "Example:\n  logquery token create --tokens tokens.json --all-projects --label dashboard --expires-days 90");
  AddLimit(create, "--max-rows", to->max_rows, "Rows of an answer, where the endpoint would give more");
  AddLimit(create, "--max-result-bytes", to->max_result_bytes, "Bytes of an answer");
  AddLimit(create, "--time-limit-ms", to->time_limit_ms, "Milliseconds of one query");
  AddLimit(create, "--max-concurrent", to->max_concurrent, "Calls at one time; 429 beyond");
  AddLimit(create, "--calls-per-minute", to->calls_per_minute, "429 beyond");
  create->add_flag("--may-bypass-cache", to->may_bypass_cache, "Cache-Control: no-store of a request is heeded");
  add("list", "Lists the tokens: their ids and what they may do, never the tokens themselves.", RunTokenList);
  auto [rotate, rotated] =
      add("rotate", "Prints a new token that may do what an old one may, which ends.", RunTokenRotate);
  rotate->add_option("id", rotated->id, "The old one's, as list shows it")->required()->option_text("ID");
  rotate->add_option("--grace-hours", rotated->grace_hours, "How long the old one still works; 0: not at all")
      ->check(CLI::Range(0, 8'760))
      ->capture_default_str()
      ->option_text("N");
  auto [revoke, revoked] = add("revoke", "Revokes a token, at once also for a server that is running.", RunTokenRevoke);
  revoke->add_option("id", revoked->id, "As list shows it")->required()->option_text("ID");
}

}  // namespace

int Fail(const Terminal& terminal, const absl::Status& status) {
  terminal.err << "logquery: " << base::Message(status) << "\n";
  return absl::IsInvalidArgument(status) ? kExitUsage : kExitFailed;
}

int RunCommandLine(int argc, const char* const* argv, const Terminal& terminal) {
  if (argc < 2) {
    terminal.err << kHelp;
    return kExitUsage;
  }
  if (std::string_view(argv[1]) == "--version") {
    terminal.out << "logquery " << LOGQUERY_VERSION << "\n";
    return kExitOk;
  }
  Chosen chosen;
  try {
    CLI::App app("", "logquery");
    app.require_subcommand(1);
    for (auto* add : {AddSample, AddLoad, AddRun, AddServe, AddToken, AddStats, AddDoctor, AddBackup, AddRestore,
                      AddCheck, AddTranslate}) {
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
