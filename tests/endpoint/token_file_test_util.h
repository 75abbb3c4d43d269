// A temporary folder for token files, and their text.
#ifndef LOGQUERY_TESTS_ENDPOINT_TOKEN_FILE_TEST_UTIL_H_
#define LOGQUERY_TESTS_ENDPOINT_TOKEN_FILE_TEST_UTIL_H_

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace logquery::token_file_tests {

// A folder of its own, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "logquery-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace logquery::token_file_tests

#endif  // LOGQUERY_TESTS_ENDPOINT_TOKEN_FILE_TEST_UTIL_H_
