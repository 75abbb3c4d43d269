// The version of logquery, and the notices of the software that it contains.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_VERSION_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_VERSION_H_

#include <string>
#include <string_view>

namespace logquery::shim {

// Returns "0.1.0", or "0.1.0 (revision 1234abcd)" if the build had its revision. Contains no time, so that two builds
// of one revision are equal.
std::string VersionText();

// Returns "0.1.0", and the date of that version: "2026-11-23".
std::string PlainVersion();
std::string ReleaseDate();

// Returns the notices and licences of all third-party software that this program contains or links.
std::string_view Notices();

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_VERSION_H_
