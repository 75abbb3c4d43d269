// Prints JSON on one line, so that a program can read the output line by line.
#include "shim/cli/options/reporting.h"

#include "lib/base/json/value.h"

namespace logquery::shim {

void PrintReport(const Reporting& reporting, std::string_view text, const base::Json& json, const Terminal& terminal) {
  if (reporting.quiet) return;
  if (reporting.json) {
    terminal.out << json.ToString() << "\n";
  } else {
    terminal.out << text << "\n";
  }
}

}  // namespace logquery::shim
