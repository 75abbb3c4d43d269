// The scripts contain the whole tree, so that completion starts no process. All three find the current command by the
// same walk over the line's words.
#include "shim/cli/options/completion.h"

#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// The command that `node` is below; for "load" it is empty.
std::string_view ParentOf(const CommandNode& node) {
  const std::string_view path = node.path;
  return path.substr(0, path.rfind(' ') == std::string_view::npos ? 0 : path.rfind(' '));
}

// Puts the text in single quotes, which bash and zsh read alike.
std::string Quoted(std::string_view text) {
  return base::StrCat("'", absl::StrReplaceAll(std::string(text), {{"'", "'\\''"}}), "'");
}

std::string FishQuoted(std::string_view text) {
  return base::StrCat("'", absl::StrReplaceAll(std::string(text), {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

// `"COMMAND WORD"|…`: the words that make a command of the one so far.
std::string Steps(const CommandNode& root) {
  std::vector<std::string> steps;
  for (const CommandNode* node : AllCommands(root)) {
    if (!node->path.empty()) steps.push_back(base::StrCat("\"", ParentOf(*node), " ", node->Name(), "\""));
  }
  return absl::StrJoin(steps, "|");
}

bool TakesFiles(const CommandNode& node) {
  for (const CommandArgument& argument : node.positionals) {
    if (argument.IsFile() || argument.IsFolder()) return true;
  }
  return false;
}

// The words that may stand next, of a node's commands, options and positional arguments.
std::vector<std::pair<std::string, std::string>> Words(const CommandNode& node) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const CommandNode& command : node.commands) words.emplace_back(command.Name(), command.summary);
  for (const CommandArgument& argument : node.positionals) {
    for (const std::string& choice : argument.Choices()) words.emplace_back(choice, argument.help);
  }
  for (const CommandArgument& option : node.options) words.emplace_back(option.name, option.help);
  return words;
}

// The case of a shell in which the word before is an option with a value; `files`, `folders` and `choices` are commands.
std::string ValueCases(const CommandNode& root, std::string_view files, std::string_view folders,
                       std::string_view choices) {
  std::string text;
  for (const CommandNode* node : AllCommands(root)) {
    for (const CommandArgument& option : node->options) {
      if (option.value.empty()) continue;
      const std::vector<std::string> words = option.Choices();
      std::string action = "";
      if (option.IsFile()) action = files;
      if (option.IsFolder()) action = folders;
      if (!words.empty()) action = absl::StrReplaceAll(std::string(choices), {{"WORDS", absl::StrJoin(words, " ")}});
      base::StrAppend(&text, "    \"", node->path, " ", option.name, "\") ", action, action.empty() ? "" : "; ",
                      "return ;;\n");
    }
  }
  return text;
}

}  // namespace

std::string BashCompletion(const CommandNode& root) {
  std::string text = R"(# Completion of logquery for bash: written by `logquery completion bash`.
_logquery_paths() {
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
  compopt -o filenames 2>/dev/null
}

_logquery() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD - 1]}" command="" words="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
      )";
  base::StrAppend(&text, Steps(root), ") command=\"${command:+$command }${COMP_WORDS[i]}\" ;;\n    esac\n  done\n",
                  "  case \"$command $prev\" in\n",
                  ValueCases(root, "_logquery_paths -f \"$cur\"", "_logquery_paths -d \"$cur\"",
                             "mapfile -t COMPREPLY < <(compgen -W \"WORDS\" -- \"$cur\")"),
                  "  esac\n  case \"$command\" in\n");
  for (const CommandNode* node : AllCommands(root)) {
    base::StrAppend(&text, "    \"", node->path, "\")");
    if (TakesFiles(*node)) base::StrAppend(&text, " [[ \"$cur\" == -* ]] || { _logquery_paths -f \"$cur\"; return; };");
    std::string names;
    for (const auto& [name, help] : Words(*node)) base::StrAppend(&names, names.empty() ? "" : " ", name);
    base::StrAppend(&text, " words=\"", names, "\" ;;\n");
  }
  base::StrAppend(&text, "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n\n",
                  "complete -F _logquery logquery\n");
  return text;
}

std::string ZshCompletion(const CommandNode& root) {
  std::string text = R"(#compdef logquery
# Completion of logquery for zsh: written by `logquery completion zsh`.
_logquery() {
  local command="" i
  local -a found
  for ((i = 2; i < CURRENT; ++i)); do
    case "$command ${words[i]}" in
      )";
  base::StrAppend(&text, Steps(root), ") command=\"${command:+$command }${words[i]}\" ;;\n    esac\n  done\n",
                  "  case \"$command ${words[CURRENT - 1]}\" in\n",
                  ValueCases(root, "_files", "_files -/", "compadd -- WORDS"), "  esac\n  case \"$command\" in\n");
  for (const CommandNode* node : AllCommands(root)) {
    base::StrAppend(&text, "    \"", node->path, "\")\n");
    if (TakesFiles(*node)) base::StrAppend(&text, "      [[ \"${words[CURRENT]}\" == -* ]] || { _files; return; }\n");
    base::StrAppend(&text, "      found=(\n");
    for (const auto& [name, help] : Words(*node)) {
      // _describe splits at the first colon that has no backslash before it.
      base::StrAppend(&text, "        ", Quoted(base::StrCat(name, ":", help)), "\n");
    }
    base::StrAppend(&text, "      ) ;;\n");
  }
  base::StrAppend(&text, "  esac\n  _describe -t words 'logquery' found\n}\n\n",
                  "if [ \"$funcstack[1]\" = _logquery ]; then _logquery \"$@\"; else compdef _logquery logquery; fi\n");
  return text;
}

std::string FishCompletion(const CommandNode& root) {
  std::string text = R"(# Completion of logquery for fish: written by `logquery completion fish`.
function __logquery_command
    set -l command ""
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case )";
  base::StrAppend(&text, absl::StrReplaceAll(Steps(root), {{"|", " "}}), R"(
                set command (string trim "$command $word")
        end
    end
    echo "$command"
end

complete -c logquery -f
)");
  for (const CommandNode* node : AllCommands(root)) {
    const std::string line = base::StrCat("complete -c logquery -n 'test (__logquery_command) = \"", node->path, "\"'");
    for (const CommandNode& command : node->commands) {
      base::StrAppend(&text, line, " -a ", command.Name(), " -d ", FishQuoted(command.summary), "\n");
    }
    for (const CommandArgument& argument : node->positionals) {
      for (const std::string& choice : argument.Choices()) {
        base::StrAppend(&text, line, " -a ", choice, " -d ", FishQuoted(argument.help), "\n");
      }
    }
    if (TakesFiles(*node)) base::StrAppend(&text, line, " -F\n");
    for (const CommandArgument& option : node->options) {
      base::StrAppend(&text, line, " -l ", option.name.substr(2));
      if (!option.value.empty()) base::StrAppend(&text, " -r");
      if (option.IsFile()) base::StrAppend(&text, " -F");
      if (option.IsFolder()) base::StrAppend(&text, " -a '(__fish_complete_directories)'");
      if (const auto words = option.Choices(); !words.empty()) {
        base::StrAppend(&text, " -a '", absl::StrJoin(words, " "), "'");
      }
      base::StrAppend(&text, " -d ", FishQuoted(option.help), "\n");
    }
  }
  return text;
}

}  // namespace logquery::shim
