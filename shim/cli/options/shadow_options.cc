// The options of the command shadow.
#include <memory>

#include "shim/cli/migrate/shadow_command.h"
#include "shim/cli/options/command_options.h"

namespace logquery::shim {
namespace {

void AddTokens(CommandNode& command, ShadowArguments& to) {
  command.Add("--token-file", "FILE", "A file with the token for --against; unless it needs none", &to.token_file);
  command
      .Add("--token-env", "VARIABLE",
           "An environment variable with that token in place of a file, or VARIABLE_FILE with its path",
           &to.token_variable)
      .Excludes("--token-file");
  command.Add("--here-token-file", "FILE", "A file with the token for --here; unless it needs none",
              &to.here_token_file);
  command.Add("--here-token-env", "VARIABLE", "As --token-env, in place of a file", &to.here_token_variable)
      .Excludes("--here-token-file");
}

void AddBounds(CommandNode& command, ShadowArguments& to) {
  command.Add("--rate", "N", "Calls a second, at most", &to.rate).Between(0.01, 1'000.0);
  command.Add("--calls", "N", "How many calls to compare; 0: all", &to.max_calls)
      .Between(int64_t{0}, int64_t{1'000'000'000});
  command.Add("--time-limit", "SECONDS", "How long a server may take for an answer", &to.time_limit)
      .Between(0.01, 3'600.0);
  command.Add("--again", "N", "How often a call is made again before a difference counts", &to.again).Between(0, 100);
  command.Add("--pause", "SECONDS", "How long to wait before that, for rows on their way", &to.pause)
      .Between(0.0, 3'600.0);
  command.Add("--tolerance", "SHARE", "By how much numbers that are not whole may differ, relatively", &to.tolerance)
      .Between(0.0, 1.0);
}

}  // namespace

CommandNode DeclareShadow() {
  auto to = std::make_shared<ShadowArguments>();
  CommandNode command("shadow",
                      "Makes calls again, to a running Logflare and to a running logquery, and compares the rows. For "
                      "a switch from one to the other.");
  command.Add("--against", "URL", "The other server: https://HOST, or with the path of calls", &to->against).Required();
  command.Add("--here", "URL", "The logquery server", &to->here);
  command.Add("calls", "FILE",
              "A file with a call in each line: a URL, or a line of the log of serve --log-parameters; - or nothing: "
              "standard input",
              &to->calls);
  AddTokens(command, *to);
  command.Add("--ca-file", "FILE", "Trusted certificate authorities for --against; without it the system's",
              &to->ca_file);
  command.Add(
      "--endpoints", "DIR",
      "The folder of definitions, whose queries say which order of rows counts; without it those of the program",
      &to->endpoints);
  AddBounds(command, *to);
  AddFormat(command, to->format, "text", "text for people, or json: an object for each call and one at the end");
  command.footer =
      "Exit code: 0 all answers are equal, 3 some differ, 1 some could not be compared, or there was no call.\n"
      "Examples:\n  logquery shadow --against https://logflare.example --token-env LOGFLARE_TOKEN --here-token-file "
      "token urls.txt\n"
      "  tail -F server.log | logquery shadow --against https://logflare.example --token-file old --here-token-file "
      "new";
  command.Runs(to, RunShadow);
  return command;
}

}  // namespace logquery::shim
