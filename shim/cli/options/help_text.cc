// Wraps text by the columns that it occupies, not by its bytes.
#include "shim/cli/options/help_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::StrAppend;
using base::StrCat;

constexpr int kNarrowest = 60;
constexpr int kWidest = 110;
constexpr int kMostNameColumns = 30;

// Appends the words of `text` in lines of at most `columns`, the first of which already occupies `used` columns.
void AppendWrapped(std::string_view text, int columns, int used, int indent, std::string& to) {
  bool first = true;
  for (const absl::string_view word :
       absl::StrSplit(absl::string_view(text.data(), text.size()), ' ', absl::SkipEmpty())) {
    const int width = DisplayWidth({word.data(), word.size()});
    if (!first && used + 1 + width > columns) {
      StrAppend(&to, "\n", std::string(static_cast<size_t>(indent), ' '));
      used = indent;
      first = true;
    }
    if (!first) {
      to += ' ';
      ++used;
    }
    to.append(word.data(), word.size());
    used += width;
    first = false;
  }
  to += '\n';
}

std::string NameOf(const CommandArgument& argument) {
  if (argument.name.rfind("--", 0) != 0) return argument.value.empty() ? argument.name : argument.value;
  return argument.value.empty() ? argument.name : StrCat(argument.name, " ", argument.value);
}

std::string Described(const CommandArgument& argument) {
  if (argument.name == "--help") return "Prints this help.";
  std::string text = argument.help;
  if (!text.empty() && text.back() != '.' && text.back() != '?') text += '.';
  // The settings of serve say their defaults themselves.
  if (!argument.fallback.empty() && argument.help.find("(default") == std::string::npos) {
    StrAppend(&text, " Default: ", argument.fallback, ".");
  }
  if (argument.required) text += " Required.";
  return text;
}

class Help {
 public:
  Help(int columns, bool bold) : columns_(std::clamp(columns, kNarrowest, kWidest)), bold_(bold) {}

  void Heading(std::string_view text) { StrAppend(&text_, bold_ ? "\x1b[1m" : "", text, bold_ ? "\x1b[0m" : ""); }

  void Paragraph(std::string_view text) { AppendWrapped(text, columns_, 0, 0, text_); }

  void Arguments(std::string_view heading, const std::vector<CommandArgument>& arguments) {
    if (arguments.empty()) return;
    text_ += '\n';
    Heading(heading);
    text_ += '\n';
    std::vector<std::pair<std::string, std::string>> rows;
    for (const CommandArgument& argument : arguments) rows.emplace_back(NameOf(argument), Described(argument));
    Rows(rows);
  }

  void Rows(const std::vector<std::pair<std::string, std::string>>& rows) {
    int widest = 0;
    for (const auto& [name, what] : rows) {
      if (const int width = DisplayWidth(name); width <= kMostNameColumns) widest = std::max(widest, width);
    }
    const int indent = widest + 4;
    for (const auto& [name, what] : rows) {
      const int width = DisplayWidth(name);
      StrAppend(&text_, "  ", name);
      const bool below = width > widest;  // a long name has a line of its own
      StrAppend(&text_, below ? "\n" : "", std::string(static_cast<size_t>(below ? indent : indent - width - 2), ' '));
      AppendWrapped(what, columns_, indent, indent, text_);
    }
  }

  // A line that is indented is an example, and stays as it is.
  void Footer(std::string_view footer) {
    if (footer.empty()) return;
    text_ += '\n';
    for (const absl::string_view line : absl::StrSplit(absl::string_view(footer.data(), footer.size()), '\n')) {
      const std::string_view text(line.data(), line.size());
      if (!text.empty() && text.front() == ' ') {
        StrAppend(&text_, text, "\n");
      } else {
        Paragraph(text);
      }
    }
  }

  void Text(std::string_view text) { text_.append(text); }
  std::string Take() { return std::move(text_); }

 private:
  const int columns_;
  const bool bold_;
  std::string text_;
};

// "--data DIR" of what is required, so that the line can be completed.
std::string UsageOf(const CommandNode& node) {
  std::string usage = StrCat("logquery", node.path.empty() ? "" : " ", node.path);
  if (!node.commands.empty()) return usage + " COMMAND [OPTION]…";
  for (const CommandArgument& option : node.options) {
    if (option.required) StrAppend(&usage, " ", NameOf(option));
  }
  usage += " [OPTION]…";
  for (const CommandArgument& argument : node.positionals) {
    StrAppend(&usage, " ", argument.required ? NameOf(argument) : StrCat("[", NameOf(argument), "]"));
  }
  return usage;
}

}  // namespace

std::string HelpText(const CommandNode& node, int columns, bool bold) {
  Help help(columns, bold);
  help.Heading("Usage:");
  help.Text(StrCat(" ", UsageOf(node), "\n\n"));
  help.Paragraph(node.summary);
  if (!node.commands.empty()) {
    help.Text("\n");
    help.Heading("Commands:");
    help.Text("\n");
    std::vector<std::pair<std::string, std::string>> rows;
    for (const CommandNode& command : node.commands) {
      rows.emplace_back(command.Name(), command.summary);
    }
    help.Rows(rows);
  } else {
    help.Arguments("Arguments:", node.positionals);
    help.Arguments("Options:", node.options);
  }
  help.Footer(node.footer);
  if (!node.commands.empty()) {
    help.Text(StrCat("\n`logquery ", node.path, " COMMAND --help` says what a command takes.\n"));
  }
  return help.Take();
}

}  // namespace logquery::shim
