// Output of a command that can't be written: the command fails and says why. A reader that has read enough is no failure.
#include "shim/cli/options/standard_output.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

constexpr char kFull[] = "logquery: can't write standard output: No space left on device\n";

// A command line in which each {} is the folder, with `fd` as its standard output.
Outcome RunInto(int fd, const CommandFolder& folder, std::vector<std::string> arguments) {
  std::istringstream in;
  std::ostringstream err;
  DescriptorBuffer buffer(fd);
  std::ostream out(&buffer);
  std::vector<const char*> argv = {"logquery"};
  for (std::string& argument : arguments) {
    if (const size_t at = argument.find("{}"); at != argument.npos) argument.replace(at, 2, folder.path);
    argv.push_back(argument.c_str());
  }
  const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, err});
  return {code, "", err.str()};
}

Outcome RunOnFullDisk(const CommandFolder& folder, const std::vector<std::string>& arguments) {
  const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(fd >= 0);
  const Outcome outcome = RunInto(fd, folder, arguments);
  close(fd);
  return outcome;
}

void AddRows(const CommandFolder& folder) {
  REQUIRE(folder.Run({"sample", "--rows", "1000", "--end", "2026-01-15T12:00:00Z", "--quiet", "{}/sample"}).code == 0);
  REQUIRE(folder.Run({"load", "--data", "{}/data", "--quiet", "{}/sample"}).code == 0);
}

TEST_CASE("a command whose output can't be written fails, and says why") {
  const CommandFolder folder;
  AddRows(folder);
  const std::string sql = "SELECT event_message FROM edge_logs ORDER BY timestamp";
  const std::string all = "sql=select id from edge_logs";
  const std::vector<std::vector<std::string>> commands = {
      {"query", "--data", "{}/data", sql},
      {"query", "--data", "{}/data", "--format", "csv", sql},
      {"query", "--data", "{}/data", "--format", "json", sql},
      {"run", "--data", "{}/data", "logs.all", "project=abc", "project_tier=FREE", all},
      {"run", "--data", "{}/data", "--format", "csv", "logs.all", "project=abc", "project_tier=FREE", all},
      {"run", "--data", "{}/data", "--format", "parquet", "logs.all", "project=abc", "project_tier=FREE", all},
      {"stats", "--data", "{}/data"},
      {"doctor", "--data", "{}/data"},
      {"schema", "--infer", "{}/sample/cloudflare.logs.prod.ndjson"},
      {"schema", "--dialect", "postgres"},
      {"sample", "--rows", "10", "{}/more"},
      {"load", "--data", "{}/data", "{}/sample"},
      {"completion", "bash"},
      {"help"},
      {"help", "query"},
      {"--version"},
      {"--version", "--notices"},
  };
  for (const std::vector<std::string>& command : commands) {
    CAPTURE(command);
    const Outcome outcome = RunOnFullDisk(folder, command);
    CHECK(outcome.code == kExitFailed);
    CHECK(outcome.err.ends_with(kFull));
  }
}

TEST_CASE("a command that prints nothing, or fails by itself, does not speak of standard output") {
  const CommandFolder folder;
  CHECK(RunOnFullDisk(folder, {"sample", "--rows", "10", "--quiet", "{}/more"}).code == kExitOk);
  const Outcome wrong = RunOnFullDisk(folder, {"stats", "--data"});
  CHECK(wrong.code == kExitUsage);
  CHECK_FALSE(Has(wrong.err, "standard output"));
}

TEST_CASE("a token whose secret can't be printed is not kept") {
  const CommandFolder folder;
  const std::vector<std::string> create = {"token", "create", "--tokens", "{}/tokens.json", "--all-projects"};
  for (const bool json : {false, true}) {
    CAPTURE(json);
    std::vector<std::string> command = create;
    if (json) command.emplace_back("--json");
    const Outcome outcome = RunOnFullDisk(folder, command);
    CHECK(outcome.code == kExitFailed);
    CHECK(outcome.err == std::string("logquery: the new token could not be printed and is revoked\n") + kFull);
    CHECK(folder.Run({"token", "list", "--tokens", "{}/tokens.json"}).out.empty());
  }
  REQUIRE(folder.Run(create).code == kExitOk);
  const std::string id = folder.Run({"token", "list", "--tokens", "{}/tokens.json"}).out.substr(0, 12);
  const Outcome rotated = RunOnFullDisk(folder, {"token", "rotate", "--tokens", "{}/tokens.json", id});
  CHECK(rotated.code == kExitFailed);
  CHECK(Has(rotated.err, "is revoked; create another one in place of " + id));
}

TEST_CASE("a reader that closes its pipe is no failure") {
  const auto before = signal(SIGPIPE, SIG_IGN);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  const Outcome outcome = RunInto(ends[1], CommandFolder(), {"--version", "--notices"});
  close(ends[1]);
  signal(SIGPIPE, before);
  CHECK(outcome.code == kExitOk);
  CHECK(outcome.err.empty());
}

TEST_CASE("short, long and single writes arrive in their order") {
  std::string expected;
  const CommandFolder folder;
  const std::string path = folder.path + "/out";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(fd >= 0);
  {
    DescriptorBuffer buffer(fd);
    std::ostream out(&buffer);
    for (const size_t size : {0, 1, 100, 8191, 8192, 8193, 7, 100'000, 8192, 1}) {
      const std::string text(size, static_cast<char>('a' + size % 26));
      out << text;
      for (int i = 0; i < 9000; ++i) out.put('.');
      expected += text + std::string(9000, '.');
    }
    CHECK(FlushOutput(out).ok());
  }
  close(fd);
  CHECK(folder.Read("out") == expected);
}

TEST_CASE("an error is kept: nothing is written after it, and each flush reports it") {
  const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(fd >= 0);
  DescriptorBuffer buffer(fd);
  std::ostream out(&buffer);
  out << std::string(100'000, 'a');
  CHECK(out.fail());
  out.clear();
  out << "b";
  CHECK_FALSE(FlushOutput(out).ok());
  CHECK(absl::IsUnavailable(FlushOutput(out)));
  close(fd);
}

}  // namespace
}  // namespace logquery::shim
