// Duties of every command of the program to the people who use it: each check goes over the whole tree of commands.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "shim/cli/options/command_line.h"
#include "shim/cli/options/help_text.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::ordered_json;

Outcome Run(const std::vector<std::string>& arguments, bool on_terminal = false, bool colours = false) {
  std::istringstream in;
  std::ostringstream out, err;
  std::vector<const char*> argv = {"logquery"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const Terminal terminal{in, out, err, on_terminal, on_terminal, 100, colours};
  const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), terminal);
  return {code, out.str(), err.str()};
}

std::vector<std::string> Words(const std::string& path) { return absl::StrSplit(path, ' '); }

// The commands that do something, without those that only have commands below them.
std::vector<CommandNode> Leaves() {
  std::vector<CommandNode> leaves;
  const CommandNode root = DescribeCommandLine();
  for (const CommandNode* node : AllCommands(root)) {
    if (node->commands.empty()) leaves.push_back(*node);
  }
  return leaves;
}

bool HasOption(const CommandNode& node, const std::string& name) {
  for (const CommandArgument& option : node.options) {
    if (option.name == name) return true;
  }
  return false;
}

TEST_CASE("--help of each command describes the command, and each argument with its default") {
  const std::vector<CommandNode> leaves = Leaves();
  CHECK(leaves.size() > 25);
  for (const CommandNode& node : leaves) {
    CAPTURE(node.path);
    std::vector<std::string> arguments = Words(node.path);
    arguments.emplace_back("--help");
    const Outcome help = Run(arguments);
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    CHECK(absl::StartsWith(help.out, "Usage: logquery " + node.path));
    CHECK(absl::EndsWith(node.summary, "."));
    const std::string one_line = absl::StrReplaceAll(help.out, {{"\n", " "}});
    for (const std::vector<CommandArgument>* list : {&node.options, &node.positionals}) {
      for (const CommandArgument& argument : *list) {
        CAPTURE(argument.name);
        CHECK(help.out.find(argument.name.rfind("--", 0) == 0 ? argument.name : argument.value) != std::string::npos);
        CHECK_FALSE(argument.help.empty());
        if (argument.required) CHECK(help.out.find("Required.") != std::string::npos);
        if (!argument.fallback.empty()) CHECK(one_line.find(argument.fallback) != std::string::npos);
      }
    }
  }
}

// A value without a default: the help says what holds without it.
TEST_CASE("an option with a value has a default, or its help describes the behaviour without it") {
  for (const CommandNode& node : Leaves()) {
    for (const CommandArgument& option : node.options) {
      if (option.value.empty() || option.required || !option.fallback.empty()) continue;
      CAPTURE(node.path, option.name, option.help);
      bool says = false;
      for (const char* word : {"ithout", "nless", "Only", "only", "may be given again", "default", "beyond", "label",
                               "Also", "in place of", "further", "in addition", "Leave", "Skip", "fixed value"}) {
        says = says || absl::StrContains(option.help, word);
      }
      // These take the settings of the server, whose help is in one table.
      const std::set<std::string> has_settings = {"serve", "config print", "run", "query", "mcp", "verify"};
      CHECK((says || has_settings.count(node.path) > 0));
    }
  }
}

TEST_CASE("each command has an example with existing commands and options") {
  const CommandNode root = DescribeCommandLine();
  for (const CommandNode& node : Leaves()) {
    CAPTURE(node.path);
    CHECK(absl::StrContains(node.footer, "Example"));
    bool shown = false;
    for (const absl::string_view line : absl::StrSplit(node.footer, '\n')) {
      for (const absl::string_view part : absl::StrSplit(line, absl::ByAnyChar("|&"))) {
        const std::vector<std::string> words = absl::StrSplit(part, ' ', absl::SkipEmpty());
        if (words.empty() || words[0] != "logquery") continue;
        const CommandNode* called = nullptr;
        for (size_t count = 2; count >= 1 && called == nullptr; --count) {
          if (words.size() > count) called = FindCommand(root, count == 2 ? words[1] + " " + words[2] : words[1]);
        }
        CAPTURE(std::string(part));
        REQUIRE(called != nullptr);
        shown = shown || called->path == node.path;
        for (const std::string& word : words) {
          if (absl::StartsWith(word, "--")) CHECK(HasOption(*called, word.substr(0, word.find('='))));
        }
      }
    }
    CHECK(shown);
  }
}

TEST_CASE("every command reports a misspelt option with a similar name and exit code 2") {
  for (const CommandNode& node : Leaves()) {
    for (const CommandArgument& option : node.options) {
      // A short name with a letter less may be nearer to another option.
      if (option.name.size() < 8) continue;
      std::string misspelt = option.name;
      misspelt.erase(misspelt.size() - 2, 1);
      if (HasOption(node, misspelt)) continue;
      std::vector<std::string> arguments = Words(node.path);
      arguments.push_back(misspelt);
      CAPTURE(node.path, misspelt);
      const Outcome outcome = Run(arguments);
      CHECK(outcome.code == 2);
      CHECK(outcome.out.empty());
      CHECK(absl::StrContains(outcome.err, "did you mean"));
      CHECK(absl::StrContains(outcome.err, option.name));
      CHECK(absl::StrContains(outcome.err, base::StrCat("`logquery ", node.path, " --help`")));
    }
  }
}

