// What the commands take, as data: help, completion and man pages are made from it, so that they say the same.
#ifndef LOGQUERY_SHIM_COMMAND_COMMAND_TREE_H_
#define LOGQUERY_SHIM_COMMAND_COMMAND_TREE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace logquery::shim {

struct CommandArgument {
  std::string name;      // "--data"; of a positional argument "files"
  std::string value;     // "DIR"; empty: the option takes no value
  std::string help;      // one sentence
  std::string fallback;  // the default's text; empty: there is none
  bool required = false;

  // The words that the value may be, where it is one of a few.
  std::vector<std::string> Choices() const;
  // Whether the value is the path of a file, or of a folder alone.
  bool IsFile() const { return value.rfind("FILE", 0) == 0; }
  bool IsFolder() const { return value.rfind("DIR", 0) == 0; }
};

struct CommandNode {
  std::string path;  // "token create"; empty: the program itself
  std::string summary;
  std::string footer;  // exit codes and examples, as --help shows them
  std::vector<CommandArgument> options;
  std::vector<CommandArgument> positionals;
  std::vector<CommandNode> commands;
};

// The tree below `app`, in the order of declaration.
CommandNode DescribeCommand(const CLI::App& app, std::string_view path = "");

// The node of this path, and all below a node with itself first. Null where there is none. They borrow from `root`.
const CommandNode* FindCommand(const CommandNode& root, std::string_view path);
std::vector<const CommandNode*> AllCommands(const CommandNode& root);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_COMMAND_TREE_H_
