// The pages of the documentation as text, and their commands run.
#ifndef LOGQUERY_TESTS_DOCS_PAGES_H_
#define LOGQUERY_TESTS_DOCS_PAGES_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace logquery {

// `page` is relative to the source: "docs/http.md".
std::string ReadPage(const std::filesystem::path& page);

// The ```sh blocks of a page, one after another.
std::string CommandsOf(const std::string& page);

std::string FreePort();

struct Outcome {
  int status;
  std::string output;
};

Outcome RunCommand(const std::string& command);

// Runs commands in an empty folder, with logquery on the path and a free port in place of 4000. `name` is the folder's.
Outcome RunScript(std::string name, std::string commands);

}  // namespace logquery

#endif  // LOGQUERY_TESTS_DOCS_PAGES_H_
