// The commands and their options as data, from which help, completion and man pages are made, so that these agree.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_TREE_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_TREE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace logquery::shim {

struct CommandArgument {
  std::string name;      // "--data"; for a positional argument "files"
  std::string value;     // "DIR"; empty: the option has no value
  std::string help;      // one sentence
  std::string fallback;  // the default as text; empty: there is none
  bool required = false;

  // The allowed values, if there are only a few.
  std::vector<std::string> Choices() const;
  // Whether the value is a path of a file, or only of a folder.
  bool IsFile() const { return value.rfind("FILE", 0) == 0; }
  bool IsFolder() const { return value.rfind("DIR", 0) == 0; }
};

struct CommandNode {
  std::string path;  // "token create"; empty: the program itself
  std::string summary;
  std::string footer;  // exit codes and examples, in the form of --help
  std::vector<CommandArgument> options;
  std::vector<CommandArgument> positionals;
  std::vector<CommandNode> commands;
};

// Returns the tree below `app`, in the order of declaration.
CommandNode DescribeCommand(const CLI::App& app, std::string_view path = "");

// Returns the node with this path; or a node and all nodes below it, itself first. Null if there is none. They borrow
// from `root`.
const CommandNode* FindCommand(const CommandNode& root, std::string_view path);
std::vector<const CommandNode*> AllCommands(const CommandNode& root);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_TREE_H_
