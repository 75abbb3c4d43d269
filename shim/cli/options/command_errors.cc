// Adds suggestions to the parser's errors.
#include "shim/cli/options/command_errors.h"

#include <algorithm>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/help_text.h"
#include "shim/cli/options/nearest_names.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

std::vector<std::string> OptionsOf(const CommandNode& command) {
  std::vector<std::string> names;
  for (const CommandArgument* argument : command.Arguments()) {
    if (argument->IsPositional()) continue;
    names.push_back(argument->name);
    if (argument->name == "--help") names.emplace_back("-h");
  }
  return names;
}

bool Contains(const std::vector<std::string>& names, std::string_view wanted) {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

// An option that the command does not have, with the nearest; empty: all are known. The parser rather says what is missing.
std::string UnknownOption(const ParsedCommand& parsed) {
  const std::vector<std::string> names = OptionsOf(*parsed.command);
  for (const std::string& argument : parsed.unknown) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.size() < 3 || name.compare(0, 2, "--") != 0) continue;
    return base::StrCat("there is no option ", name, DidYouMean(name, names));
  }
  return "";
}

// Further arguments of a command that takes one of SQL; empty: there are none.
std::string SqlInParts(const ParsedCommand& parsed) {
  const std::vector<CommandArgument>& positionals = parsed.command->positionals;
  const bool takes_sql = positionals.size() == 1 && positionals[0].value == "SQL";
  if (!takes_sql || parsed.unknown.empty()) return "";
  return base::StrCat("the SQL has to be one argument, and ", OneLine(parsed.unknown[0], 100),
                      " is another one: put the whole SELECT in quotes, as in `logquery ", parsed.command->path,
                      " --data data 'select count(*) as n from edge_logs'`");
}

}  // namespace

// The parser would only say that an argument was not expected, or that a command is missing.
std::string UnknownCommand(const CommandNode& root, int argc, const char* const* argv) {
  if (argc < 2) return "";
  std::string_view wanted = argv[1];
  std::vector<std::string> options = OptionsOf(root);
  options.emplace_back("--version");
  std::vector<std::string> names;
  const bool is_option = wanted.starts_with('-') && wanted.size() > 1;
  if (is_option) {
    wanted = wanted.substr(0, wanted.find('='));
    if (Contains(options, wanted)) return "";
  }
  for (const CommandNode& command : root.commands) {
    names.push_back(command.path);
    if (!is_option || !Contains(OptionsOf(command), wanted)) continue;
    return base::StrCat("the option ", wanted, " stands behind a command, as in `logquery ", names.back(), " ", wanted,
                        "`\n`logquery --help` lists the commands.");
  }
  if (is_option) {
    return base::StrCat("there is no option ", OneLine(wanted, 100), DidYouMean(wanted, options),
                        "\n`logquery --help` lists the commands and options.");
  }
  if (Contains(names, wanted)) return "";
  const std::string as_option = base::StrCat("--", wanted);
  if (Contains(options, as_option)) names.push_back(as_option);
  names.emplace_back("help");
  return base::StrCat("there is no command ", wanted, DidYouMean(wanted, names), "\n`logquery --help` lists them.");
}

int Usage(const Terminal& terminal, std::string_view message) {
  terminal.err << Painted(terminal.colours && terminal.err_is_terminal, Colour::kRed, "logquery:") << " " << message
               << "\n";
  return kExitUsage;
}

int Refused(const ParsedCommand& parsed, std::string_view help, const Terminal& terminal) {
  const std::string& path = parsed.command->path;
  if (parsed.wants_help) {
    const bool bold = terminal.colours && terminal.out_is_terminal;
    terminal.out << (path.empty() ? std::string(help) : HelpText(*parsed.command, terminal.columns, bold));
    return kExitOk;
  }
  if (path.empty()) return Usage(terminal, base::StrCat(parsed.error, "\n`logquery --help` lists the commands."));
  std::string unknown = UnknownOption(parsed);
  if (unknown.empty()) unknown = SqlInParts(parsed);
  return Usage(terminal, base::StrCat(path, ": ", unknown.empty() ? parsed.error : unknown, "\n`logquery ", path,
                                      " --help` says what it takes."));
}

}  // namespace logquery::shim
