// A new log has the columns that every event has, and a record of metadata that further fields join as they are learned.
#include "lib/serving/store/new_sources.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/model/own_logs.h"
#include "logquery/error.h"

namespace logquery::serving {
namespace {

constexpr size_t kMaxName = 100;

// A letter or _, then also digits, . and -: such a name can be a folder's, a table's, and a part of a file's.
bool IsName(std::string_view name) {
  const auto may_begin = [](unsigned char c) { return absl::ascii_isalpha(c) || c == '_'; };
  return !name.empty() && name.size() <= kMaxName && may_begin(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(),
                     [&](unsigned char c) { return may_begin(c) || absl::ascii_isdigit(c) || c == '.' || c == '-'; });
}

bool HasLog(const Catalog& catalog, std::string_view name) {
  const std::vector<Table>& tables = catalog.tables();
  return std::any_of(tables.begin(), tables.end(), [&](const Table& table) {
    return base::EqualsIgnoreCase(table.name, name) || base::EqualsIgnoreCase(table.log, name);
  });
}

// Appends a reason to the status, which keeps its details.
absl::Status WithReason(const absl::Status& status, const std::string& reason) {
  return WithErrorDetails(absl::Status(status.code(), base::StrCat(base::Message(status), "; ", reason)),
                          GetErrorDetails(status));
}

}  // namespace

absl::Status NewSources::Check(const Catalog& catalog, int64_t owned, const Principal& principal,
                               std::string_view source, const absl::Status& not_found) const {
  if (max_logs_ == 0 || !principal.ingest.has_value() || principal.ingest->logs.has_value()) {
    return CheckJoin(owned, principal, not_found);
  }
  if (!IsName(source)) {
    return absl::InvalidArgumentError(
        base::StrCat(base::QuotedText(source),
                     " is no name of a source that can become a log: it begins with a letter "
                     "or _, and has up to ",
                     kMaxName, " letters, digits, _, . and -"));
  }
  if (const std::string log = model::LogOfTable(source); HasLog(catalog, log)) {
    return WithReason(not_found, base::StrCat("it can't become one, because ", log, " is the name of another log"));
  }
  return CheckJoin(owned, principal, not_found);
}

absl::Status NewSources::CheckJoin(int64_t owned, const Principal& principal, const absl::Status& not_found) const {
  if (max_logs_ == 0 || !principal.ingest.has_value()) return not_found;
  if (principal.ingest->logs.has_value()) {
    return WithReason(not_found, "a source becomes a log for tokens that may write all logs");
  }
  if (owned < max_logs_) return absl::OkStatus();
  const std::string whose = principal.project_scope.has_value() ? "the token's project" : "tokens of all projects";
  return WithReason(not_found, base::StrCat("it can't become one: ", whose, " made ", owned,
                                            " already, and --new-sources allows each ", max_logs_));
}

absl::Status NewSources::Make(const std::string& source) const {
  return declare_(base::StrCat("the source ", source),
                  base::StrCat("{\"", source, "\": {\"log\": \"", model::LogOfTable(source), R"(", "time": "timestamp",
      "project": ["project"], "hot": {"values": [], "presence": ["metadata"]},
      "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING",
                  "metadata": {"level": "STRING"}}}})"));
}

}  // namespace logquery::serving
