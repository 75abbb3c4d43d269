// Which version of logquery this is, and whose software is in it.
#ifndef LOGQUERY_SHIM_COMMAND_VERSION_H_
#define LOGQUERY_SHIM_COMMAND_VERSION_H_

#include <string>
#include <string_view>

namespace logquery::shim {

// "0.1.0", or "0.1.0 (revision 1234abcd)" where the build was told its revision. Never a time: two builds of one revision
// say the same.
std::string VersionText();

// "0.1.0", and the day of that version: "2026-11-23".
std::string PlainVersion();
std::string ReleaseDate();

// The third parties' notices with their licences, of what this program contains or links.
std::string_view Notices();

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_VERSION_H_
