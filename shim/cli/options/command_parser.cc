// Makes CLI11's parser from the tree. No other file includes that library, which costs seconds for each.
#include "shim/cli/options/command_parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <variant>

#include "lib/base/strings.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using ValueTexts = std::vector<std::string>;

// Adds an argument by the kind of its target.
struct AddByTarget {
  CLI::App& app;
  const CommandArgument& argument;

  CLI::Option* operator()(bool* flag) const { return app.add_flag(argument.name, *flag); }
  CLI::Option* operator()(const std::function<void()>& call) const {
    return app.add_flag_callback(argument.name, call);
  }
  CLI::Option* operator()(const std::function<void(const ValueTexts&)>& take) const {
    CLI::Option* const option = app.add_option_function<ValueTexts>(argument.name, take);
    if (argument.count == ValueCount::kNoneOrOne) return option->expected(0, 1);
    const bool is_list = argument.count == ValueCount::kOneEachTime;
    return option->expected(1)
        ->multi_option_policy(is_list ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::Throw)
        ->allow_extra_args(false);
  }
  CLI::Option* operator()(ValueTexts* texts) const {
    CLI::Option* const option = app.add_option(argument.name, *texts);
    if (argument.count == ValueCount::kOneEachTime) option->allow_extra_args(false);
    if (argument.count == ValueCount::kCommas) option->delimiter(',');
    return option;
  }
  template <typename Value>
  CLI::Option* operator()(Value* value) const {
    return app.add_option(argument.name, *value);
  }
};

// Rejects all values but `choices`, and suggests the nearest one. CLI11 would put "NAME: " before a returned message, but passes an
// exception on.
void AllowOnly(const std::vector<std::string>& choices, const std::string& name, CLI::Option* option) {
  const auto check = [choices, name](const std::string& value) -> std::string {
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return "";
    throw CLI::ParseError(base::StrCat(name, " can't be ", OneLine(value, 100), "; it is one of ",
                                       base::Join(choices, ", "), DidYouMean(value, choices)),
                          CLI::ExitCodes::ValidationError);
  };
  option->check(check, base::StrCat("{", base::Join(choices, ","), "}"));
}

void DeclareArguments(const CommandNode& node, CLI::App& app) {
  std::vector<std::pair<const CommandArgument*, CLI::Option*>> added;
  for (const CommandArgument* argument : node.Arguments()) {
    if (argument->name == "--help") continue;  // CLI11 has it, and -h
    CLI::Option* const option = std::visit(AddByTarget{app, *argument}, argument->target);
    option->required(argument->required);
    if (const auto* whole = std::get_if<std::pair<int64_t, int64_t>>(&argument->range)) {
      option->check(CLI::Range(whole->first, whole->second));
    } else if (const auto* real = std::get_if<std::pair<double, double>>(&argument->range)) {
      option->check(CLI::Range(real->first, real->second));
    }
    const std::vector<std::string> choices = argument->Choices();
    if (argument->only_choices && !choices.empty()) AllowOnly(choices, argument->name, option);
    added.emplace_back(argument, option);
  }
  for (const auto& [argument, option] : added) {
    for (const std::string& other : argument->excludes) option->excludes(app.get_option(other));
    for (const std::string& other : argument->needs) option->needs(app.get_option(other));
  }
}

void DeclareCommands(const CommandNode& node, CLI::App& app) {
  DeclareArguments(node, app);
  if (!node.commands.empty()) app.require_subcommand(1);
  for (const CommandNode& command : node.commands) {
    DeclareCommands(command, *app.add_subcommand(std::string(command.Name()), command.summary));
  }
}

}  // namespace

ParsedCommand ParseArguments(const CommandNode& root, int argc, const char* const* argv) {
  CLI::App app("", "logquery");
  DeclareCommands(root, app);
  ParsedCommand parsed;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    parsed.wants_help = true;
  } catch (const CLI::ParseError& error) {
    parsed.error = error.what();
  }
  std::string path;
  const CLI::App* reached = &app;
  while (!reached->get_subcommands().empty()) {
    reached = reached->get_subcommands().front();
    base::StrAppend(&path, path.empty() ? "" : " ", reached->get_name());
  }
  parsed.command = FindCommand(root, path);
  parsed.unknown = reached->remaining();
  return parsed;
}

}  // namespace logquery::shim
