// Reads the headers with which a server describes its rows.
#include "shim/cli/query/http_answer.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"
#include "logquery/type.h"
#include "shim/cli/query/json_table.h"

namespace logquery::shim {
namespace {

// "id:STRING,timestamp:TIMESTAMP": of the types only what a table shows differently matters.
Schema ParseColumns(std::string_view list) {
  Schema schema;
  while (!list.empty()) {
    const std::string_view column = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), column.size() + 1));
    const size_t colon = column.find(':');
    const absl::StatusOr<std::string> name = base::PercentDecode(column.substr(0, colon), false);
    const std::string_view kind = colon == column.npos ? "" : column.substr(colon + 1);
    schema.push_back({name.ok() ? *name : std::string(column), ShownTypeNamed(kind)});
  }
  return schema;
}

}  // namespace

std::string ResponseHeader(const ServerResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (base::EqualsIgnoreCase(key, name)) return value;
  }
  return "";
}

int PrintHttpRows(const ServerResponse& response, std::string_view format, const Terminal& terminal) {
  if (format != "table") {
    PrintBody(response.body, terminal);
    return kExitOk;
  }
  // An answer of very many columns does not list them.
  const absl::Status printed =
      PrintJsonTable(response.body, ParseColumns(ResponseHeader(response, "Logquery-Columns")), terminal);
  return printed.ok() ? kExitOk : Fail(terminal, printed);
}

void PrintHttpNotes(const ServerResponse& response, const Terminal& terminal) {
  if (!ResponseHeader(response, "Logquery-Truncated").empty()) {
    terminal.err << "logquery: there are more rows than the endpoint's max rows\n";
  }
  if (const std::string cursor = ResponseHeader(response, "Logquery-Cursor"); !cursor.empty()) {
    terminal.err << "logquery: for the rows after these: cursor=" << cursor << "\n";
  }
  if (const std::string ignored = ResponseHeader(response, "Logquery-Ignored-Parameters"); !ignored.empty()) {
    terminal.err << "logquery: the endpoint has no parameter " << ignored << "; ignored\n";
  }
}

}  // namespace logquery::shim
