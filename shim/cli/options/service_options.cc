// The options of run, serve and config.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shim/cli/options/command_options.h"
#include "shim/cli/options/config_commands.h"
#include "shim/cli/options/settings.h"

namespace logquery::shim {
namespace {

// Those of the table that `run` takes too; the options that it binds in CLI11's way are its own.
void AddServiceOptions(CLI::App* command, ServiceArguments& to) {
  const auto help = [](std::string_view key) { return HelpOf(FindSetting(key)); };
  const auto range = [](std::string_view key) {
    const Setting& setting = FindSetting(key);
    return CLI::Range(setting.least, setting.most);
  };
  command->add_option("--data", to.data, help("data"))->option_text("DIR");
  CLI::Option* backend = command->add_option("--backend", to.backend, help("backend"))->option_text("FILE");
  CLI::Option* endpoints = command->add_option("--endpoints", to.endpoints, help("endpoints"))->option_text("DIR");
  command->add_option("--schema", to.schema, help("schema"))->option_text("FILE");
  to.built_in = true;
  command
      ->add_flag_callback(
          "--no-builtin", [&to] { to.built_in = false; }, help("builtin"))
      ->needs(endpoints);
  command->add_option("--default-tier", to.default_tier, help("default_tier"))->option_text("NAME");
  command->add_option("--now", to.now, help("now"))->option_text("TIME");
  command->add_option("--time-limit", to.time_limit_seconds, help("time_limit"))
      ->check(range("time_limit"))
      ->option_text("SECONDS");
  command->add_option("--memory-limit", to.memory_limit_mb, help("memory_limit"))
      ->excludes(backend)
      ->check(range("memory_limit"))
      ->option_text("MB");
  command->add_option("--engine-threads", to.engine_threads, help("engine_threads"))
      ->excludes(backend)
      ->check(range("engine_threads"))
      ->option_text("N");
}

// An option for each setting; what is given goes into `to` as text.
void AddSettings(CLI::App* command, GivenSettings& to) {
  command
      ->add_option("--config", to.config,
                   "A settings file, JSON with comments; options and LOGQUERY_* variables take precedence over it")
      ->option_text("FILE");
  for (const Setting& setting : AllSettings()) {
    const std::string key(setting.key);
    const std::string option = OptionOf(setting);
    if (setting.value.empty()) {
      command->add_flag_callback(
          option, [&to, key] { to.options[key] = {""}; }, HelpOf(setting));
      continue;
    }
    command
        ->add_option_function<std::vector<std::string>>(
            option, [&to, key](const std::vector<std::string>& texts) { to.options[key] = texts; }, HelpOf(setting))
        ->expected(1)
        ->multi_option_policy(IsList(setting) ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::Throw)
        ->allow_extra_args(false)
        ->option_text(std::string(setting.value));
  }
}

}  // namespace

void AddRun(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run",
                                         "Runs an endpoint on a data folder and prints the body that HTTP would "
                                         "return, including an error's body (exit code 1).");
  AddServiceOptions(command, to->service);
  command->add_option("endpoint", to->endpoint, "Its name or id")->required()->option_text("ENDPOINT");
  command->add_option("parameters", to->parameters, "Its parameters; also sql=SELECT…")->option_text("KEY=VALUE…");
  CLI::Option* format = command->add_option("--format", to->format, "The formats of HTTP, or table for people")
                            ->check(CLI::IsMember({"json", "ndjson", "csv", "table"}))
                            ->capture_default_str()
                            ->option_text("json|ndjson|csv|table");
  command->add_flag("--redact-pii", to->redact_pii, "Replace IP addresses by REDACTED");
  command
      ->add_flag("--csv-safe", to->csv_safe,
                 "In CSV, put an apostrophe before text that a spreadsheet would read as a formula")
      ->needs(format);
  command->add_flag("--int64-as-string", to->int64_as_string,
                    "Write integers beyond 2^53, which JavaScript cannot represent, as strings");
  command->footer(
      "Examples:\n  logquery run --data data logs.all project=REF project_tier=PRO\n"
      "  logquery run --data data --format table logs.all project=REF project_tier=PRO \\\n"
      "      sql='select event_message from auth_logs limit 5'");
  OnParsed(command, to, RunQuery, chosen);
}

void AddServe(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<GivenSettings>();
  CLI::App* command = app.add_subcommand("serve", "Serves endpoints over HTTP until it receives SIGTERM or Ctrl-C.");
  AddSettings(command, *to);
  command->footer(
      "Example:\n  logquery token create --tokens tokens.json --all-projects\n"
      "  logquery serve --data data --tokens tokens.json");
  OnParsed(command, to, RunConfiguredServe, chosen);
}

void AddConfig(CLI::App& app, Chosen& chosen) {
  CLI::App* config = app.add_subcommand("config", "Checks, prints and lists the settings of serve.");
  config->require_subcommand(1);
  auto file = std::make_shared<std::string>();
  CLI::App* check =
      config->add_subcommand("check", "Checks a settings file, and reports every error with its position.");
  check->add_option("file", *file, "The file, as serve --config takes it")->required()->option_text("FILE");
  check->footer("Exit code: 0 it is in order, 1 it is not.\nExample:\n  logquery config check logquery.json");
  OnParsed(check, file, RunConfigCheck, chosen);
  auto given = std::make_shared<GivenSettings>();
  CLI::App* print = config->add_subcommand(
      "print", "Prints each setting that serve would have with the same options, and where it comes from.");
  AddSettings(print, *given);
  print->footer("Example:\n  logquery config print --config logquery.json --listen 127.0.0.1:0");
  auto json = std::make_shared<bool>(false);
  print->add_flag("--json", *json, "Each setting with its value and its source as one JSON object");
  print->callback([given, json, &chosen] {
    chosen = [given, json](const Terminal& terminal) { return RunConfigPrint(*given, *json, terminal); };
  });
  CLI::App* keys = config->add_subcommand("keys", "Prints the table of all settings, in Markdown.");
  keys->footer("Example:\n  logquery config keys");
  keys->callback([&chosen] { chosen = [](const Terminal& terminal) { return RunConfigKeys(terminal); }; });
}

}  // namespace logquery::shim
