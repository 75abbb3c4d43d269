// The options of token and its commands.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "shim/cli/options/command_options.h"

namespace logquery::shim {
namespace {

void AddLimit(CommandNode& command, const char* name, std::optional<int64_t>& value, const char* what) {
  constexpr int64_t kMost = 1'000'000'000'000;
  command.Add(name, "N", what, &value).Between(int64_t{1}, kMost);
}

// Adds the options for what a token may do, for the commands that make one.
void AddRights(CommandNode& command, const std::shared_ptr<TokenArguments>& to) {
  command.Add("--label", "TEXT", "A label for the token, shown in the log", &to->label);
  command.Add("--endpoint", "NAME", "Only this endpoint; may be given again", &to->endpoints)
      .Takes(ValueCount::kOneEachTime);
  command.AddFlag("--no-endpoints", "No endpoint: for a token that only sends logs or reads metrics", &to->no_endpoints)
      .Excludes("--endpoint");
  command.Add("--endpoints", "DIR", "A folder of further definitions that --endpoint may name", &to->definitions);
  command.Add("--schema", "FILE",
              "A file that declares further logs, which --may-ingest may name; without it schema.json in the folder of "
              "--endpoints",
              &to->schema);
  command.Add("--fix", "KEY=VALUE", "A fixed value for a parameter; may be given again", &to->fixed)
      .Takes(ValueCount::kOneEachTime);
  command.Add("--project", "REF", "Only this project's rows", &to->project);
  command.AddFlag("--all-projects", "The rows of all projects", &to->all_projects).Excludes("--project");
  command.AddFlag("--redact-pii", "Only redacted rows, also for callers' SQL: IP addresses become REDACTED",
                  &to->redact_pii);
  command.Add("--expires-days", "N", "Days after which it expires; 0: never", &to->expires_days).Between(0, 36'500);
  AddLimit(command, "--max-rows", to->max_rows,
           "At most this many rows in an answer; without it as many as the endpoint gives");
  AddLimit(command, "--max-result-bytes", to->max_result_bytes,
           "At most this many bytes in an answer; without it the server's limit");
  AddLimit(command, "--time-limit-ms", to->time_limit_ms, "The time limit of a query; without it the server's");
  AddLimit(command, "--max-concurrent", to->max_concurrent, "Calls at one time, others get 429; without it any number");
  AddLimit(command, "--calls-per-minute", to->calls_per_minute,
           "Calls in a minute, others get 429; without it any number");
  command.AddFlag("--may-bypass-cache", "Allow Cache-Control: no-store to bypass the cache", &to->may_bypass_cache);
  command.AddFlag("--may-read-metrics",
                  "It may read /metrics, which counts all projects; a token for all endpoints and projects may without",
                  &to->may_read_metrics);
  command
      .AddFlag("--may-save",
               "It may save queries on a server with --saved: for its project, or shared ones with --all-projects",
               &to->may_save)
      .Excludes("--no-endpoints");
}

// The same of logs that it brings.
void AddIngestRights(CommandNode& command, const std::shared_ptr<TokenArguments>& to) {
  const auto take = [to = to.get()](const std::vector<std::string>& lists) {
    to->may_ingest = true;
    for (const std::string& list : lists) {
      const std::vector<std::string> logs = absl::StrSplit(list, ',', absl::SkipEmpty());
      to->ingest_logs.insert(to->ingest_logs.end(), logs.begin(), logs.end());
    }
  };
  command
      .Add("--may-ingest", "[LOG,…]",
           "It may write these logs, or all, on a server with --ingest; with --project only that project's rows; "
           "without it the token writes nothing",
           take)
      .Takes(ValueCount::kNoneOrOne);
  command.AddFlag("--may-learn", "Undeclared fields of its events become columns instead of JSON", &to->may_learn)
      .Needs("--may-ingest");
  AddLimit(command, "--ingest-rows-per-second", to->ingest_rows_per_second,
           "Rows that it may write in a second, others get 429; without it any number");
  AddLimit(command, "--ingest-bytes-per-day", to->ingest_bytes_per_day,
           "Bytes that it may write in a day, others get 429; without it any number");
}

}  // namespace

CommandNode DeclareToken() {
  CommandNode token("token", "Creates, imports, lists, rotates and revokes access tokens.");
  // The node is valid until the next call.
  const auto add = [&](const char* name, std::string what, int (*run)(const TokenArguments&, const Terminal&)) {
    auto to = std::make_shared<TokenArguments>();
    CommandNode& command = token.commands.emplace_back(base::StrCat("token ", name), std::move(what));
    command.Add("--tokens", "FILE", "The file of access tokens", &to->tokens).Required();
    AddReporting(command, to->reporting);
    command.Runs(to, run);
    return std::pair<CommandNode&, std::shared_ptr<TokenArguments>>(command, to);
  };
  auto [create, to] = add("create", "Creates a token and prints it; it cannot be read again later.", RunTokenCreate);
  AddRights(create, to);
  AddIngestRights(create, to);
  create.footer =
      "Examples:\n  logquery token create --tokens tokens.json --all-projects --label dashboard --expires-days 90\n"
      "  logquery token create --tokens tokens.json --project REF --may-ingest edge_logs --label collector\n"
      "  logquery token create --tokens tokens.json --no-endpoints --may-read-metrics --label prometheus";
  auto [import, imported] =
      add("import", "Adds a token that was made elsewhere, read from standard input unless an option says otherwise.",
          RunTokenImport);
  import.Add("--secret-file", "FILE", "A file that contains it; without it standard input does",
             &imported->secret_file);
  import
      .Add("--secret-env", "VARIABLE",
           "An environment variable that contains it, or VARIABLE_FILE its path; without it standard input does",
           &imported->secret_variable)
      .Excludes("--secret-file");
  AddRights(import, imported);
  AddIngestRights(import, imported);
  import.footer =
      "A token that is already in the file stays unchanged.\nExample:\n"
      "  logquery token import --tokens tokens.json --secret-env LOGFLARE_PUBLIC_ACCESS_TOKEN --project default "
      "--may-ingest --no-endpoints";
  auto [list, listed] =
      add("list", "Lists the tokens: their ids and what they may do, never the tokens themselves.", RunTokenList);
  list.footer =
      "Examples:\n  logquery token list --tokens tokens.json\n  logquery token list --tokens tokens.json --json";
  auto [rotate, rotated] =
      add("rotate", "Replaces a token by a new one with the same rights, and prints it.", RunTokenRotate);
  rotate.Add("id", "ID", "The id of the old token, as list shows it", &rotated->id).Required();
  rotate.Add("--grace-hours", "N", "How long the old token still works; 0: not at all", &rotated->grace_hours)
      .Between(0, 8'760);
  rotate.footer = "Example:\n  logquery token rotate --tokens tokens.json --grace-hours 24 1b73b490213f";
  auto [revoke, revoked] = add("revoke", "Revokes a token; a running server refuses it at once.", RunTokenRevoke);
  revoke.Add("id", "ID", "The id of the token, as list shows it", &revoked->id).Required();
  revoke.footer = "Example:\n  logquery token revoke --tokens tokens.json 1b73b490213f";
  return token;
}

}  // namespace logquery::shim
