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

std::string SettingHelp(std::string_view key) { return HelpOf(FindSetting(key)); }

void AddEngine(CommandNode& command, ServiceArguments& to) {
  command.Add("--data", "DIR", SettingHelp("data"), &to.data);
  command.Add("--backend", "FILE", SettingHelp("backend"), &to.backend);
}

// The time and what a query may take.
void AddQueryLimits(CommandNode& command, ServiceArguments& to) {
  const auto add_number = [&](std::string name, std::string_view key, ArgumentTarget target) -> CommandArgument& {
    const Setting& setting = FindSetting(key);
    return command.Add(std::move(name), std::string(setting.value), HelpOf(setting), std::move(target))
        .Between(setting.least, setting.most);
  };
  command.Add("--now", "TIME", SettingHelp("now"), &to.now);
  add_number("--time-limit", "time_limit", &to.time_limit_seconds);
  add_number("--memory-limit", "memory_limit", &to.memory_limit_mb).Excludes("--backend");
  add_number("--engine-threads", "engine_threads", &to.engine_threads).Excludes("--backend");
}

// Adds the options of a server that answers in place of a folder or an engine of this process, which `others` describe.
void AddServer(CommandNode& command, RemoteArguments& to, const std::vector<std::string>& others) {
  CommandArgument& url = command.Add(
      "--url", "URL", "Ask the running server at this URL, such as https://logs.example, in place of --data", &to.url);
  for (const std::string& other : others) url.Excludes(other);
  command.Add("--token-file", "FILE", "A file with the token for the server", &to.token_file).Needs("--url");
  command
      .Add("--token-env", "VARIABLE",
           "An environment variable with that token in place of a file, or VARIABLE_FILE with its path",
           &to.token_variable)
      .Needs("--url")
      .Excludes("--token-file");
  command
      .Add("--ca-file", "FILE", "Trusted certificate authorities for the server; without it the system's", &to.ca_file)
      .Needs("--url");
}

// Adds the options of the settings' table that `run` takes too, as options of its own that the parser binds.
void AddServiceOptions(CommandNode& command, ServiceArguments& to) {
  AddEngine(command, to);
  command.Add("--endpoints", "DIR", SettingHelp("endpoints"), &to.endpoints);
  command.Add("--schema", "FILE", SettingHelp("schema"), &to.schema);
  to.built_in = true;
  command.AddFlag("--no-builtin", SettingHelp("builtin"), [&to] { to.built_in = false; }).Needs("--endpoints");
  command.Add("--default-tier", "NAME", SettingHelp("default_tier"), &to.default_tier);
  AddQueryLimits(command, to);
}

// Adds the options of how rows are written. `format` is what holds without --format.
template <typename Arguments>
void AddRowOptions(CommandNode& command, Arguments& to, const char* formats, const char* format) {
  command.Add("--format", formats, "The formats of HTTP, or table for people", &to.format).fallback = format;
  command.AddFlag("--redact-pii", "Replace IP addresses by REDACTED", &to.redact_pii);
  command
      .AddFlag("--csv-safe", "In CSV, put an apostrophe before text that a spreadsheet would read as a formula",
               &to.csv_safe)
      .Needs("--format");
  command.AddFlag("--int64-as-string", "Write integers beyond 2^53, which JavaScript cannot represent, as strings",
                  &to.int64_as_string);
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
                      "error's body (exit code 1). With another format than JSON, and on a terminal without --format, "
                      "errors are text on standard error.");
  AddServiceOptions(command, to->service);
  command.Add("endpoint", "ENDPOINT", "Its name or id", &to->endpoint).Required();
  command.Add("parameters", "KEY=VALUE…", "Its parameters; also sql=SELECT…", &to->parameters);
  AddRowOptions(command, *to, "json|ndjson|csv|json-rows|arrow|parquet|table", "json");
  command.footer =
      "Examples:\n  logquery run --data data logs.all project=REF project_tier=PRO\n"
      "  logquery run --data data --format table logs.all project=REF project_tier=PRO \\\n"
      "      sql='select event_message from auth_logs limit 5'";
  command.Runs(to, RunQuery);
  return command;
}

