// The console's files, shim/web/*, compiled in. The build makes their source by cmake/EmbedFiles.cmake.
#ifndef LOGQUERY_SHIM_HTTP_ABOUT_WEB_FILES_H_
#define LOGQUERY_SHIM_HTTP_ABOUT_WEB_FILES_H_

#include <string_view>
#include <vector>

namespace logquery::shim {

// The content of the file of this base name, empty if there is none.
std::string_view EmbeddedFile(std::string_view name);
std::vector<std::string_view> EmbeddedFileNames();

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ABOUT_WEB_FILES_H_
