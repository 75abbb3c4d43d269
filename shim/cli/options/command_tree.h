// The commands and their options as data. The parser, help, completion, man pages and suggestions read the same tree, so that they
// agree:
//
//     auto to = std::make_shared<StatsArguments>();
//     CommandNode command("stats", "Shows what each log contains.");
//     command.Add("--data", "DIR", "The data folder", &to->data).Required();
//     command.Runs(to, RunStats);
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_TREE_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_TREE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace logquery::shim {

struct Terminal;

// The variable that receives the value, or a function to call: without arguments for an option that has no value, with the texts of
// all values for one that has.
using ArgumentTarget = std::variant<bool*, int*, int64_t*, uint64_t*, double*, std::string*, std::optional<int64_t>*,
                                    std::vector<std::string>*, std::function<void()>,
                                    std::function<void(const std::vector<std::string>&)>>;

// The number of values that an option or argument takes.
enum class ValueCount {
  kUsual,        // one; a list takes all that follow
  kOneEachTime,  // one, and a list's option may be given again
  kCommas,       // like kUsual, and each text is split at its commas
  kNoneOrOne,
};

// The minimum and the maximum of a number, which is parsed as this type.
using ArgumentRange = std::variant<std::monostate, std::pair<int64_t, int64_t>, std::pair<double, double>>;

struct CommandArgument {
  std::string name;      // "--data"; for a positional argument "files"
  std::string value;     // "DIR"; empty: the option has no value
  std::string help;      // one sentence
  std::string fallback;  // the default as text; empty: there is none
  bool required = false;
  // The rest is for the parser.
  ArgumentTarget target = {};
  ValueCount count = ValueCount::kUsual;
  ArgumentRange range = {};
  bool only_choices = true;  // if there are Choices(), other values are rejected
  std::vector<std::string> excludes = {};
  std::vector<std::string> needs = {};
  size_t order = 0;  // the position among all options and arguments of the command, and so of its errors

  // The allowed values, if there are only a few.
  std::vector<std::string> Choices() const;
  // Whether the value is a path of a file, or only of a folder.
  bool IsFile() const { return value.rfind("FILE", 0) == 0; }
  bool IsFolder() const { return value.rfind("DIR", 0) == 0; }
  bool IsPositional() const { return name.rfind("--", 0) != 0; }

  CommandArgument& Required();
  CommandArgument& Takes(ValueCount values);
  // Each names another option of the command, such as "--quiet". Excludes holds in both directions.
  CommandArgument& Excludes(std::string option);
  CommandArgument& Needs(std::string option);
  template <typename Number>
  CommandArgument& Between(Number least, Number most) {
    using Read = std::conditional_t<std::is_floating_point_v<Number>, double, int64_t>;
    range = std::pair<Read, Read>(least, most);
    return *this;
  }
};

struct CommandNode {
  std::string path;  // "token create"; empty: the program itself
  std::string summary;
  std::string footer;                    // exit codes and examples, in the form of --help
  std::vector<CommandArgument> options;  // --help, --quiet and --json are the last
  std::vector<CommandArgument> positionals;
  std::vector<CommandNode> commands;
  std::function<int(const Terminal&)> run;  // call it when the targets are set; empty for a node with commands

  CommandNode() = default;
  // Adds --help.
  CommandNode(std::string whole_path, std::string sentence);

  // Adds an option, if `name` begins with "--", or a positional argument. The default is what the target holds now. The
  // reference is valid until the next call.
  CommandArgument& Add(std::string name, std::string value, std::string help, ArgumentTarget target);
  // Adds an option without a value.
  CommandArgument& AddFlag(std::string name, std::string help, ArgumentTarget target) {
    return Add(std::move(name), "", std::move(help), std::move(target));
  }

  // Sets `run` to call `function` with `arguments`, which own the targets.
  template <typename Arguments>
  void Runs(std::shared_ptr<Arguments> arguments, int (*function)(const Arguments&, const Terminal&)) {
    run = [arguments = std::move(arguments), function](const Terminal& terminal) {
      return function(*arguments, terminal);
    };
  }

  // The last word of the path.
  std::string_view Name() const { return std::string_view(path).substr(path.rfind(' ') + 1); }
  // Options and positional arguments in the order in which they were added.
  std::vector<const CommandArgument*> Arguments() const;
};

// Returns the node with this path; or a node and all nodes below it, itself first. Null if there is none. They borrow
// from `root`.
const CommandNode* FindCommand(const CommandNode& root, std::string_view path);
std::vector<const CommandNode*> AllCommands(const CommandNode& root);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_TREE_H_
