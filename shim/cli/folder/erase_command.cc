// `logquery erase`: has the folder's server remove a project, or does so itself, and says what went and what it did not read.
#include <optional>
#include <string>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

using base::Json;

constexpr int kMaxName = 200;

// Erases through the server that holds the folder, or in the folder itself.
absl::StatusOr<std::string> Erase(const EraseArguments& arguments) {
  if (arguments.project.empty()) return absl::InvalidArgumentError("--project is empty; it names the project to erase");
  if (!base::IsValidUtf8(arguments.project)) return absl::InvalidArgumentError("--project is not UTF-8");
  HttpRequest request;
  request.method = "POST";
  request.path = "/erase";
  request.headers = {{"Content-Type", "application/json"}};
  request.body = Json{{"project", arguments.project}, {"dry_run", arguments.dry_run}}.ToString();
  if (std::optional<absl::StatusOr<std::string>> answer = AskOwner(arguments.data, request)) return *std::move(answer);
  return EraseInFolder(arguments.data, {arguments.project, arguments.dry_run});
}

std::string Counted(int64_t count, const char* one, const char* many) {
  return base::StrCat(WithCommas(count), " ", count == 1 ? one : many);
}

// The report's numbers of the project.
struct Numbers {
  explicit Numbers(const Json& report)
      : rows(report.value("rows", int64_t{0})),
        rejected(report.value("rejected_rows", int64_t{0})),
        keys(report.value("idempotency_keys", int64_t{0})) {
    const Json not_read = report.value("not_read", Json::object());
    unknown = not_read.value("rejected_rows_of_no_project", int64_t{0});
    waiting = not_read.value("spool_files_waiting", int64_t{0});
    waiting_bytes = not_read.value("spool_bytes_waiting", int64_t{0});
    failed = not_read.value("spool_files_failed", int64_t{0});
  }
  bool any() const { return rows + rejected + keys > 0; }
  bool any_not_read() const { return unknown + waiting + failed > 0; }

  int64_t rows, rejected, keys;
  int64_t unknown, waiting, waiting_bytes, failed;
};

void PrintWhatWent(const Json& report, const Numbers& numbers, const EraseArguments& arguments, std::ostream& out) {
  const std::string project = OneLine(arguments.project, kMaxName);
  const Json tables = report.value("tables", Json::array());
  for (const Json& table : tables) {
    const std::string log = table.value("log", "");
    out << "  " << (log.empty() ? table.value("table", "") : log) << ": "
        << Counted(table.value("rows", int64_t{0}), "row", "rows") << "\n";
  }
  out << Counted(numbers.rows, "row", "rows") << ", " << Counted(numbers.rejected, "rejected row", "rejected rows")
      << " and " << Counted(numbers.keys, "idempotency key", "idempotency keys") << " of project " << project
      << (arguments.dry_run ? " would be removed" : " are removed") << "\n";
}

void PrintWhatMayBeLeft(const Numbers& numbers, const EraseArguments& arguments, std::ostream& err) {
  if (numbers.waiting > 0) {
    err << "not read: " << Counted(numbers.waiting, "file waits", "files wait") << " in " << arguments.data
        << "/spool (" << BytesText(numbers.waiting_bytes) << "); run erase again when "
        << (numbers.waiting == 1 ? "it is" : "they are") << " loaded\n";
  }
  if (numbers.failed > 0) {
    err << "not read: " << Counted(numbers.failed, "file", "files") << " that could not be loaded, in "
        << arguments.data << "/spool/.failed; look into " << (numbers.failed == 1 ? "it" : "them")
        << ", and remove what is of the project\n";
  }
  if (numbers.unknown > 0) {
    err << "kept: " << Counted(numbers.unknown, "rejected row", "rejected rows")
        << " from which no project can be read, in " << arguments.data << "/rejected\n";
  }
}

}  // namespace

int RunErase(const EraseArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::string> report = Erase(arguments);
  if (!report.ok()) return Fail(terminal, report.status());
  const absl::StatusOr<Json> json = base::ParseJson("the report", *report);
  if (!json.ok()) return Fail(terminal, json.status());
  const Numbers numbers(*json);
  if (arguments.format == "json") terminal.out << *report << (terminal.out_is_terminal ? "\n" : "");
  if (arguments.format != "json" && numbers.any()) PrintWhatWent(*json, numbers, arguments, terminal.out);
  if (!numbers.any()) {
    terminal.err << "logquery: no rows of project " << OneLine(arguments.project, kMaxName) << " in " << arguments.data
                 << "; projects are compared letter by letter\n";
  }
  PrintWhatMayBeLeft(numbers, arguments, terminal.err);
  if (!numbers.any()) return kExitFailed;
  return numbers.any_not_read() ? kExitFindings : kExitOk;
}

}  // namespace logquery::shim
