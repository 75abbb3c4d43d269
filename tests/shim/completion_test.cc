// Completion as a real bash does it with the script that the program prints, and the text of man pages.
#include "shim/cli/options/completion.h"

#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

struct Folder : CommandFolder {
  Folder() {
    Write("rows.ndjson", "{}\n");
    std::filesystem::create_directory(path + "/below");
  }
};

// Returns a program's output, with its errors; its exit status has to be 0.
std::string Printed(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4'096> buffer;
  for (size_t count; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) text.append(buffer.data(), count);
  INFO(command << "\n" << text);
  CHECK(pclose(pipe) == 0);
  return text;
}

// The words that bash offers for the last of `words`, one a line.
std::string Completed(const Folder& folder, const std::string& words) {
  std::ofstream(folder.path + "/.completion") << RunCommand({"completion", "bash"}).out;
  std::ofstream(folder.path + "/.ask")
      << "set -u\n. ./.completion\nCOMP_WORDS=(logquery " << words
      << ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_logquery\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  return Printed(base::StrCat("cd ", folder.path, " && bash .ask"));
}

TEST_CASE("bash completes commands, options, and the values of options") {
  const Folder folder;
  CHECK(Completed(folder, "lo") == "load\n");
  CHECK(Completed(folder, "token r") == "rotate\nrevoke\n");
  CHECK(Completed(folder, "load --ti") == "--timestamp-unit\n");
  CHECK(Completed(folder, "load --timestamp-unit ''") == "s\nms\nus\nns\n");
  CHECK(Completed(folder, "token create --max-r") == "--max-rows\n--max-result-bytes\n");
  CHECK(Completed(folder, "serve --no-") == "--no-builtin\n--no-console\n--no-supervise\n");
  CHECK(Completed(folder, "completion f") == "fish\n");
  SECTION("files where the command takes files, folders where it takes folders") {
    CHECK(Completed(folder, "load --data data ro") == "rows.ndjson\n");
    CHECK(Completed(folder, "load --data ''") == "below\n");
    CHECK(Completed(folder, "load --schema ro") == "rows.ndjson\n");
  }
  SECTION("a folder that has a command's name is no command") {
    CHECK(Completed(folder, "stats --data load --f") == "--format\n");
  }
}

TEST_CASE("each supported shell has a script, and other shells are rejected") {
  const Folder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome script = RunCommand({"completion", shell});
    CAPTURE(shell, script.err);
    CHECK(script.code == kExitOk);
    CHECK(script.out.find("timestamp-unit") != std::string::npos);
    // The shell reads its script if it is installed.
    std::ofstream(folder.path + "/script") << script.out;
    Printed(
        base::StrCat("if command -v ", shell, " >/dev/null; then ", shell, " -n ", folder.path + "/script", "; fi"));
  }
  const Outcome wrong = RunCommand({"completion", "csh"});
  CHECK(wrong.code == kExitUsage);
  CHECK(wrong.err.find("csh") != std::string::npos);
}

TEST_CASE("fish completes by its script if it is installed") {
  const Folder folder;
  std::ofstream(folder.path + "/script") << RunCommand({"completion", "fish"}).out;
  const std::string fish =
      base::StrCat("cd ", folder.path, " && HOME=", folder.path, " fish --no-config -c 'source script; ");
  if (std::system("command -v fish >/dev/null") != 0) SKIP("fish is not installed");
  CHECK(Printed(fish + "complete -C \"logquery lo\"'").rfind("load\t", 0) == 0);
  CHECK(Printed(fish + "complete -C \"logquery token ro\"'").rfind("rotate\t", 0) == 0);
  CHECK(Printed(fish + "complete -C \"logquery load --timestamp-unit m\"'") ==
        "ms\tThe unit of timestamps that are integers\n");
}

TEST_CASE("every command has a man page with the options of its help") {
  const Folder folder;
  const std::string pages = folder.path + "/man1";
  REQUIRE(RunCommand({"man", "--dir", pages}).code == kExitOk);
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(pages)) {
    ++count;
    // mandoc names what is wrong of a page, man warns of it.
    Printed(base::StrCat("if command -v mandoc >/dev/null; then mandoc -T lint -W warning ", entry.path().string(),
                         "; fi"));
    Printed(
        base::StrCat("if command -v man >/dev/null; then w=$(LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E "
                     "UTF-8 -l -Tutf8 -Z ",
                     entry.path().string(), " 2>&1 >/dev/null); printf %s \"$w\"; test -z \"$w\"; fi"));
  }
  CHECK(count >= 20);
  const std::string load = RunCommand({"man", "load"}).out;
  CHECK(load.find("logquery\\-load \\- loads NDJSON logs") != std::string::npos);
  CHECK(load.find("\\fB\\-\\-timestamp\\-unit\\fR \\fIs|ms|us|ns\\fR") != std::string::npos);
  CHECK(RunCommand({"man", "token"}).out.find(".SH TOKEN CREATE\n") != std::string::npos);
  const Outcome unknown = RunCommand({"man", "laod"});
  CHECK(unknown.code == kExitUsage);
  CHECK(unknown.err == "logquery: man: there is no command laod; did you mean load?\n");
}

TEST_CASE("the version is one line, and --notices adds the licences of the program's parts") {
  const Outcome version = RunCommand({"--version"});
  CHECK(version.code == kExitOk);
  CHECK(version.out.rfind("logquery 0.", 0) == 0);
  const Outcome notices = RunCommand({"--version", "--notices"});
  CHECK(notices.code == kExitOk);
  for (const char* name : {"Abseil", "RE2", "nlohmann/json", "cpp-httplib", "Zstandard", "CLI11", "spdlog"}) {
    CAPTURE(name);
    CHECK(notices.out.find(name) != std::string::npos);
  }
  const Outcome wrong = RunCommand({"--version", "--all"});
  CHECK(wrong.code == kExitUsage);
  CHECK(wrong.err == "logquery: --version takes --notices and nothing else, not --all\n");
}

}  // namespace
}  // namespace logquery::shim