// Commands whose result is text of its own: rows, SQL, a client, a script, the log of a server.
const std::set<std::string> kResultIsText = {"run",    "query",   "mcp",        "serve", "translate",
                                             "schema", "codegen", "completion", "man",   "config keys"};
// Commands whose result says whether something is in order: with --quiet nothing of it would be left.
const std::set<std::string> kResultIsVerdict = {"check",        "diff",         "doctor", "erase", "stats",
                                                "config check", "config print", "shadow", "verify"};

TEST_CASE("commands that report their work have --json and --quiet") {
  for (const CommandNode& node : Leaves()) {
    CAPTURE(node.path);
    if (kResultIsText.count(node.path) > 0) continue;
    CHECK((HasOption(node, "--json") || node.path == "config check"));
    CHECK((HasOption(node, "--quiet") || kResultIsVerdict.count(node.path) > 0));
  }
}

TEST_CASE("colours are used only on a terminal that supports them") {
  const std::vector<std::vector<std::string>> calls = {
      {"load", "--help"}, {"lod"}, {"token"}, {"stats", "--data", "/nowhere"}};
  for (const std::vector<std::string>& call : calls) {
    CAPTURE(call[0]);
    const Outcome piped = Run(call, false, true), plain = Run(call, true, false), coloured = Run(call, true, true);
    CHECK_FALSE(absl::StrContains(piped.out + piped.err, "\x1b"));
    CHECK_FALSE(absl::StrContains(plain.out + plain.err, "\x1b"));
    CHECK(absl::StrContains(coloured.out + coloured.err, "\x1b["));
    CHECK(plain.code == coloured.code);
  }
}

TEST_CASE("help is wrapped to the terminal's width, and examples are not") {
  CommandNode node;
  node.path = "try";
  node.summary = "Does it.";
  node.options = {{"--größe", "N…",
                   "Words that go on for longer than the line of this terminal is wide, by some more words", "7", true},
                  {"--an-option-whose-name-is-quite-long", "VALUE", "What it is", "", false}};
  node.footer =
      "Example:\n  logquery try --größe 7 | and a line that is longer than what the terminal shows in one of its lines";
  CHECK(HelpText(node, 60, false) ==
        "Usage: logquery try --größe N… [OPTION]…\n\n"
        "Does it.\n\n"
        "Options:\n"
        "  --größe N…  Words that go on for longer than the line of\n"
        "              this terminal is wide, by some more words.\n"
        "              Default: 7. Required.\n"
        "  --an-option-whose-name-is-quite-long VALUE\n"
        "              What it is.\n\n"
        "Example:\n"
        "  logquery try --größe 7 | and a line that is longer than what the terminal shows in one of its lines\n");
}

TEST_CASE("reports are a sentence, JSON or nothing, and a token is always printed") {
  const CommandFolder folder;
  const auto path = [&](const char* name) { return base::StrCat(folder.path, "/", name); };
  const auto json = [](const Outcome& outcome) {
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 1);
    return Json::parse(outcome.out);
  };
  CHECK(json(Run({"sample", "--rows", "200", "--json", path("sample")}))["rows"] == 200);
  const Outcome quiet = Run({"sample", "--rows", "200", "--quiet", path("again")});
  CHECK(quiet.code == 0);
  CHECK((quiet.out + quiet.err).empty());
  CHECK(absl::StrContains(Run({"sample", "--rows", "200", path("more")}).out, "200 rows"));

  CHECK(json(Run({"new", "one", "--dir", path("endpoints"), "--json"}))["files"].size() == 3);
  CHECK(json(Run({"test", path("endpoints"), "--json"}))["failed"] == 0);
  const Outcome tested = Run({"test", path("endpoints"), "--quiet"});
  CHECK((tested.out + tested.err).empty());

  const Json made = json(Run({"token", "create", "--tokens", path("tokens.json"), "--all-projects", "--json"}));
  CHECK(absl::StartsWith(Run({"token", "create", "--tokens", path("tokens.json"), "--project", "abc", "--quiet"}).out,
                         "lq_"));
  const Json list = json(Run({"token", "list", "--tokens", path("tokens.json"), "--json"}))["tokens"];
  REQUIRE(list.size() == 2);
  CHECK(list[0]["id"] == made["id"]);
  CHECK(list[1]["project_scope"] == "abc");
  CHECK_FALSE(list[0].contains("sha256"));
  CHECK(json(Run({"token", "revoke", "--tokens", path("tokens.json"), "--json",
                  made["id"].get<std::string>()}))["revoked"] == made["id"]);
  CHECK(Run({"sample", "--quiet", "--json", path("no")}).code == 2);
}

}  // namespace
}  // namespace logquery::shim
