// The options of token and its commands.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "shim/cli/options/command_options.h"

namespace logquery::shim {
namespace {

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
      ->add_option("--schema", to->schema,
                   "A file that declares further logs, which --may-ingest may name; without it schema.json in the "
                   "folder of --endpoints")
      ->option_text("FILE");
  command->add_option("--fix", to->fixed, "A fixed value for a parameter; may be given again")
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE");
  CLI::Option* project = command->add_option("--project", to->project, "Only this project's rows")->option_text("REF");
  command->add_flag("--all-projects", to->all_projects, "The rows of all projects")->excludes(project);
  command->add_flag("--redact-pii", to->redact_pii,
                    "Only redacted rows, also for callers' SQL: IP addresses become REDACTED");
  command->add_option("--expires-days", to->expires_days, "Days after which it expires; 0: never")
      ->check(CLI::Range(0, 36'500))
      ->capture_default_str()
      ->option_text("N");
  AddLimit(command, "--max-rows", to->max_rows,
           "At most this many rows in an answer; without it as many as the endpoint gives");
  AddLimit(command, "--max-result-bytes", to->max_result_bytes,
           "At most this many bytes in an answer; without it the server's limit");
  AddLimit(command, "--time-limit-ms", to->time_limit_ms, "The time limit of a query; without it the server's");
  AddLimit(command, "--max-concurrent", to->max_concurrent, "Calls at one time, others get 429; without it any number");
  AddLimit(command, "--calls-per-minute", to->calls_per_minute,
           "Calls in a minute, others get 429; without it any number");
  command->add_flag("--may-bypass-cache", to->may_bypass_cache, "Allow Cache-Control: no-store to bypass the cache");
}

// The same of logs that it brings.
void AddIngestRights(CLI::App* command, const std::shared_ptr<TokenArguments>& to) {
  CLI::Option* ingest = command
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
                                "It may write these logs, or all, on a server with --ingest; with --project only that "
                                "project's rows; without it the token writes nothing")
                            ->expected(0, 1)
                            ->option_text("[LOG,…]");
  command->add_flag("--may-learn", to->may_learn, "Undeclared fields of its events become columns instead of JSON")
      ->needs(ingest);
  AddLimit(command, "--ingest-rows-per-second", to->ingest_rows_per_second,
           "Rows that it may write in a second, others get 429; without it any number");
  AddLimit(command, "--ingest-bytes-per-day", to->ingest_bytes_per_day,
           "Bytes that it may write in a day, others get 429; without it any number");
}

}  // namespace

void AddToken(CLI::App& app, Chosen& chosen) {
  CLI::App* token = app.add_subcommand("token", "Creates, imports, lists, rotates and revokes access tokens.");
  token->require_subcommand(1);
  const auto add = [&](std::string name, std::string what, int (*run)(const TokenArguments&, const Terminal&)) {
    auto to = std::make_shared<TokenArguments>();
    CLI::App* command = token->add_subcommand(std::move(name), std::move(what));
    command->add_option("--tokens", to->tokens, "The file of access tokens")->required()->option_text("FILE");
    AddReporting(command, to->reporting);
    OnParsed(command, to, run, chosen);
    return std::make_pair(command, to);
  };
  auto [create, to] = add("create", "Creates a token and prints it; it cannot be read again later.", RunTokenCreate);
  AddRights(create, to);
  AddIngestRights(create, to);
  create->footer(
      "Examples:\n  logquery token create --tokens tokens.json --all-projects --label dashboard --expires-days 90\n"
      "  logquery token create --tokens tokens.json --project REF --may-ingest edge_logs --label collector");
  auto [import, imported] =
      add("import", "Adds a token that was made elsewhere, read from standard input unless an option says otherwise.",
          RunTokenImport);
  CLI::Option* secret_file = import
                                 ->add_option("--secret-file", imported->secret_file,
                                              "A file that contains it; without it standard input does")
                                 ->option_text("FILE");
  import
      ->add_option(
          "--secret-env", imported->secret_variable,
          "An environment variable that contains it, or VARIABLE_FILE its path; without it standard input does")
      ->excludes(secret_file)
      ->option_text("VARIABLE");
  AddRights(import, imported);
  AddIngestRights(import, imported);
  import->footer(
      "A token that is already in the file stays unchanged.\nExample:\n"
      "  logquery token import --tokens tokens.json --secret-env LOGFLARE_PUBLIC_ACCESS_TOKEN --project default "
      "--may-ingest --no-endpoints");
  auto [list, listed] =
      add("list", "Lists the tokens: their ids and what they may do, never the tokens themselves.", RunTokenList);
  list->footer(
      "Examples:\n  logquery token list --tokens tokens.json\n  logquery token list --tokens tokens.json --json");
  auto [rotate, rotated] =
      add("rotate", "Replaces a token by a new one with the same rights, and prints it.", RunTokenRotate);
  rotate->add_option("id", rotated->id, "The id of the old token, as list shows it")->required()->option_text("ID");
  rotate->add_option("--grace-hours", rotated->grace_hours, "How long the old token still works; 0: not at all")
      ->check(CLI::Range(0, 8'760))
      ->capture_default_str()
      ->option_text("N");
  rotate->footer("Example:\n  logquery token rotate --tokens tokens.json --grace-hours 24 1b73b490213f");
  auto [revoke, revoked] = add("revoke", "Revokes a token; a running server refuses it at once.", RunTokenRevoke);
  revoke->add_option("id", revoked->id, "The id of the token, as list shows it")->required()->option_text("ID");
  revoke->footer("Example:\n  logquery token revoke --tokens tokens.json 1b73b490213f");
}

}  // namespace logquery::shim
