// Command lines of the program, run in this process, and a folder for the files that they read and write.
//
//     const CommandFolder folder;
//     folder.Write("rows.ndjson", rows);
//     CHECK(folder.Run({"load", "--data", "{}/data", "{}/rows.ndjson"}).code == kExitOk);
#ifndef LOGQUERY_TESTS_SHIM_COMMAND_RUN_H_
#define LOGQUERY_TESTS_SHIM_COMMAND_RUN_H_

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/command_line.h"
#include "tests/support/read_file.h"

namespace logquery::shim {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

// Runs a command line, without the program's name in front. `input` is what stands on standard input.
inline Outcome RunCommand(const std::vector<std::string>& arguments, const std::string& input = "",
                          bool on_terminal = false) {
  std::istringstream in(input);
  std::ostringstream out, err;
  std::vector<const char*> argv = {"logquery"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, err, on_terminal});
  return {code, out.str(), err.str()};
}

inline bool Has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

// An empty folder of its own, which is gone with it.
class CommandFolder {
 public:
  CommandFolder() : path(Made()) {}
  ~CommandFolder() { std::filesystem::remove_all(path); }
  CommandFolder(const CommandFolder&) = delete;
  CommandFolder& operator=(const CommandFolder&) = delete;

  // Writes a file, and the folders above it. Returns its path.
  std::string Write(const std::string& file, std::string_view text) const {
    const std::filesystem::path at = std::filesystem::path(path) / file;
    std::filesystem::create_directories(at.parent_path());
    std::ofstream(at, std::ios::trunc | std::ios::binary) << text;
    return at;
  }
  std::string Read(const std::string& file) const { return testing::ReadFile(std::filesystem::path(path) / file); }

  // Runs a command line in which each {} is the folder.
  Outcome Run(std::vector<std::string> arguments, const std::string& input = "") const {
    for (std::string& argument : arguments) {
      for (size_t at = 0; (at = argument.find("{}", at)) != argument.npos; at += path.size()) {
        argument.replace(at, 2, path);
      }
    }
    return RunCommand(arguments, input);
  }

  const std::string path;

 private:
  static std::string Made() {
    std::string name = (std::filesystem::temp_directory_path() / "logquery-command-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    return name;
  }
};

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_COMMAND_RUN_H_
