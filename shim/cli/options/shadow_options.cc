// The options of the command shadow.
#include <memory>

#include "shim/cli/migrate/shadow_command.h"
#include "shim/cli/options/command_options.h"

namespace logquery::shim {
namespace {

void AddTokens(CLI::App* command, ShadowArguments& to) {
  CLI::Option* file =
      command->add_option("--token-file", to.token_file, "A file with the token for --against; unless it needs none")
          ->option_text("FILE");
  command
      ->add_option("--token-env", to.token_variable,
                   "An environment variable with that token in place of a file, or VARIABLE_FILE with its path")
      ->excludes(file)
      ->option_text("VARIABLE");
  CLI::Option* here = command
                          ->add_option("--here-token-file", to.here_token_file,
                                       "A file with the token for --here; unless it needs none")
                          ->option_text("FILE");
  command->add_option("--here-token-env", to.here_token_variable, "As --token-env, in place of a file")
      ->excludes(here)
      ->option_text("VARIABLE");
}

void AddBounds(CLI::App* command, ShadowArguments& to) {
  command->add_option("--rate", to.rate, "Calls a second, at most")
      ->check(CLI::Range(0.01, 1'000.0))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--calls", to.max_calls, "How many calls to compare; 0: all")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--time-limit", to.time_limit, "How long a server may take for an answer")
      ->check(CLI::Range(0.01, 3'600.0))
      ->capture_default_str()
      ->option_text("SECONDS");
  command->add_option("--again", to.again, "How often a call is made again before a difference counts")
      ->check(CLI::Range(0, 100))
      ->capture_default_str()
      ->option_text("N");
  command->add_option("--pause", to.pause, "How long to wait before that, for rows on their way")
      ->check(CLI::Range(0.0, 3'600.0))
      ->capture_default_str()
      ->option_text("SECONDS");
  command->add_option("--tolerance", to.tolerance, "By how much numbers that are not whole may differ, relatively")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->option_text("SHARE");
}

}  // namespace

void AddShadow(CLI::App& app, Chosen& chosen) {
  auto to = std::make_shared<ShadowArguments>();
  CLI::App* command = app.add_subcommand("shadow",
                                         "Makes calls again, to a running Logflare and to a running logquery, and "
                                         "compares the rows. For a switch from one to the other.");
  command->add_option("--against", to->against, "The other server: https://HOST, or with the path of calls")
      ->required()
      ->option_text("URL");
  command->add_option("--here", to->here, "The logquery server")->capture_default_str()->option_text("URL");
  command
      ->add_option("calls", to->calls,
                   "A file with a call in each line: a URL, or a line of the log of serve --log-parameters; - or "
                   "nothing: standard input")
      ->option_text("FILE");
  AddTokens(command, *to);
  command
      ->add_option("--ca-file", to->ca_file, "Trusted certificate authorities for --against; without it the system's")
      ->option_text("FILE");
  command
      ->add_option(
          "--endpoints", to->endpoints,
          "The folder of definitions, whose queries say which order of rows counts; without it those of the program")
      ->option_text("DIR");
  AddBounds(command, *to);
  AddFormat(command, to->format, "text", "text for people, or json: an object for each call and one at the end");
  command->footer(
      "Exit code: 0 all answers are equal, 3 some differ, 1 some could not be compared, or there was no call.\n"
      "Examples:\n  logquery shadow --against https://logflare.example --token-env LOGFLARE_TOKEN --here-token-file "
      "token urls.txt\n"
      "  tail -F server.log | logquery shadow --against https://logflare.example --token-file old --here-token-file "
      "new");
  OnParsed(command, to, RunShadow, chosen);
}

}  // namespace logquery::shim
