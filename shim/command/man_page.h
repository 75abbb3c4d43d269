// Man pages of the commands, in the macros of man(7).
#ifndef LOGQUERY_SHIM_COMMAND_MAN_PAGE_H_
#define LOGQUERY_SHIM_COMMAND_MAN_PAGE_H_

#include <string>
#include <string_view>

#include "shim/command/command_tree.h"

namespace logquery::shim {

// The version and its date, as the foot of a page shows them.
struct ManEdition {
  std::string version;  // "0.1.0"
  std::string date;     // "2026-11-23"
};

// "logquery.1", or "logquery-load.1" for a command. A command of a command stands on that one's page.
std::string ManPageName(const CommandNode& node);

// The page of `node`, which is the root or one of its commands.
std::string ManPage(const CommandNode& root, const CommandNode& node, const ManEdition& edition);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_MAN_PAGE_H_
