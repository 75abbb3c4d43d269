// Turns CLI11's parse errors into messages with suggestions.
#include "shim/cli/options/command_errors.h"

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

// An option that the command does not have, with the nearest; empty: all are known. CLI11 would rather say what is missing.
std::string UnknownOption(const CLI::App& reached) {
  std::vector<std::string> names;
  for (const CLI::Option* option : reached.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& argument : reached.remaining()) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.size() < 3 || name.compare(0, 2, "--") != 0) continue;
    return base::StrCat("there is no option ", name, DidYouMean(name, names));
  }
  return "";
}

}  // namespace

// CLI11 would only say that an argument was not expected.
std::string UnknownCommand(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (argc < 2 || argv[1][0] == '-') return "";
  const std::string_view wanted = argv[1];
  for (const std::string& name : names) {
    if (name == wanted) return "";
  }
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
  return Usage(terminal, base::StrCat(name, ": ", unknown.empty() ? error.what() : unknown, "\n`logquery ", name,
                                      " --help` says what it takes."));
}

}  // namespace logquery::shim
