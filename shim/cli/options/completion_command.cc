// The commands completion and man, which print shell scripts and man pages for the command line.
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "lib/base/strings.h"
#include "shim/cli/options/command_errors.h"
#include "shim/cli/options/command_line.h"
#include "shim/cli/options/command_options.h"
#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/completion.h"
#include "shim/cli/options/man_page.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/cli/options/version.h"

namespace logquery::shim {
namespace {

struct ManArguments {
  std::string command;
  std::string folder;
};

int WritePages(const CommandNode& root, const ManEdition& edition, const std::string& folder,
               const Terminal& terminal) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Fail(terminal, absl::UnavailableError(base::StrCat("can't make ", folder, ": ", error.message())));
  const auto write = [&](const CommandNode& node) {
    const std::filesystem::path path = std::filesystem::path(folder) / ManPageName(node);
    std::ofstream file(path, std::ios::binary);
    file << ManPage(root, node, edition);
    file.close();
    return file ? absl::OkStatus() : absl::UnavailableError(base::StrCat("can't write ", path.string()));
  };
  absl::Status status = write(root);
  for (const CommandNode& command : root.commands) {
    if (status.ok()) status = write(command);
  }
  return status.ok() ? kExitOk : Fail(terminal, status);
}

int RunCompletion(const std::string& shell, const Terminal& terminal) {
  const CommandNode root = DescribeCommandLine();
  PrintBody(shell == "bash"  ? BashCompletion(root)
            : shell == "zsh" ? ZshCompletion(root)
                             : FishCompletion(root),
            terminal);
  return kExitOk;
}

int RunMan(const ManArguments& arguments, const Terminal& terminal) {
  const CommandNode root = DescribeCommandLine();
  const ManEdition edition = {PlainVersion(), ReleaseDate()};
  if (!arguments.folder.empty()) {
    if (!arguments.command.empty()) {
      return Usage(terminal, base::StrCat("man: --dir writes the pages of all commands; leave ", arguments.command,
                                          " or --dir out"));
    }
    return WritePages(root, edition, arguments.folder, terminal);
  }
  std::vector<std::string> names;
  for (const CommandNode& command : root.commands) names.push_back(command.path);
  const CommandNode* node = &root;
  for (const CommandNode& command : root.commands) {
    if (command.path == arguments.command) node = &command;
  }
  if (node == &root && !arguments.command.empty()) {
    return Usage(terminal,
                 base::StrCat("man: there is no command ", arguments.command, DidYouMean(arguments.command, names)));
  }
  PrintBody(ManPage(root, *node, edition), terminal);
  return kExitOk;
}

}  // namespace

CommandNode DeclareCompletion() {
  auto shell = std::make_shared<std::string>();
  CommandNode command("completion", "Prints the completion script for a shell.");
  command.Add("shell", "bash|zsh|fish", "The shell", shell.get()).Required();
  command.footer =
      "Examples:\n  logquery completion bash >~/.local/share/bash-completion/completions/logquery\n"
      "  logquery completion fish >~/.config/fish/completions/logquery.fish";
  command.Runs(shell, RunCompletion);
  return command;
}

CommandNode DeclareMan() {
  auto to = std::make_shared<ManArguments>();
  CommandNode command("man", "Prints the man page of logquery or of one of its commands.");
  command.Add("command", "COMMAND", "The command; without it the page of the program", &to->command);
  command.Add("--dir", "DIR", "Write all pages into this folder; without it one page goes to standard output",
              &to->folder);
  command.footer = "Examples:\n  logquery man load | man -l -\n  logquery man --dir man1";
  command.Runs(to, RunMan);
  return command;
}

}  // namespace logquery::shim
