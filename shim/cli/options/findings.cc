// Prints a finding line by line.
#include "shim/cli/options/findings.h"

#include <utility>

#include "lib/base/strings.h"

namespace logquery::shim {

void PrintFinding(const endpoint::Finding& finding, std::ostream& err) { err << endpoint::FindingText(finding); }

int PrintFindings(const endpoint::DefinitionCheck& check, std::ostream& err) {
  int counts[3] = {};
  for (const endpoint::Finding& finding : check.findings) {
    PrintFinding(finding, err);
    ++counts[static_cast<int>(finding.kind)];
  }
  const auto [errors, warnings, notes] = counts;
  if (check.endpoints == nullptr) {
    err << "logquery: " << errors << (errors == 1 ? " error" : " errors") << AlsoWarnings(warnings) << "\n";
  }
  return warnings;
}

base::Json FindingsJson(const std::vector<endpoint::Finding>& findings) {
  constexpr const char* kKinds[] = {"error", "warning", "note"};
  base::Json list = base::Json::array();
  for (const endpoint::Finding& finding : findings) {
    base::Json one = {{"file", finding.file},
                      {"line", finding.line},
                      {"column", finding.column},
                      {"kind", kKinds[static_cast<int>(finding.kind)]},
                      {"message", finding.message}};
    if (!finding.snippet.empty()) one["snippet"] = finding.snippet;
    list.push_back(std::move(one));
  }
  return list;
}

std::string AlsoWarnings(int warnings) {
  return warnings == 0 ? "" : base::StrCat(", ", warnings, warnings == 1 ? " warning" : " warnings");
}

}  // namespace logquery::shim
