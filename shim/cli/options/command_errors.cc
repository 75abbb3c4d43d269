// Turns CLI11's parse errors into messages with suggestions.
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

// The command that the arguments reached, for its help and in errors.
const CLI::App* Reached(const CLI::App& app) {
  const CLI::App* reached = &app;
  while (!reached->get_subcommands().empty()) reached = reached->get_subcommands().front();
  return reached;
}

std::vector<std::string> OptionsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool Contains(const std::vector<std::string>& names, std::string_view wanted) {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

// "--format: tabel not in {json,csv,table}" as a sentence with the nearest of the values; otherwise CLI11's own words.
std::string ValueError(std::string_view what) {
  const size_t option = what.find(": ");
  const size_t set = what.find(" not in {");
  if (option == what.npos || set == what.npos || set < option || !what.ends_with('}')) return std::string(what);
  const std::string_view value = what.substr(option + 2, set - option - 2);
  std::vector<std::string> values;
  std::string_view rest = what.substr(set + 9, what.size() - set - 10);
  while (true) {
    const size_t comma = rest.find(',');
    values.emplace_back(rest.substr(0, comma));
    if (comma == rest.npos) break;
    rest.remove_prefix(comma + 1);
  }
  return base::StrCat(what.substr(0, option), " can't be ", OneLine(value, 100), "; it is one of ",
                      base::Join(values, ", "), DidYouMean(value, values));
}

// An option that the command does not have, with the nearest; empty: all are known. CLI11 would rather say what is missing.
std::string UnknownOption(const CLI::App& reached) {
  const std::vector<std::string> names = OptionsOf(reached);
  for (const std::string& argument : reached.remaining()) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.size() < 3 || name.compare(0, 2, "--") != 0) continue;
    return base::StrCat("there is no option ", name, DidYouMean(name, names));
  }
  return "";
}

}  // namespace

// CLI11 would only say that an argument was not expected, or that a command is missing.
std::string UnknownCommand(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2) return "";
  std::string_view wanted = argv[1];
  std::vector<std::string> options = OptionsOf(app);
  options.emplace_back("--version");
  std::vector<std::string> names;
  const bool is_option = wanted.starts_with('-') && wanted.size() > 1;
  if (is_option) {
    wanted = wanted.substr(0, wanted.find('='));
    if (Contains(options, wanted)) return "";
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
    if (!is_option || !Contains(OptionsOf(*command), wanted)) continue;
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
  return base::StrCat("there is no command ", wanted, DidYouMean(wanted, names), "\n`logquery --help` lists them.");
}

int Usage(const Terminal& terminal, std::string_view message) {
  terminal.err << Painted(terminal.colours && terminal.err_is_terminal, Colour::kRed, "logquery:") << " " << message
               << "\n";
  return kExitUsage;
}

int ParseFailed(const CLI::App& app, const CLI::ParseError& error, std::string_view help, const Terminal& terminal) {
  const CLI::App* reached = Reached(app);
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
    if (reached == &app) {
      terminal.out << help;
    } else {
      const bool is_nested = reached->get_parent() != &app;
      const std::string path =
          is_nested ? reached->get_parent()->get_name() + " " + reached->get_name() : reached->get_name();
      terminal.out << HelpText(DescribeCommand(*reached, path), terminal.columns,
                               terminal.colours && terminal.out_is_terminal);
    }
    return kExitOk;
  }
  if (reached == &app) return Usage(terminal, base::StrCat(error.what(), "\n`logquery --help` lists the commands."));
  std::string name = reached->get_name();
  if (reached->get_parent() != &app) name = reached->get_parent()->get_name() + " " + name;
  const std::string unknown = UnknownOption(*reached);
  return Usage(terminal, base::StrCat(name, ": ", unknown.empty() ? ValueError(error.what()) : unknown, "\n`logquery ",
                                      name, " --help` says what it takes."));
}

}  // namespace logquery::shim
