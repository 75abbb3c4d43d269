// Prints JSON on one line, so that a program can read the output line by line.
#include "shim/cli/options/reporting.h"

#include "nlohmann/json.hpp"

namespace logquery::shim {

void PrintReport(const Reporting& reporting, std::string_view text, const nlohmann::ordered_json& json,
                 const Terminal& terminal) {
  if (reporting.quiet) return;
  if (reporting.json) {
    terminal.out << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
  } else {
    terminal.out << text << "\n";
  }
}

}  // namespace logquery::shim
