// Files that are compiled into the program: THIRD_PARTY_NOTICES, the fixed parts of typed clients, and the templates of `new`. The
// build makes their source by cmake/EmbedFiles.cmake.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_PROGRAM_FILES_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_PROGRAM_FILES_H_

#include <string_view>
#include <vector>

namespace logquery::shim::program {

// The content of the file of this base name, empty if there is none.
std::string_view EmbeddedFile(std::string_view name);
std::vector<std::string_view> EmbeddedFileNames();

}  // namespace logquery::shim::program

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_PROGRAM_FILES_H_
