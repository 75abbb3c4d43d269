// Takes message and snippet out of an error's body.
#include "shim/cli/query/error_text.h"

#include <string>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "shim/observe/display.h"

namespace logquery::shim {

void PrintErrorOf(std::string_view body, std::string_view format, const Terminal& terminal) {
  const bool is_for_people = format.empty() ? terminal.out_is_terminal : format != "json" && format != "json-rows";
  if (!is_for_people) return PrintBody(body, terminal);
  terminal.err << Painted(terminal.colours && terminal.err_is_terminal, Colour::kRed, "logquery:") << " ";
  const auto json = base::ParseJson("the error", body);
  if (!json.ok() || !json->is_object() || !json->contains("error") || !(*json)["error"].is_object()) {
    // The body is not the server's.
    terminal.err << body << "\n";
    return;
  }
  const auto& error = (*json)["error"];
  terminal.err << error.value("message", "") << "\n";
  const auto details = error.find("details");
  const bool has_snippet = details != error.end() && details->is_object() && details->contains("snippet");
  if (has_snippet) terminal.err << details->value("snippet", "") << "\n";
}

}  // namespace logquery::shim
