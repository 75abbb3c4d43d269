// The only file that is compiled with the revision, so that a new one recompiles nothing else.
#include "shim/cli/options/version.h"

#include "lib/base/strings.h"
#include "logquery/version.h"
#include "shim/cli/options/program_files.h"

#ifndef LOGQUERY_REVISION
#define LOGQUERY_REVISION ""
#endif
#ifndef LOGQUERY_RELEASE_DATE
#define LOGQUERY_RELEASE_DATE "1970-01-01"
#endif

namespace logquery::shim {

std::string VersionText() {
  constexpr std::string_view kRevision = LOGQUERY_REVISION;
  if (kRevision.empty()) return LOGQUERY_VERSION_STRING;
  return base::StrCat(LOGQUERY_VERSION_STRING, " (revision ", kRevision, ")");
}

std::string PlainVersion() { return LOGQUERY_VERSION_STRING; }

std::string ReleaseDate() { return LOGQUERY_RELEASE_DATE; }

std::string_view Notices() { return program::EmbeddedFile("THIRD_PARTY_NOTICES"); }

}  // namespace logquery::shim
