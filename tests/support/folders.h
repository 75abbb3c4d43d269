// The folders of the source tree and of the build. Only folders.cc holds their paths, so that ccache can serve all other files of
// the tests to every clone.
#ifndef LOGQUERY_TESTS_SUPPORT_FOLDERS_H_
#define LOGQUERY_TESTS_SUPPORT_FOLDERS_H_

#include <string>
#include <string_view>

namespace logquery::testing {

// The absolute path of a file of the source tree: SourcePath("docs/http.md"). An empty path is the tree's own folder.
std::string SourcePath(std::string_view path);

// The same in the build's folder: BuildPath("bin/logquery").
std::string BuildPath(std::string_view path);

// Paths at which scripts/bootstrap puts chDB's library and the program promtool; they need not exist.
std::string ChdbLibrary();
std::string PromtoolPath();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_FOLDERS_H_
