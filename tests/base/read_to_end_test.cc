#include "lib/base/read_to_end.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace logquery::base {
namespace {

TEST_CASE("a stream is read to its end, whatever its length") {
  for (const size_t length : {size_t{0}, size_t{1}, size_t{65'535}, size_t{65'536}, size_t{65'537}, size_t{300'000}}) {
    std::string text(length, 'a');
    if (length > 2) text[length / 2] = '\0';
    std::istringstream in(text);
    CHECK(ReadToEnd(in).value() == text);
  }
}

TEST_CASE("a folder, and a file that is absent, are errors of reading") {
  std::ifstream folder(std::filesystem::temp_directory_path(), std::ios::binary);
  CHECK(absl::IsNotFound(ReadToEnd(folder).status()));
  std::ifstream absent("no-such-file", std::ios::binary);
  CHECK(absl::IsNotFound(ReadToEnd(absent).status()));
}

}  // namespace
}  // namespace logquery::base
