// Writes XML with escapes for characters that XML 1.0 does not allow.
#include "shim/cli/query/junit.h"

#include <cstdio>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::shim {
namespace {

// XML 1.0 has no form for most control characters.
std::string Escaped(std::string_view text) {
  std::string valid, escaped;
  base::AppendValidUtf8(text, valid);
  for (const char c : valid) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '\n') {
      escaped += "&#10;";
    } else {
      escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

std::string Seconds(absl::Duration time) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6f", absl::ToDoubleSeconds(time));
  return text;
}

}  // namespace

std::string JUnitXml(const std::vector<CaseOutcome>& outcomes) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (size_t begin = 0; begin < outcomes.size();) {
    size_t end = begin, failures = 0;
    for (; end < outcomes.size() && outcomes[end].suite == outcomes[begin].suite; ++end) {
      failures += outcomes[end].failure.empty() ? 0 : 1;
    }
    const std::string suite = Escaped(outcomes[begin].suite);
    base::StrAppend(&xml, "  <testsuite name=\"", suite, "\" tests=\"", end - begin, "\" failures=\"", failures,
                    "\">\n");
    for (; begin < end; ++begin) {
      const CaseOutcome& outcome = outcomes[begin];
      base::StrAppend(&xml, "    <testcase classname=\"", suite, "\" name=\"", Escaped(outcome.name), "\" time=\"",
                      Seconds(outcome.time), "\"");
      if (outcome.failure.empty()) {
        xml += "/>\n";
      } else {
        base::StrAppend(&xml, ">\n      <failure message=\"", Escaped(outcome.failure), "\"/>\n    </testcase>\n");
      }
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace logquery::shim
