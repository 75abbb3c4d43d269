// What run and serve take.
#include <CLI/CLI.hpp>
#include <memory>

#include "shim/command/command_options.h"

namespace logquery::shim {
namespace {

void AddServiceOptions(CLI::App* command, ServiceArguments& to) {
  command->add_option("--data", to.data, "The data folder")->option_text("DIR");
  CLI::Option* backend =
      command
          ->add_option("--backend", to.backend,
                       "In place of --data: a JSON file that says which engine answers, and how it is opened")
          ->option_text("FILE");
  CLI::Option* endpoints =
      command
          ->add_option("--endpoints", to.endpoints,
                       "A folder of definitions, NAME.json with NAME.sql; one of a built-in's name replaces that")
          ->option_text("DIR");
  to.built_in = true;
  command
      ->add_flag_callback(
          "--no-builtin", [&to] { to.built_in = false; }, "Only the definitions of --endpoints")
      ->needs(endpoints);
  command
      ->add_option("--default-tier", to.default_tier,
                   "Of calls that name no tier: FREE, PRO, PAYG or ENTERPRISE; unless said they get one day")
      ->option_text("NAME");
  command->add_option("--now", to.now, "Answer as if it were then")->option_text("TIME");
  command->add_option("--time-limit", to.time_limit_seconds, "Of one query")
      ->check(CLI::Range(0.001, 86'400.0))
      ->capture_default_str()
      ->option_text("SECONDS");
  command->add_option("--memory-limit", to.memory_limit_mb, "Of the engine")
      ->excludes(backend)
      ->check(CLI::Range(64, 1 << 24))
      ->capture_default_str()
      ->option_text("MB");
  command->add_option("--engine-threads", to.engine_threads, "Of the engine; 0: as many as the machine has")
      ->excludes(backend)
      ->check(CLI::Range(0, 1'024))
      ->capture_default_str()
      ->option_text("N");
}

}  // namespace

void AddRun(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run",
                                         "Runs an endpoint on a data folder and prints the body that HTTP would "
                                         "answer, an error's too (then the exit code is 1).");
  AddServiceOptions(command, to->service);
  command->add_option("endpoint", to->endpoint, "Its name or id")->required()->option_text("ENDPOINT");
  command->add_option("parameters", to->parameters, "Its parameters; also sql=SELECT…")->option_text("KEY=VALUE…");
  CLI::Option* format = command->add_option("--format", to->format, "As HTTP has them, or table for people")
                            ->check(CLI::IsMember({"json", "ndjson", "csv", "table"}))
                            ->capture_default_str()
                            ->option_text("json|ndjson|csv|table");
  command->add_flag("--redact-pii", to->redact_pii, "Replace IP addresses by REDACTED");
  command
      ->add_flag("--csv-safe", to->csv_safe,
                 "CSV: an apostrophe before text that a spreadsheet would take for a formula")
      ->needs(format);
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
  CLI::Option* cluster =
      command
          ->add_option("--cluster", to->cluster_percent,
                       "Part of the time in which days before yesterday may be put in the order of projects; 0: never")
          ->check(CLI::Range(0, 100))
          ->capture_default_str()
          ->option_text("PERCENT");
  command->add_flag("--read-only", to->read_only, "Take no logs in; several may then serve and run on the folder")
      ->excludes(spool)
      ->excludes(retain)
      ->excludes(cluster);
  command->add_option("--listen", to->listen, "Address and port; port 0: one that is free")
      ->capture_default_str()
      ->option_text("HOST:PORT");
  command
      ->add_option("--admin", to->admin,
                   "Where /health and /ready are answered for who runs the server, in detail and without a token")
      ->option_text("HOST:PORT");
  command->add_option("--query-threads", to->query_threads, "Queries at one time; 0: twice the processors")
      ->check(CLI::Range(0, 1'024))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--max-queued", to->max_queued, "Queries that wait; 503 beyond")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--max-connections", to->max_connections, "Requests at one time; as many wait, 503 beyond")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--max-answer", to->max_answer_mb, "The most that one answer may have")
      ->check(CLI::Range(1, 4'096))
      ->capture_default_str()
      ->option_text("MB");
  command->add_option("--answer-memory", to->answer_memory_mb, "A longer answer waits for its client in a file")
      ->check(CLI::Range(0, 4'096))
      ->capture_default_str()
      ->option_text("MB");
  command
      ->add_option("--temp", to->temporary,
                   "The folder of these files, which have no names; unless said DATA/tmp or, read-only, the system's")
      ->option_text("DIR");
  command->add_option("--stop-timeout", to->stop_seconds, "How long requests may take to finish after SIGTERM")
      ->check(CLI::Range(0.0, 3'600.0))
      ->capture_default_str()
      ->option_text("SECONDS");
  command
      ->add_option("--cors-origin", to->cors_origins,
                   "A site, https://HOST, whose pages may call from a browser; may be given again")
      ->allow_extra_args(false)
      ->option_text("ORIGIN");
  command->add_flag("--insecure-http", to->insecure_http, "Listen beyond this machine though HTTP is not encrypted");
  command->add_flag("--trust-forwarded-for", to->trust_forwarded_for,
                    "A proxy in front sets X-Forwarded-For: failed attempts are counted by its last address");
  to->supervise = true;
  command->add_flag_callback(
      "--no-supervise", [arguments = to.get()] { arguments->supervise = false; },
      "Serve in this very process; unless said, one of its own serves, and is started again when it dies");
  command->footer(
      "Example:\n  logquery token create --tokens tokens.json --all-projects\n"
      "  logquery serve --data data --tokens tokens.json");
  OnParsed(command, to, RunServe, chosen);
}

}  // namespace logquery::shim
