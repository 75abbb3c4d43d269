// The options of run, serve and config.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shim/cli/options/command_options.h"
#include "shim/cli/options/config_commands.h"
#include "shim/cli/options/settings.h"

namespace logquery::shim {
namespace {

// Those of the table that `run` takes too; the options that the parser binds are its own.
void AddServiceOptions(CommandNode& command, ServiceArguments& to) {
  const auto help = [](std::string_view key) { return HelpOf(FindSetting(key)); };
  const auto add_number = [&](std::string name, std::string_view key, ArgumentTarget target) -> CommandArgument& {
    const Setting& setting = FindSetting(key);
    return command.Add(std::move(name), std::string(setting.value), HelpOf(setting), std::move(target))
        .Between(setting.least, setting.most);
  };
  command.Add("--data", "DIR", help("data"), &to.data);
  command.Add("--backend", "FILE", help("backend"), &to.backend);
  command.Add("--endpoints", "DIR", help("endpoints"), &to.endpoints);
  command.Add("--schema", "FILE", help("schema"), &to.schema);
  to.built_in = true;
  command.AddFlag("--no-builtin", help("builtin"), [&to] { to.built_in = false; }).Needs("--endpoints");
  command.Add("--default-tier", "NAME", help("default_tier"), &to.default_tier);
  command.Add("--now", "TIME", help("now"), &to.now);
  add_number("--time-limit", "time_limit", &to.time_limit_seconds);
  add_number("--memory-limit", "memory_limit", &to.memory_limit_mb).Excludes("--backend");
  add_number("--engine-threads", "engine_threads", &to.engine_threads).Excludes("--backend");
}

// An option for each setting; what is given goes into `to` as text.
void AddSettings(CommandNode& command, GivenSettings& to) {
  command.Add("--config", "FILE",
              "A settings file, JSON with comments; options and LOGQUERY_* variables take precedence over it",
              &to.config);
  for (const Setting& setting : AllSettings()) {
    const std::string key(setting.key);
    const std::string option = OptionOf(setting);
    if (setting.value.empty()) {
      command.AddFlag(option, HelpOf(setting), [&to, key] { to.options[key] = {""}; });
      continue;
    }
    command
        .Add(option, std::string(setting.value), HelpOf(setting),
             [&to, key](const std::vector<std::string>& texts) { to.options[key] = texts; })
        .Takes(IsList(setting) ? ValueCount::kOneEachTime : ValueCount::kUsual);
  }
}

}  // namespace

CommandNode DeclareRun() {
  auto to = std::make_shared<RunArguments>();
  CommandNode command("run",
                      "Runs an endpoint on a data folder and prints the body that HTTP would return, including an "
                      "error's body (exit code 1).");
  AddServiceOptions(command, to->service);
  command.Add("endpoint", "ENDPOINT", "Its name or id", &to->endpoint).Required();
  command.Add("parameters", "KEY=VALUE…", "Its parameters; also sql=SELECT…", &to->parameters);
  command.Add("--format", "json|ndjson|csv|json-rows|arrow|parquet|table", "The formats of HTTP, or table for people",
              &to->format);
  command.AddFlag("--redact-pii", "Replace IP addresses by REDACTED", &to->redact_pii);
  command
      .AddFlag("--csv-safe", "In CSV, put an apostrophe before text that a spreadsheet would read as a formula",
               &to->csv_safe)
      .Needs("--format");
  command.AddFlag("--int64-as-string", "Write integers beyond 2^53, which JavaScript cannot represent, as strings",
                  &to->int64_as_string);
  command.footer =
      "Examples:\n  logquery run --data data logs.all project=REF project_tier=PRO\n"
      "  logquery run --data data --format table logs.all project=REF project_tier=PRO \\\n"
      "      sql='select event_message from auth_logs limit 5'";
  command.Runs(to, RunQuery);
  return command;
}

CommandNode DeclareMcp() {
  auto to = std::make_shared<McpArguments>();
  CommandNode command(
      "mcp",
      "Serves the Model Context Protocol over standard input and output: endpoints and SQL over logs as "
      "tools for models. A line is a message; a server that has the data folder open answers it.");
  AddServiceOptions(command, to->service);
  command.Add("--project", "REF", "Only this project's rows can be read", &to->project);
  command.AddFlag("--redact-pii", "Replace IP addresses by REDACTED", &to->redact_pii);
  command.footer =
      "Ends at the end of standard input, when all messages are answered.\nExample, as a client starts it:\n"
      "  logquery mcp --data data --project REF";
  command.Runs(to, RunMcp);
  return command;
}

CommandNode DeclareServe() {
  auto to = std::make_shared<GivenSettings>();
  CommandNode command("serve", "Serves endpoints over HTTP until it receives SIGTERM or Ctrl-C.");
  AddSettings(command, *to);
  command.footer =
      "Example:\n  logquery token create --tokens tokens.json --all-projects\n"
      "  logquery serve --data data --tokens tokens.json";
  command.Runs(to, RunConfiguredServe);
  return command;
}

CommandNode DeclareConfig() {
  CommandNode config("config", "Checks, prints and lists the settings of serve.");
  auto file = std::make_shared<std::string>();
  CommandNode check("config check", "Checks a settings file, and reports every error with its position.");
  check.Add("file", "FILE", "The file, as serve --config takes it", file.get()).Required();
  check.footer = "Exit code: 0 it is in order, 1 it is not.\nExample:\n  logquery config check logquery.json";
  check.Runs(file, RunConfigCheck);
  auto given = std::make_shared<GivenSettings>();
  CommandNode print("config print",
                    "Prints each setting that serve would have with the same options, and where it comes from.");
  AddSettings(print, *given);
  print.footer = "Example:\n  logquery config print --config logquery.json --listen 127.0.0.1:0";
  auto json = std::make_shared<bool>(false);
  print.AddFlag("--json", "Each setting with its value and its source as one JSON object", json.get());
  print.run = [given, json](const Terminal& terminal) { return RunConfigPrint(*given, *json, terminal); };
  CommandNode keys("config keys", "Prints the table of all settings, in Markdown.");
  keys.footer = "Example:\n  logquery config keys";
  keys.run = RunConfigKeys;
  config.commands = {std::move(check), std::move(print), std::move(keys)};
  return config;
}

}  // namespace logquery::shim
