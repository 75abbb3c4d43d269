// Cuts reasons and lists, and writes them as JSON and as one text.
#include "logquery/serving/ingest_response.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "logquery/redactor.h"

namespace logquery {
namespace {

using base::Json;
using base::StrCat;

// The sizes of the lists; what does not fit is left out.
constexpr size_t kMaxRejectedBytes = 2 << 10;
constexpr size_t kMaxCountsBytes = 512;
constexpr size_t kMaxMisfitsBytes = 1 << 10;
constexpr size_t kMaxReasonsInText = 3;
constexpr int kMaxReasonCodePoints = 200;

// A reason may quote a value of any length.
std::string Shortened(std::string_view reason) {
  size_t end = 0;
  for (int i = 0; i < kMaxReasonCodePoints && end < reason.size(); ++i) end += base::DecodeUtf8(reason, end).bytes;
  return StrCat(reason.substr(0, end), end < reason.size() ? "…" : "");
}

std::string ReasonsOf(const ReceivedLogs& logs) {
  std::string reasons;
  for (size_t i = 0; i < std::min(logs.rejected.size(), kMaxReasonsInText); ++i) {
    base::StrAppend(&reasons, i > 0 ? "; " : "", "event ", logs.rejected[i].index, ": ",
                    Shortened(logs.rejected[i].reason));
  }
  if (logs.rejected_rows <= static_cast<int64_t>(kMaxReasonsInText)) return reasons;
  for (size_t i = 0; i < std::min(logs.rejected_by_reason.size(), kMaxReasonsInText); ++i) {
    const RejectedCount& count = logs.rejected_by_reason[i];
    base::StrAppend(&reasons, i > 0 ? "; " : "; in all ", base::Counted(count.rows, "event"), ": ",
                    Shortened(count.reason));
  }
  return reasons;
}

std::string WarningOf(const ReceivedLogs& logs) {
  std::string warning = logs.warning;
  for (size_t i = 0; i < std::min(logs.misfits.size(), kMaxReasonsInText); ++i) {
    const MisfitValues& misfit = logs.misfits[i];
    base::StrAppend(&warning, warning.empty() ? "" : "; ", "stored as JSON, as the column of ", Shortened(misfit.field),
                    " takes ", misfit.type, ": ", misfit.values, misfit.values == 1 ? " value" : " values");
  }
  return warning;
}

// The first elements, as many as fit.
template <typename Element, typename ToJson>
Json FirstOf(const std::vector<Element>& elements, size_t max_bytes, ToJson to_json) {
  Json first = Json::array();
  size_t bytes = 0;
  for (const Element& element : elements) {
    Json one = to_json(element);
    bytes += one.ToString().size();
    if (bytes > max_bytes) break;
    first.push_back(std::move(one));
  }
  return first;
}

Json RejectedJson(const RejectedEvent& event) { return {{"index", event.index}, {"reason", Shortened(event.reason)}}; }

Json CountJson(const RejectedCount& count) { return {{"reason", Shortened(count.reason)}, {"rows", count.rows}}; }

Json MisfitJson(const MisfitValues& misfit) {
  return {{"field", misfit.field}, {"type", misfit.type}, {"values", misfit.values}};
}

absl::Status NothingStored(const ReceivedLogs& logs) {
  const std::string what = logs.rejected_rows == 1
                               ? "the event could not be taken"
                               : StrCat("none of the ", base::Counted(logs.rejected_rows, "event"), " could be taken");
  return absl::InvalidArgumentError(StrCat(what, ": ", ReasonsOf(logs)));
}

}  // namespace

void RedactReasons(ReceivedLogs& logs) {
  const Redactor redactor;
  for (RejectedEvent& event : logs.rejected) event.reason = redactor.Redact(event.reason);
  for (MisfitValues& misfit : logs.misfits) misfit.field = redactor.Redact(misfit.field);
  logs.broken = redactor.Redact(logs.broken);
  logs.warning = redactor.Redact(logs.warning);
}

absl::Status CheckBody(const ReceivedLogs& logs) {
  if (logs.broken.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat(Shortened(logs.broken), "; nothing of it is stored, and it is kept with the rejected events"));
}

absl::StatusOr<std::string> IngestResponse(const ReceivedLogs& logs) {
  LOGQUERY_RETURN_IF_ERROR(CheckBody(logs));
  if (logs.rows == 0 && logs.rejected_rows > 0) return NothingStored(logs);
  Json json = {{"message", "Logged!"}};
  if (logs.rejected_rows > 0) {
    Json rejected = FirstOf(logs.rejected, kMaxRejectedBytes, RejectedJson);
    if (rejected.size() < static_cast<size_t>(logs.rejected_rows)) {
      json["rejected_rows"] = logs.rejected_rows;
      json["rejected_by_reason"] = FirstOf(logs.rejected_by_reason, kMaxCountsBytes, CountJson);
    }
    json["rejected"] = std::move(rejected);
  }
  if (!logs.misfits.empty()) json["stored_as_json"] = FirstOf(logs.misfits, kMaxMisfitsBytes, MisfitJson);
  return json.ToString();
}

std::string IngestNote(const ReceivedLogs& logs) { return logs.rejected_rows > 0 ? ReasonsOf(logs) : WarningOf(logs); }

}  // namespace logquery
