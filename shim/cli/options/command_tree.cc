// Builds nodes of the tree and looks them up.
#include "shim/cli/options/command_tree.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// The value of a text or number, the default in the help. Switches are off, and lists are empty.
struct DefaultText {
  std::string operator()(bool* const&) const { return ""; }
  template <typename Target>
  std::string operator()(const Target& target) const {
    if constexpr (requires { absl::AlphaNum(*target); }) return base::StrCat(*target);
    return "";
  }
};

bool IsCommon(const CommandArgument& option) {
  return option.name == "--quiet" || option.name == "--json" || option.name == "--help";
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

CommandArgument& CommandArgument::Required() {
  required = true;
  return *this;
}

CommandArgument& CommandArgument::Takes(ValueCount values) {
  count = values;
  return *this;
}

CommandArgument& CommandArgument::Excludes(std::string option) {
  excludes.push_back(std::move(option));
  return *this;
}

CommandArgument& CommandArgument::Needs(std::string option) {
  needs.push_back(std::move(option));
  return *this;
}

CommandNode::CommandNode(std::string whole_path, std::string sentence)
    : path(std::move(whole_path)), summary(std::move(sentence)) {
  AddFlag("--help", "Print this help message and exit", ArgumentTarget());  // the parser sets no target for it
}

CommandArgument& CommandNode::Add(std::string name, std::string value, std::string help, ArgumentTarget target) {
  CommandArgument made{std::move(name), std::move(value), std::move(help), std::visit(DefaultText(), target)};
  made.target = std::move(target);
  made.order = options.size() + positionals.size();
  if (made.IsPositional()) return positionals.emplace_back(std::move(made));
  const auto end = IsCommon(made) ? options.end() : std::find_if(options.begin(), options.end(), IsCommon);
  return *options.insert(end, std::move(made));
}

std::vector<const CommandArgument*> CommandNode::Arguments() const {
  std::vector<const CommandArgument*> all;
  for (const CommandArgument& option : options) all.push_back(&option);
  for (const CommandArgument& argument : positionals) all.push_back(&argument);
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
  return all;
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
