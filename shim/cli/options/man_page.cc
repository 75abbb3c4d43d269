// Formats the command tree with roff escapes.
#include "shim/cli/options/man_page.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// The code point that `text` begins with, and its length in bytes; the tables of this program are valid UTF-8.
std::pair<uint32_t, size_t> CodePoint(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  if (byte(0) >= 0xE0 && byte(0) < 0xF0 && text.size() >= 3) {
    return {(byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  }
  if (byte(0) >= 0xC0 && byte(0) < 0xE0 && text.size() >= 2) return {(byte(0) & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  return {byte(0), 1};
}

// Text as roff reads it: nothing of it is a request, and hyphens can be copied.
std::string Roff(std::string_view text) {
  std::string made;
  bool line_begins = true;
  while (!text.empty()) {
    const auto [point, length] = CodePoint(text);
    const char c = text.front();
    if (line_begins && (c == '.' || c == '\'')) made += "\\&";
    if (length > 1) {
      std::array<char, 16> escape;
      std::snprintf(escape.data(), escape.size(), "\\[u%04X]", static_cast<unsigned>(point));
      made += escape.data();
    } else if (c == '\\') {
      made += "\\e";
    } else if (c == '-') {
      made += "\\-";
    } else if (c == '\'') {
      made += "\\(aq";
    } else if (c == '`') {
      made += "\\(ga";
    } else if (c == '^') {
      made += "\\(ha";
    } else if (c == '~') {
      made += "\\(ti";
    } else {
      made += c;
    }
    line_begins = c == '\n';
    text.remove_prefix(length);
  }
  return made;
}

std::string Sentence(std::string_view text) {
  std::string made = Roff(text);
  if (!made.empty() && made.back() != '.') made += ".";
  return made;
}

// The first sentence without its full stop, as the NAME line has it.
std::string ShortSummary(std::string_view summary) {
  summary = summary.substr(0, summary.find(". "));
  if (!summary.empty() && summary.back() == '.') summary.remove_suffix(1);
  std::string made(summary);
  if (made.size() > 1 && absl::ascii_islower(static_cast<unsigned char>(made[1]))) {
    made[0] = absl::ascii_tolower(static_cast<unsigned char>(made[0]));
  }
  return Roff(made);
}

void AddArguments(const std::vector<CommandArgument>& arguments, std::string* page) {
  for (const CommandArgument& argument : arguments) {
    const bool help = argument.name == "--help";
    base::StrAppend(page, ".TP\n");
    if (argument.name.rfind("--", 0) != 0) {
      base::StrAppend(page, "\\fI", Roff(argument.value), "\\fR\n");
    } else {
      base::StrAppend(page, "\\fB", Roff(argument.name), "\\fR");
      if (!argument.value.empty()) base::StrAppend(page, " \\fI", Roff(argument.value), "\\fR");
      base::StrAppend(page, "\n");
    }
    base::StrAppend(page, help ? "Prints the help of the command." : Sentence(argument.help));
    if (!argument.fallback.empty() && argument.help.find("(default") == std::string::npos) {
      base::StrAppend(page, " Default: ", Roff(argument.fallback), ".");
    }
    if (argument.required) base::StrAppend(page, " Required.");
    base::StrAppend(page, "\n");
  }
}

// The footer's lines: a line that is indented is shown as it is.
void AddFooter(std::string_view footer, std::string* page) {
  bool literal = false;
  for (const absl::string_view line : absl::StrSplit(absl::string_view(footer.data(), footer.size()), '\n')) {
    const bool indented = !line.empty() && line.front() == ' ';
    if (indented != literal) base::StrAppend(page, indented ? ".PP\n.RS 4\n.nf\n" : ".fi\n.RE\n");
    // A section's head begins a paragraph itself.
    const bool after_head = page->size() > 10 && page->compare(page->size() - 10, 10, ".SH NOTES\n") == 0;
    if (!indented && !line.empty() && !after_head) base::StrAppend(page, ".PP\n");
    literal = indented;
    if (!line.empty()) base::StrAppend(page, Roff(base::ToStd(absl::StripLeadingAsciiWhitespace(line))), "\n");
  }
  if (literal) base::StrAppend(page, ".fi\n.RE\n");
}

void AddSynopsis(const CommandNode& node, std::string* page) {
  base::StrAppend(page, ".B logquery", node.path.empty() ? "" : " ", Roff(node.path), "\n");
  std::string rest = node.options.empty() ? "" : "[\\fIOPTION\\fR]\\[u2026]";
  if (!node.commands.empty()) rest = "\\fICOMMAND\\fR [\\fIOPTION\\fR]\\[u2026]";
  for (const CommandArgument& argument : node.positionals) {
    const std::string name = base::StrCat("\\fI", Roff(argument.value), "\\fR");
    base::StrAppend(&rest, rest.empty() ? "" : " ", argument.required ? name : base::StrCat("[", name, "]"));
  }
  base::StrAppend(page, rest, rest.empty() ? "" : "\n");
}

void AddCommand(const CommandNode& node, std::string* page) {
  base::StrAppend(page, ".SH SYNOPSIS\n");
  AddSynopsis(node, page);
  base::StrAppend(page, ".SH DESCRIPTION\n", Sentence(node.summary), "\n");
  if (node.commands.empty()) {
    base::StrAppend(page, ".SH OPTIONS\n");
    AddArguments(node.positionals, page);
    AddArguments(node.options, page);
  }
  for (const CommandNode& command : node.commands) {
    base::StrAppend(page, ".SH ", absl::AsciiStrToUpper(command.path), "\n");
    AddSynopsis(command, page);
    base::StrAppend(page, ".PP\n", Sentence(command.summary), "\n");
    AddArguments(command.positionals, page);
    AddArguments(command.options, page);
    AddFooter(command.footer, page);
  }
  if (!node.footer.empty()) {
    base::StrAppend(page, ".SH NOTES\n");
    AddFooter(node.footer, page);
  }
}

void AddProgram(const CommandNode& root, std::string* page) {
  base::StrAppend(page, ".SH SYNOPSIS\n");
  AddSynopsis(root, page);
  base::StrAppend(
      page, ".br\n.B logquery \\-\\-version\n[\\fB\\-\\-notices\\fR]\n.SH DESCRIPTION\n",
      "logquery answers saved, parameterised log queries, written in the BigQuery dialect, from a folder of logs or "
      "from an engine elsewhere.\n.SH COMMANDS\n");
  for (const CommandNode& command : root.commands) {
    base::StrAppend(page, ".TP\n\\fB", Roff(command.path), "\\fR\n", Sentence(command.summary), "\n");
  }
  base::StrAppend(
      page,
      ".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nThe command failed; the reason is on standard error.\n"
      ".TP\n2\nThe command line is wrong.\n.TP\n3\nThe command completed and found a problem: load, import: some rows "
      "or endpoints were rejected; erase: unread rows may remain; doctor: a problem; diff: a change that may make "
      "calls "
      "fail; test: a failed case.\n.TP\n4\nserve: the process exceeded its memory limit although queries were "
      "cancelled.\n"
      ".SH ENVIRONMENT\n.TP\nLOGQUERY_\\fIKEY\\fR\nThe setting \\fIkey\\fR of serve; an option takes precedence over "
      "it. logquery config print shows each setting and where its value comes from.\n.TP\nNO_COLOR\nIf it is set, no "
      "output has colours.\n");
}

}  // namespace

std::string ManPageName(const CommandNode& node) {
  if (node.path.empty()) return "logquery.1";
  return base::StrCat("logquery-", node.path, ".1");
}

std::string ManPage(const CommandNode& root, const CommandNode& node, const ManEdition& edition) {
  const std::string name = ManPageName(node).substr(0, ManPageName(node).size() - 2);
  std::string page = base::StrCat(".TH ", absl::AsciiStrToUpper(name), " 1 ", edition.date, " \"logquery ",
                                  edition.version, "\" \"logquery\"\n.SH NAME\n", Roff(name), " \\- ",
                                  node.path.empty() ? "answers saved log queries" : ShortSummary(node.summary), "\n");
  if (node.path.empty()) {
    AddProgram(root, &page);
  } else {
    AddCommand(node, &page);
  }
  base::StrAppend(&page, ".SH SEE ALSO\n");
  if (!node.path.empty()) base::StrAppend(&page, ".BR logquery (1)\n");
  for (const CommandNode& command : root.commands) {
    if (!node.path.empty()) break;
    const std::string file = ManPageName(command);
    base::StrAppend(&page, ".BR ", Roff(file.substr(0, file.size() - 2)), " (1)",
                    &command == &root.commands.back() ? "" : ",", "\n");
  }
  return page;
}

}  // namespace logquery::shim
