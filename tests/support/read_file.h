// Reads files, and the code blocks of documentation pages.
#ifndef LOGQUERY_TESTS_SUPPORT_READ_FILE_H_
#define LOGQUERY_TESTS_SUPPORT_READ_FILE_H_

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/folders.h"

namespace logquery::testing {

// Returns a file's bytes; none if it can't be read.
inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the code blocks of a documentation page, such as "docs/postgres.md", that are of this language and begin so.
inline std::vector<std::string> CodeBlocks(std::string_view page, std::string_view language,
                                           std::string_view begins = "") {
  const std::string text = ReadFile(SourcePath(page));
  const std::string open = "```" + std::string(language) + "\n";
  std::vector<std::string> blocks;
  for (size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    const size_t begin = at + open.size();
    std::string block = text.substr(begin, text.find("```", begin) - begin);
    if (block.starts_with(begins)) blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_READ_FILE_H_
