// Runs each walk of docs/walks.md in a folder of its own, and compares what it prints with the answers that the page shows.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "tests/docs/pages.h"

namespace logquery {
namespace {

constexpr size_t kMostCommands = 6;

struct Walk {
  std::string title;
  std::string text;
};

// The sections of the page that have commands.
std::vector<Walk> Walks() {
  std::vector<Walk> walks;
  std::istringstream page(ReadPage("docs/walks.md"));
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) walks.push_back({line.substr(3), "\n"});
    if (!walks.empty()) base::StrAppend(&walks.back().text, line, "\n");
  }
  std::erase_if(walks, [](const Walk& walk) { return CommandsOf(walk.text).empty(); });
  return walks;
}

// Returns the commands that a reader types: a line continued by a backslash is one command, and the example file's lines are none.
std::vector<std::string> Typed(const std::string& commands) {
  std::vector<std::string> typed;
  std::istringstream lines(commands);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("<<'END'") != std::string::npos) {
      while (std::getline(lines, line) && line != "END") {
      }
      continue;
    }
    std::string command = line;
    while (command.ends_with("\\") && std::getline(lines, line)) command.replace(command.size() - 1, 1, line);
    typed.push_back(command);
  }
  return typed;
}

// The answers that the section shows, in order.
std::vector<std::string> Shown(const std::string& text) {
  constexpr std::string_view kBegin = "\n```json\n";
  std::vector<std::string> answers;
  for (size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at)) {
    at += kBegin.size();
    answers.push_back(text.substr(at, text.find("\n```", at) - at));
  }
  return answers;
}

TEST_CASE("each walk has the answers that its page shows, in six commands at most") {
  const std::vector<Walk> walks = Walks();
  REQUIRE(walks.size() == 5);
  const size_t index = GENERATE(range(size_t{0}, size_t{5}));
  const Walk& walk = walks[index];
  CAPTURE(walk.title);
  const std::vector<std::string> typed = Typed(CommandsOf(walk.text));
  CHECK(typed.size() <= kMostCommands);
  // It ends with the counts of a chart.
  CHECK(typed.back().find(" as bucket, ") != std::string::npos);
  const std::vector<std::string> shown = Shown(walk.text);
  REQUIRE(shown.size() == 2);
  const Outcome outcome = RunScript(base::StrCat("walk-", index), CommandsOf(walk.text));
  INFO(outcome.output);
  CHECK(outcome.status == 0);
  size_t at = 0;
  for (const std::string& answer : shown) {
    CAPTURE(answer);
    at = outcome.output.find(answer, at);
    REQUIRE(at != std::string::npos);
    at += answer.size();
  }
}

TEST_CASE("a walk needs the program and what each machine has, and no source") {
  for (const Walk& walk : Walks()) {
    for (const std::string& command : Typed(CommandsOf(walk.text))) {
      CAPTURE(command);
      CHECK(std::ranges::any_of(std::vector<std::string_view>{"logquery ", "mkdir ", "gzip ", "curl "},
                                [&](std::string_view name) { return command.starts_with(name); }));
      for (const char* word : {"scripts/", "examples/", "build/"}) CHECK(command.find(word) == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace logquery
