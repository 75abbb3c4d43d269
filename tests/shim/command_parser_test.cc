// A command that is declared as data, with each kind of target, and what the parser makes of its arguments.
#include "shim/cli/options/command_parser.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {
namespace {

struct Targets {
  std::string folder;
  std::string unit = "usec";
  int days = 7;
  int64_t rows = 0;
  uint64_t seed = 1;
  double share = 0.5;
  std::optional<int64_t> most;
  bool again = false;
  bool console = true;
  std::vector<std::string> files;
  std::vector<std::string> logs;
  std::vector<std::string> fixed;
  std::vector<std::string> rights = {"none"};
};

int RunTargets(const Targets& targets, const Terminal&) { return targets.days; }

CommandNode Tree(const std::shared_ptr<Targets>& to) {
  CommandNode fill("folder fill", "Fills a folder.");
  fill.Add("folder", "DIR", "The folder", &to->folder).Required();
  fill.Add("--unit", "sec|usec", "The unit", &to->unit);
  fill.Add("--days", "N", "The days", &to->days).Between(1, 30);
  fill.Add("--rows", "N", "The rows", &to->rows);
  fill.Add("--seed", "N", "The seed", &to->seed);
  fill.Add("--share", "SHARE", "The share", &to->share).Between(0.0, 1.0);
  fill.Add("--most", "N", "The most", &to->most);
  fill.AddFlag("--json", "As JSON", &to->again);
  fill.AddFlag("--no-console", "No console", [to = to.get()] { to->console = false; }).Excludes("--json");
  fill.Add("files", "FILE…", "The files", &to->files);
  fill.Add("--logs", "LOG,…", "The logs", &to->logs).Takes(ValueCount::kCommas);
  fill.Add("--fix", "KEY=VALUE", "A fixed value", &to->fixed).Takes(ValueCount::kOneEachTime).Needs("--share");
  fill.Add("--may", "[RIGHT]", "The rights", [to = to.get()](const std::vector<std::string>& t) { to->rights = t; })
      .Takes(ValueCount::kNoneOrOne);
  fill.Runs(to, RunTargets);
  CommandNode folder("folder", "Works on folders.");
  folder.commands = {std::move(fill)};
  CommandNode root("", "");
  root.commands = {std::move(folder)};
  return root;
}

struct Outcome {
  Targets targets;
  std::string command;
  bool wants_help;
  std::string error;
  std::vector<std::string> unknown;
};

Outcome Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "logquery");
  const auto to = std::make_shared<Targets>();
  const CommandNode root = Tree(to);
  const ParsedCommand parsed = ParseArguments(root, static_cast<int>(arguments.size()), arguments.data());
  return {*to, parsed.command->path, parsed.wants_help, parsed.error, parsed.unknown};
}

TEST_CASE("the parser sets targets of every kind, and leaves the others at their defaults") {
  const Outcome given = Parse({"folder", "fill",   "data",   "--unit",  "sec",   "--days", "30",        "--rows",
                               "-5",     "--seed", "9",      "--share", "1",     "--most", "12",        "--json",
                               "a",      "b",      "--logs", "x,y",     "--fix", "k=v",    "--fix=l=w", "--may"});
  CHECK(given.error.empty());
  CHECK(given.command == "folder fill");
  const Targets& to = given.targets;
  CHECK(to.folder == "data");
  CHECK(to.unit == "sec");
  CHECK(to.days == 30);
  CHECK(to.rows == -5);
  CHECK(to.seed == 9);
  CHECK(to.share == 1);
  CHECK(to.most == 12);
  CHECK(to.again);
  CHECK(to.console);
  CHECK(to.files == std::vector<std::string>{"a", "b"});
  CHECK(to.logs == std::vector<std::string>{"x", "y"});
  CHECK(to.fixed == std::vector<std::string>{"k=v", "l=w"});
  CHECK(to.rights != std::vector<std::string>{"none"});

  const Outcome defaults = Parse({"folder", "fill", "data", "--no-console"});
  CHECK(defaults.error.empty());
  CHECK(defaults.targets.days == 7);
  CHECK(defaults.targets.most == std::nullopt);
  CHECK_FALSE(defaults.targets.console);
  CHECK(defaults.targets.rights == std::vector<std::string>{"none"});
}

TEST_CASE("a node knows its arguments in order, its defaults and its last name") {
  const CommandNode root = Tree(std::make_shared<Targets>());
  const CommandNode* const fill = FindCommand(root, "folder fill");
  REQUIRE(fill != nullptr);
  CHECK(fill->Name() == "fill");
  CHECK(fill->options[fill->options.size() - 2].name == "--help");
  CHECK(fill->options.back().name == "--json");
  std::string names, defaults;
  for (const CommandArgument* argument : fill->Arguments()) {
    names += argument->name + " ";
    defaults += argument->fallback + " ";
  }
  CHECK(names ==
        "--help folder --unit --days --rows --seed --share --most --json --no-console files --logs --fix --may ");
  CHECK(defaults == "  usec 7 0 1 0.5        ");
}

TEST_CASE("the parser reports what is wrong, with the command that was reached") {
  struct Case {
    std::vector<const char*> arguments;
    std::string command, error;
  };
  const std::vector<Case> cases = {
      {{"folder"}, "folder", "A subcommand is required"},
      {{"folder", "fill"}, "folder fill", "folder is required"},
      {{"folder", "fill", "d", "--unit", "usce"},
       "folder fill",
       "--unit can't be usce; it is one of sec, usec; did you mean usec or sec?"},
      {{"folder", "fill", "d", "--days", "31"}, "folder fill", "--days: Value 31 not in range 1 to 30"},
      {{"folder", "fill", "d", "--share", "1.5"},
       "folder fill",
       "--share: Value 1.5 not in range 0.000000 to 1.000000"},
      {{"folder", "fill", "d", "--most", "x"}, "folder fill", "Could not convert: --most = x"},
      {{"folder", "fill", "d", "--no-console", "--json"}, "folder fill", "--json excludes --no-console"},
      {{"folder", "fill", "d", "--fix", "a=b"}, "folder fill", "--fix requires --share"},
  };
  for (const auto& [arguments, command, error] : cases) {
    const Outcome outcome = Parse(arguments);
    CHECK(outcome.command == command);
    CHECK(outcome.error == error);
    CHECK_FALSE(outcome.wants_help);
  }
  const Outcome unknown = Parse({"folder", "fill", "d", "--shar=1"});
  CHECK_FALSE(unknown.error.empty());
  CHECK(unknown.unknown == std::vector<std::string>{"--shar=1"});
  CHECK(Parse({"folder", "fill", "--help"}).wants_help);
  CHECK(Parse({"folder", "fill", "-h"}).command == "folder fill");
}

TEST_CASE("a tree that excludes an option that it does not have is an exception, not an accepted command line") {
  bool flag = false;
  CommandNode root("", "");
  root.commands.emplace_back("try", "Tries it.").AddFlag("--flag", "A flag", &flag).Excludes("--missing");
  const std::vector<const char*> arguments = {"logquery", "try"};
  CHECK_THROWS_AS(ParseArguments(root, 2, arguments.data()), std::exception);
}

}  // namespace
}  // namespace logquery::shim
