// Runs commands by bash, with errors of any of them as the outcome.
#include "tests/docs/pages.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "lib/base/listen_socket.h"
#include "lib/base/strings.h"
#include "tests/support/folders.h"

namespace logquery {

namespace fs = std::filesystem;

std::string ReadPage(const fs::path& page) {
  std::ifstream file(testing::SourcePath(page.string()), std::ios::binary);
  REQUIRE(file);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string CommandsOf(const std::string& page) {
  constexpr std::string_view kBegin = "\n```sh\n";
  std::string commands;
  for (size_t at = page.find(kBegin); at != std::string::npos; at = page.find(kBegin, at)) {
    at += kBegin.size();
    const size_t end = page.find("\n```", at);
    commands += page.substr(at, end - at) + "\n";
  }
  return commands;
}

std::string FreePort() {
  const auto fd = base::ListenOn({"127.0.0.1", 0});
  REQUIRE(fd.ok());
  const int port = base::PortOf(*fd);
  close(*fd);
  return std::to_string(port);
}

namespace {

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

Outcome RunCommand(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  std::array<char, 4'096> buffer;
  for (size_t count; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), count);
  outcome.status = pclose(pipe);
  return outcome;
}

Outcome RunScript(std::string name, std::string commands) {
  // The second is that of another server, where a page compares two.
  for (const char* address : {"127.0.0.1:4000", "127.0.0.1:4001"}) {
    ReplaceAll(commands, address, "127.0.0.1:" + FreePort());
  }
  std::replace(name.begin(), name.end(), '/', '-');
  const fs::path folder = fs::temp_directory_path() / base::StrCat("logquery-", name, "-", getpid());
  fs::create_directories(folder);
  std::ofstream(folder / ".script") << "set -eu\ncd " << folder << "\nexport PATH=" << testing::BuildPath("bin")
                                    << ":$PATH\n"
                                    << "trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n"
                                    // An error's status is a failure, too.
                                    << "curl() { command curl --fail-with-body \"$@\"; }\n"
                                    << commands;
  Outcome outcome = RunCommand(base::StrCat("timeout 300 bash ", (folder / ".script").string()));
  fs::remove_all(folder);
  return outcome;
}

}  // namespace logquery
