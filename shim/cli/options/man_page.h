// Writes man pages of the commands, with the macros of man(7).
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_MAN_PAGE_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_MAN_PAGE_H_

#include <string>
#include <string_view>

#include "shim/cli/options/command_tree.h"

namespace logquery::shim {

// The version and its date for the footer of a page.
struct ManEdition {
  std::string version;  // "0.1.0"
  std::string date;     // "2026-11-23"
};

// Returns "logquery.1", or "logquery-load.1" for a command. A subcommand is on its command's page.
std::string ManPageName(const CommandNode& node);

// Returns the page of `node`, which is the root or one of its commands.
std::string ManPage(const CommandNode& root, const CommandNode& node, const ManEdition& edition);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_MAN_PAGE_H_