CommandNode DeclareQuery() {
  auto to = std::make_shared<SqlArguments>();
  CommandNode command(
      "query",
      "Runs a SELECT over all logs of a data folder, each by its name: the built-in ones, your own, and "
      "those that sources made. Nothing is changed. A server that has the folder open answers it. With --url, a server "
      "elsewhere answers, with a token's rights.");
  AddEngine(command, to->service);
  command.Add("sql", "SQL", "The SELECT, or - for standard input", &to->sql);
  command.Add("--file", "FILE",
              "A file with the SELECT, or - for standard input; without it the argument is the SELECT", &to->file);
  command.Add("--project", "REF", "Only rows of this project; without it those of all projects", &to->project);
  command.Add("--language", "bigquery|clickhouse",
              "The language of the SELECT; in clickhouse, the table logs has the rows of all logs", &to->language);
  command.Add("--limit", "N", "The most rows to print; it says so when there are more", &to->limit)
      .Between(1, 1'000'000)
      .Excludes("--url");
  AddRowOptions(command, *to, "table|json|ndjson|csv|json-rows|arrow|parquet", "table");
  AddQueryLimits(command, to->service);
  AddServer(command, to->server, {"--data", "--backend", "--now", "--memory-limit", "--engine-threads"});
  command
      .Add("--endpoint", "NAME",
           "The server's endpoint that runs the SELECT; without it logs.all, or my.logs for logs of your own, and "
           "logs.all.otel for clickhouse",
           &to->endpoint)
      .Needs("--url");
  command
      .Add("--parameter", "NAME=VALUE", "A parameter of that endpoint, such as project_tier=PRO; may be given again",
           &to->parameters)
      .Takes(ValueCount::kOneEachTime)
      .Needs("--url");
  command.footer =
      "Exit code: 0 the rows are printed, 1 the query failed, 2 the command line is wrong.\n"
      "Examples:\n  logquery query --data data 'select event_message, timestamp from auth_logs order by timestamp "
      "desc'\n"
      "  logquery query --data data --format csv --limit 100000 --file errors.sql >errors.csv\n"
      "  logquery query --data data --language clickhouse 'select source, count() from logs group by source'\n"
      "  logquery query --url https://logs.example --token-file token 'select count(*) as n from edge_logs'";
  command.Runs(to, RunSql);
  return command;
}

CommandNode DeclareMcp() {
  auto to = std::make_shared<McpArguments>();
  CommandNode command(
      "mcp",
      "Serves the Model Context Protocol over standard input and output: endpoints and SQL over logs as "
      "tools for models. A line is a message; a server that has the data folder open answers it. With --url, messages "
      "go "
      "to the /mcp of a server elsewhere.");
  AddServiceOptions(command, to->service);
  AddServer(command, to->server,
            {"--data", "--backend", "--endpoints", "--schema", "--default-tier", "--now", "--time-limit",
             "--memory-limit", "--engine-threads"});
  command.Add("--project", "REF", "Only this project's rows can be read", &to->project);
  command.AddFlag("--redact-pii", "Replace IP addresses by REDACTED", &to->redact_pii);
  command.footer =
      "Ends at the end of standard input, when all messages are answered.\nExample, as a client starts it:\n"
      "  logquery mcp --data data --project REF\n"
      "  logquery mcp --url https://logs.example --token-file token";
  command.Runs(to, RunMcp);
  return command;
}

CommandNode DeclareVerify() {
  auto to = std::make_shared<VerifyArguments>();
  CommandNode command("verify",
                      "Rewrites saved queries in the other language, as translate --from does it, runs both forms over "
                      "a data folder and compares their rows.");
  AddServiceOptions(command, to->service);
  command
      .Add("--from", "bigquery|clickhouse", "The language of the queries, as logs.all or logs.all.otel takes it",
           &to->from)
      .Required();
  command.AddFlag("--rows-have-metadata",
                  "Every row has metadata, so that CROSS JOIN UNNEST(metadata) drops none; without it that is refused",
                  &to->rows_have_metadata);
  command
      .Add("given", "FILE…",
           "Files with a query each, folders of *.sql, or KEY=VALUE with a parameter such as project=REF", &to->given)
      .Required();
  AddFormat(command, to->format, "text", "text for people, or json for programs");
  command.footer =
      "Exit code: 0 all are rewritten and give the same rows, 3 some are not or don't, 1 a file can't be read.\n"
      "Example:\n  logquery verify --data data --from bigquery saved project=REF project_tier=PRO";
  command.Runs(to, RunVerify);
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
