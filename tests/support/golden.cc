#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "tests/support/folders.h"

namespace logquery::testing {
namespace {

struct File {
  std::string comment;
  std::vector<GoldenCase> cases;
};

void AddLine(std::string& text, const std::string& line) {
  if (!text.empty()) text += '\n';
  text += line;
}

void AddParameter(GoldenCase& to, const std::string& line) {
  const size_t equals = line.find('=');
  auto trimmed = [](const std::string& text) { return std::string(absl::StripAsciiWhitespace(text)); };
  to.parameters.emplace_back(trimmed(line.substr(1, equals - 1)), trimmed(line.substr(equals + 1)));
}

File Read(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("no golden file " + path);
  File file;
  enum { kBetween, kInput, kExpected } part = kBetween;
  for (std::string line; std::getline(in, line);) {
    if (part == kBetween && line.starts_with('[')) {
      file.cases.push_back({line.substr(1, line.size() - 2), {}, "", ""});
      part = kInput;
    } else if (part == kBetween) {
      if (file.cases.empty()) file.comment += line + "\n";
    } else if (part == kInput && line == "--") {
      part = kExpected;
    } else if (part == kExpected && line == "==") {
      part = kBetween;
    } else if (part == kInput && line.starts_with('@') && file.cases.back().input.empty()) {
      AddParameter(file.cases.back(), line);
    } else {
      AddLine(part == kInput ? file.cases.back().input : file.cases.back().expected, line);
    }
  }
  return file;
}

void Write(const std::string& path, const File& file, const std::vector<GoldenResult>& results) {
  std::ofstream out(path);
  out << file.comment;
  for (size_t i = 0; i < file.cases.size(); ++i) {
    if (i > 0) out << "\n";
    out << "[" << file.cases[i].title << "]\n";
    for (const auto& [name, value] : file.cases[i].parameters) out << "@" << name << " = " << value << "\n";
    out << file.cases[i].input << "\n--\n" << results[i].actual << "\n==\n";
  }
}

}  // namespace

std::vector<GoldenResult> RunGolden(const std::string& path,
                                    const std::function<std::string(const GoldenCase&)>& make) {
  const std::string full = testing::SourcePath(base::StrCat("tests/testdata/", path));
  const File file = Read(full);
  std::vector<GoldenResult> results;
  for (const GoldenCase& each : file.cases) results.push_back({each.title, each.expected, make(each)});
  const char* update = std::getenv("LOGQUERY_UPDATE_GOLDEN");
  if (update == nullptr || std::string(update) != "1") return results;
  Write(full, file, results);
  for (GoldenResult& result : results) result.expected = result.actual;
  return results;
}

}  // namespace logquery::testing
