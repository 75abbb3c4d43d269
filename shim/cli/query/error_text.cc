// Takes message and snippet out of an error's body.
#include "shim/cli/query/error_text.h"

#include <string>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "shim/observe/display.h"

namespace logquery::shim {

void PrintErrorOf(std::string_view body, std::string_view format, const Terminal& terminal) {
  // Whoever reads the other formats expects no JSON among them.
  const bool is_json = format == "json" || format == "ndjson" || format == "json-rows";
  if (is_json) return PrintBody(body, terminal);
  const auto json = base::ParseJson("the error", body);
  // Of a proxy in between, say.
  if (!json.ok() || !json->contains("error") || !(*json)["error"].is_object()) return PrintBody(body, terminal);
  const auto& error = (*json)["error"];
  const std::string message = error.value("message", "");
  terminal.err << Painted(terminal.colours && terminal.err_is_terminal, Colour::kRed, "logquery:") << " " << message
               << "\n";
  const auto details = error.find("details");
  const bool has_snippet = details != error.end() && details->is_object() && details->contains("snippet");
  if (has_snippet) terminal.err << details->value("snippet", "") << "\n";
}

}  // namespace logquery::shim
