// Converts CLI11's declarations; no code after this file depends on that library.
#include "shim/cli/options/command_tree.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

CommandArgument Describe(const CLI::Option& option) {
  CommandArgument made;
  const std::vector<std::string>& names = option.get_lnames();
  made.name = names.empty() ? option.get_name(true) : base::StrCat("--", names.front());
  made.value = option.get_option_text();
  made.help = option.get_description();
  made.fallback = option.get_default_str();
  made.required = option.get_required();
  return made;
}

}  // namespace

// A placeholder is in capitals; words in lower case are what is typed.
std::vector<std::string> CommandArgument::Choices() const {
  const bool literal = !value.empty() && std::all_of(value.begin(), value.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '|' || c == '-';
  });
  if (!literal) return {};
  return absl::StrSplit(value, '|');
}

CommandNode DescribeCommand(const CLI::App& app, std::string_view path) {
  CommandNode node;
  node.path = std::string(path);
  node.summary = app.get_description();
  node.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? node.positionals : node.options).push_back(Describe(*option));
  }
  // What every command has comes last.
  std::stable_partition(node.options.begin(), node.options.end(), [](const CommandArgument& option) {
    return option.name != "--quiet" && option.name != "--json" && option.name != "--help";
  });
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    node.commands.push_back(
        DescribeCommand(*command, base::StrCat(path, path.empty() ? "" : " ", command->get_name())));
  }
  return node;
}

const CommandNode* FindCommand(const CommandNode& root, std::string_view path) {
  for (const CommandNode* node : AllCommands(root)) {
    if (node->path == path) return node;
  }
  return nullptr;
}

std::vector<const CommandNode*> AllCommands(const CommandNode& root) {
  std::vector<const CommandNode*> all = {&root};
  for (const CommandNode& command : root.commands) {
    const std::vector<const CommandNode*> below = AllCommands(command);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

}  // namespace logquery::shim
