#include "tests/support/folders.h"

namespace logquery::testing {
namespace {

std::string Join(std::string_view folder, std::string_view path) {
  std::string joined(folder);
  if (!path.empty()) joined.append("/").append(path);
  return joined;
}

}  // namespace

std::string SourcePath(std::string_view path) { return Join(LOGQUERY_SOURCE_DIR, path); }

std::string BuildPath(std::string_view path) { return Join(LOGQUERY_BINARY_DIR, path); }

std::string ChdbLibrary() { return LOGQUERY_CHDB_LIBRARY; }

std::string PromtoolPath() { return LOGQUERY_PROMTOOL; }

}  // namespace logquery::testing
