// The contract's data files, compiled into the library (cmake/EmbedFiles.cmake).
#ifndef LOGQUERY_LIB_TESTING_CONTRACT_FILES_H_
#define LOGQUERY_LIB_TESTING_CONTRACT_FILES_H_

#include <string_view>
#include <vector>

namespace logquery::testing {

// The content of the file of this base name, empty if there is none; it lives as long as the process.
std::string_view EmbeddedFile(std::string_view name);
std::vector<std::string_view> EmbeddedFileNames();

}  // namespace logquery::testing

#endif  // LOGQUERY_LIB_TESTING_CONTRACT_FILES_H_
