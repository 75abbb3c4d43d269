#include "tests/sql/case_file.h"

#include <catch2/catch_all.hpp>
#include <cstdlib>
#include <fstream>

#include "lib/base/strings.h"
#include "tests/support/folders.h"

namespace logquery::sql {
namespace {

std::string PathOf(const std::string& file) { return testing::SourcePath("tests/testdata/sql/" + file); }

// The lines up to one that is `end`, joined.
std::string ReadUntil(std::istream& in, const std::string& end) {
  std::string text;
  std::string line;
  bool first = true;
  while (std::getline(in, line) && line != end) {
    if (!first) text += '\n';
    first = false;
    text += line;
  }
  return text;
}

void WriteCases(const std::string& file, const std::vector<FileCase>& cases) {
  std::ofstream out(PathOf(file));
  for (const FileCase& c : cases) {
    out << c.comment << "[" << c.name << "]\n" << c.input << "\n--\n" << c.output << "\n==\n";
  }
}

}  // namespace

std::vector<FileCase> ReadCases(const std::string& file) {
  std::ifstream in(PathOf(file));
  REQUIRE(in.is_open());
  std::vector<FileCase> cases;
  FileCase next;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line.front() != '[') {
      next.comment += line + "\n";
      continue;
    }
    next.name = line.substr(1, line.size() - 2);
    next.input = ReadUntil(in, "--");
    next.output = ReadUntil(in, "==");
    cases.push_back(std::move(next));
    next = {};
  }
  REQUIRE(!cases.empty());
  return cases;
}

void CheckCases(const std::string& file, const std::function<std::string(const std::string&)>& run) {
  const bool update = std::getenv("LOGQUERY_UPDATE_GOLDEN") != nullptr;
  std::vector<FileCase> cases = ReadCases(file);
  for (FileCase& c : cases) {
    INFO(file << ": " << c.name << "\n" << c.input);
    const std::string output = run(c.input);
    if (update) {
      c.output = output;
    } else {
      CHECK(output == c.output);
    }
  }
  if (update) WriteCases(file, cases);
}

}  // namespace logquery::sql
