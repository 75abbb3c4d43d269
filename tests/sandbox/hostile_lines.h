// The lines of tests/testdata/sandbox/hostile.txt, written out: most of the texts are too long to stand there as they are.
//
//     WrittenOut("select {{3|, |n + #}}") == "select n + 1, n + 2, n + 3"
#ifndef LOGQUERY_TESTS_SANDBOX_HOSTILE_LINES_H_
#define LOGQUERY_TESTS_SANDBOX_HOSTILE_LINES_H_

#include <cstdlib>
#include <string>
#include <string_view>

#include "absl/strings/str_replace.h"

namespace logquery::testing {

// Returns the line with each `{{COUNT|SEPARATOR|TEXT}}` replaced by COUNT copies of TEXT, in which `#` is 1, 2, 3 …
inline std::string WrittenOut(std::string_view line) {
  std::string out;
  for (size_t open = line.find("{{"); open != std::string_view::npos; open = line.find("{{")) {
    const size_t separator = line.find('|', open);
    const size_t text = line.find('|', separator + 1);
    const size_t close = line.find("}}", text);
    if (separator == std::string_view::npos || text == std::string_view::npos || close == std::string_view::npos) break;
    out += line.substr(0, open);
    const int count = std::atoi(std::string(line.substr(open + 2, separator - open - 2)).c_str());
    for (int i = 1; i <= count; ++i) {
      if (i > 1) out += line.substr(separator + 1, text - separator - 1);
      out += absl::StrReplaceAll(std::string(line.substr(text + 1, close - text - 1)), {{"#", std::to_string(i)}});
    }
    line.remove_prefix(close + 2);
  }
  out += line;
  return out;
}

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SANDBOX_HOSTILE_LINES_H_
