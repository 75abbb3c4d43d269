// Golden cases: data files of inputs and what is made of them, both for people to read.
//
//     [a title]
//     @interval = hourly          parameters' texts, where the input has some
//     SELECT …
//     --
//     what it becomes
//     ==
//
// Lines that begin with # before the first case are the file's comment. With LOGQUERY_UPDATE_GOLDEN=1 in the environment the
// second parts are written anew: read the difference before committing it.
#ifndef LOGQUERY_TESTS_SUPPORT_GOLDEN_H_
#define LOGQUERY_TESTS_SUPPORT_GOLDEN_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace logquery::testing {

struct GoldenCase {
  std::string title;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string input;
  std::string expected;
};

struct GoldenResult {
  std::string title;
  std::string expected;
  std::string actual;
};

// Runs `make` on every case of tests/testdata/PATH, and gives what is to be compared.
std::vector<GoldenResult> RunGolden(const std::string& path, const std::function<std::string(const GoldenCase&)>& make);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_GOLDEN_H_
