// The command new: writes an initial definition that passes check and runs unchanged.
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/folder/sample/sample_text.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/reporting.h"

namespace logquery::shim {
namespace {

constexpr std::string_view kSettings = R"({
  "id": "@ID@",
  "name": "@NAME@",
  "description": "Requests of one project by status code, for the newest days.",
  "max_rows": 1000,
  "caching": 60,
  "query_sandboxing": false,
  "redact_pii": false,
  "parameters": [
    {"name": "project", "type": "STRING", "required": true, "description": "Project reference: only its rows are read."},
    {"name": "period", "type": "ENUM", "allowed": ["1day", "7days"], "default": "1day", "examples": ["7days"],
     "description": "How far back requests are counted."},
    {"name": "statuses", "type": "ARRAY<INT64>", "description": "Only these status codes; all of them without it.",
     "examples": ["500,502"]},
    {"name": "period_start", "computed": {"by": "window_start", "from": "period", "windows": {"1day": 86400, "7days": 604800}}}
  ]
}
)";

constexpr std::string_view kQuery = R"(-- @NAME@: requests of one project by status code.
--
-- The query is in the BigQuery dialect. @NAME@.json beside it has the settings:
--   max_rows           rows of an answer at most; an answer that is cut says so
--   caching            seconds that an answer is given again, or "disabled"; cache_warming makes it anew meanwhile
--   query_sandboxing   true: callers may send SQL of their own over this query's WITH entries (private_ctes hides some)
--   redact_pii         true: IP addresses are REDACTED in every answer
--   parameters         each @name of the query. Callers send texts, which are bound as values of these types, and never
--                      pasted. Without a value a parameter is its default, or NULL. A computed one is the service's.
-- `logquery check` finds what is wrong, `logquery test` runs the cases of @NAME@.cases.json.
SELECT
  response.status_code AS status_code,
  COUNT(*) AS requests,
  MAX(t.timestamp) AS newest
FROM `cloudflare.logs.prod` AS t
CROSS JOIN UNNEST(t.metadata) AS m
CROSS JOIN UNNEST(m.response) AS response
WHERE t.project = @project
  AND t.timestamp >= @period_start
  AND (@statuses IS NULL OR response.status_code IN UNNEST(@statuses))
GROUP BY status_code
ORDER BY requests DESC, status_code
)";

constexpr std::string_view kCases = R"({
  "now": "2026-01-15T12:00:00Z",
  "rows": {
    "edge_logs": [
      {"id": "a", "timestamp": "2026-01-15T11:00:00Z", "project": "one", "event_message": "GET /",
       "metadata": {"response": {"status_code": 200}}},
      {"id": "b", "timestamp": "2026-01-15T11:30:00Z", "project": "one", "event_message": "GET /",
       "metadata": {"response": {"status_code": 500}}},
      {"id": "c", "timestamp": "2026-01-15T11:30:00Z", "project": "another", "event_message": "GET /",
       "metadata": {"response": {"status_code": 500}}}
    ]
  },
  "cases": [
    {
      "name": "requests are counted by status code",
      "parameters": {"project": "one"},
      "result": [
        {"status_code": 200, "requests": 1, "newest": 1768474800000000},
        {"status_code": 500, "requests": 1, "newest": 1768476600000000}
      ]
    },
    {
      "name": "only some status codes",
      "parameters": {"project": "one", "statuses": "500,502"},
      "result": [{"status_code": 500, "requests": 1, "newest": 1768476600000000}]
    },
    {
      "name": "the project has to be named",
      "parameters": {},
      "error": {"status": "INVALID_ARGUMENT", "message": "parameter project is missing"}
    }
  ]
}
)";

// Random, of version 4 (RFC 9562).
absl::StatusOr<std::string> NewId() {
  uint64_t random[2] = {};
  if (getrandom(random, sizeof(random), 0) != sizeof(random)) {
    return absl::UnavailableError(
        base::StrCat("the system gives no random number: ", std::string_view(strerror(errno))));
  }
  random[0] = (random[0] & ~uint64_t{0xF000}) | 0x4000;
  random[1] = (random[1] & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  std::string digits = Concat(Hex{random[0], 16}, Hex{random[1], 16});
  for (const size_t dash : {20, 16, 12, 8}) digits.insert(dash, "-");
  return digits;
}

absl::Status CheckName(const std::string& name) {
  constexpr size_t kLongest = 100;
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '.' || c == '-' || c == '_';
  });
  if (plain && !name.empty() && name.size() <= kLongest && name.front() != '.' && name.front() != '-') {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(base::StrCat(
      "a definition's name is 1 to 100 letters, digits, dots, - and _, and begins with none of . and -; is ",
      base::QuotedText(name)));
}

std::string Filled(std::string_view text, const std::string& name, const std::string& id) {
  std::string filled(text);
  for (const auto& [mark, value] : {std::pair<std::string_view, const std::string&>("@NAME@", name), {"@ID@", id}}) {
    for (size_t at = filled.find(mark); at != filled.npos; at = filled.find(mark, at + value.size())) {
      filled.replace(at, mark.size(), value);
    }
  }
  return filled;
}

// AlreadyExists: the file is there; it stays as it is.
absl::Status WriteNew(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 && errno == EEXIST) return absl::AlreadyExistsError(base::StrCat(path, " is there already; it stays"));
  if (fd < 0)
    return absl::UnavailableError(base::StrCat("can't write ", path, ": ", std::string_view(strerror(errno))));
  const ssize_t written = write(fd, text.data(), text.size());
  const bool whole = written == static_cast<ssize_t>(text.size());
  if (close(fd) == 0 && whole) return absl::OkStatus();
  unlink(path.c_str());
  return absl::UnavailableError(base::StrCat("can't write ", path, ": the disk may be full"));
}

// The paths of the files that were written.
absl::StatusOr<std::vector<std::string>> WriteAll(const NewArguments& arguments) {
  LOGQUERY_RETURN_IF_ERROR(CheckName(arguments.name));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string id, NewId());
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (error)
    return absl::UnavailableError(base::StrCat("can't make the folder ", arguments.folder, ": ", error.message()));
  const std::string stem = arguments.folder + "/" + arguments.name;
  const std::pair<const char*, std::string_view> files[] = {
      {".json", kSettings}, {".sql", kQuery}, {".cases.json", kCases}};
  for (const auto& [end, text] : files) {
    // None is written where one is there.
    if (std::filesystem::exists(stem + end, error)) {
      return absl::AlreadyExistsError(base::StrCat(stem, std::string_view(end), " is there already; it stays"));
    }
  }
  std::vector<std::string> written;
  for (const auto& [end, text] : files) {
    LOGQUERY_RETURN_IF_ERROR(WriteNew(stem + end, Filled(text, arguments.name, id)));
    written.push_back(stem + end);
  }
  return written;
}

}  // namespace

int RunNew(const NewArguments& arguments, const Terminal& terminal) {
  const absl::StatusOr<std::vector<std::string>> written = WriteAll(arguments);
  if (!written.ok()) return Fail(terminal, written.status());
  PrintReport(arguments.reporting, base::Join(*written, "\n"), {{"files", *written}}, terminal);
  return kExitOk;
}

}  // namespace logquery::shim
