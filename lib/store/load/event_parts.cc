// Compares requests with earlier ones by their keys, and gives each request the outcome of its rows.
#include "lib/store/load/event_parts.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/rows/rejected_counts.h"

namespace logquery::store {
namespace {

using Json = base::SortedJson;

constexpr size_t kMaxKeyBytes = 255;
constexpr size_t kMaxReasonBytes = 300;
constexpr size_t kMaxRejected = 1'000;

bool IsVisible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string Cut(std::string_view reason) {
  if (reason.size() <= kMaxReasonBytes) return std::string(reason);
  size_t end = kMaxReasonBytes;
  while ((reason[end] & 0xC0) == 0x80) --end;  // not within a character
  return base::StrCat(reason.substr(0, end), "…");
}

std::string OutcomeJson(const EventOutcome& outcome) {
  Json rejected = Json::array();
  for (const RejectedEvent& event : outcome.rejected) rejected.push_back({event.index, event.reason});
  Json misfits = Json::array();
  for (const MisfitValues& misfit : outcome.misfits) misfits.push_back({misfit.field, misfit.type, misfit.values});
  Json by_reason = Json::array();
  for (const RejectedCount& count : outcome.rejected_by_reason) by_reason.push_back({count.reason, count.rows});
  return Json{{"rows", outcome.rows},
              {"rejected_rows", outcome.rejected_rows},
              {"rejected", std::move(rejected)},
              {"misfits", std::move(misfits)},
              {"rejected_by_reason", std::move(by_reason)}}
      .ToString();
}

absl::StatusOr<EventOutcome> ReadOutcome(const std::string& text) {
  const Json json = base::TryReadSortedJson(text).value_or(nullptr);
  EventOutcome outcome;
  outcome.repeated = true;
  const auto number = [&json](const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : int64_t{-1};
  };
  outcome.rows = number("rows");
  outcome.rejected_rows = number("rejected_rows");
  const auto rejected = json.is_object() ? json.find("rejected") : json.end();
  if (outcome.rows < 0 || outcome.rejected_rows < 0 || rejected == json.end() || !rejected->is_array()) {
    return absl::DataLossError("the books of events have an outcome that can't be read");
  }
  for (const Json& event : *rejected) {
    if (!event.is_array() || event.size() != 2 || !event[0].is_number_integer() || !event[1].is_string()) {
      return absl::DataLossError("the books of events have a rejected event that can't be read");
    }
    outcome.rejected.push_back({event[0].get<int64_t>(), event[1].get<std::string>()});
  }
  // Older versions did not write them.
  for (const Json& misfit : json.value("misfits", Json::array())) {
    if (!misfit.is_array() || misfit.size() != 3 || !misfit[0].is_string() || !misfit[1].is_string() ||
        !misfit[2].is_number_integer()) {
      return absl::DataLossError("the books of events have a value of another type that can't be read");
    }
    outcome.misfits.push_back({misfit[0].get<std::string>(), misfit[1].get<std::string>(), misfit[2].get<int64_t>()});
  }
  for (const Json& count : json.value("rejected_by_reason", Json::array())) {
    if (!count.is_array() || count.size() != 2 || !count[0].is_string() || !count[1].is_number_integer()) {
      return absl::DataLossError("the books of events have a number of rejected events that can't be read");
    }
    outcome.rejected_by_reason.push_back({count[0].get<std::string>(), count[1].get<int64_t>()});
  }
  return outcome;
}

absl::Status OtherRows(std::string_view key) {
  return absl::AlreadyExistsError(base::StrCat("the Idempotency-Key ", key,
                                               " came with other events within the last 24 hours; send each "
                                               "batch with a key of its own"));
}

std::string NameOfType(const FieldNode& column) {
  return column.kind == FieldNode::Kind::kScalar || column.kind == FieldNode::Kind::kList ? column.type.ToString()
                                                                                          : "an object";
}

// Returns the misfit values in rows of the part with this rule, by field.
std::vector<MisfitValues> MisfitsOf(const InputLoader& loader, const EventRule& rule) {
  std::vector<MisfitValues> misfits;
  for (const auto& [place, values] : loader.misfits()) {
    const auto& [event, column] = place;
    if (event == &rule) misfits.push_back({column->Path(), NameOfType(*column), values});
  }
  std::sort(misfits.begin(), misfits.end(),
            [](const MisfitValues& a, const MisfitValues& b) { return a.field < b.field; });
  return misfits;
}

}  // namespace

EventParts::EventParts(const EventBatch* batch, const TableLayout* layout, EventKeys* keys, EventRejects* rejects)
    : batch_(batch), layout_(layout), keys_(keys), rejects_(rejects), digests_(batch->parts.size()) {
  now_ = absl::InfinitePast();
  for (const EventPart& part : batch->parts) now_ = std::max(now_, part.arrived);
}

bool EventParts::may_learn() const {
  return std::any_of(going_in_.begin(), going_in_.end(), [](const EventRows& part) { return part.rule.may_learn; });
}

absl::Status EventParts::CheckPart(const EventPart& part) const {
  if (part.key.size() > kMaxKeyBytes || !IsVisible(part.key)) {
    return absl::InvalidArgumentError(
        base::StrCat("an Idempotency-Key has 1 to ", kMaxKeyBytes, " visible ASCII characters"));
  }
  for (const std::string_view row : part.rows) {
    if (row.size() <= kMaxLineBytes) continue;
    return absl::InvalidArgumentError(base::StrCat("an event is longer than ", kMaxLineBytes >> 20, " MiB"));
  }
  if (!part.project.empty() && layout_->table.project_path.empty()) {
    return absl::PermissionDeniedError(base::StrCat("no field of ", layout_->table.name,
                                                    " says whose a row is, so a token of one project can't write it"));
  }
  return absl::OkStatus();
}

std::string EventParts::DigestOfEvents(absl::Span<const EventRejects::Event> events) const {
  base::Sha256Stream stream;
  stream.Add(base::StrCat(layout_->table.name, "\n", events.front().sender, "\n"));
  for (const EventRejects::Event& event : events) {
    stream.Add(base::StrCat(event.text.size(), ":"));
    stream.Add(event.text);
  }
  return stream.FinishHex();
}

const std::string& EventParts::DigestOf(size_t part) {
  std::string& digest = digests_[part];
  if (!digest.empty()) return digest;
  base::Sha256Stream stream;
  stream.Add(base::StrCat(layout_->table.name, "\n"));
  for (const std::string_view row : batch_->parts[part].rows) {
    stream.Add(base::StrCat(row.size(), ":"));
    stream.Add(row);
  }
  digest = stream.FinishHex();
  return digest;
}

absl::Status EventParts::Settle(duckdb_connection connection) {
  outcomes_.assign(batch_->parts.size(), {});
  keyed_.clear();
  twins_.clear();
  going_in_.clear();
  part_of_.clear();
  row_count_ = 0;
  rejects_->Begin();
  LOGQUERY_RETURN_IF_ERROR(keys_->Forget(connection, now_));
  for (size_t i = 0; i < batch_->parts.size(); ++i) LOGQUERY_RETURN_IF_ERROR(SettlePart(connection, i));
  return absl::OkStatus();
}

absl::Status EventParts::SettlePart(duckdb_connection connection, size_t index) {
  const EventPart& part = batch_->parts[index];
  outcomes_[index].status = CheckPart(part);
  if (!outcomes_[index].status.ok()) return absl::OkStatus();
  if (!part.key.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::optional<EventKey> before,
                              keys_->Find(connection, part.sender, part.key, now_));
    if (before.has_value() && before->digest != DigestOf(index)) {
      outcomes_[index].status = OtherRows(part.key);
      return absl::OkStatus();
    }
    if (before.has_value()) {
      LOGQUERY_ASSIGN_OR_RETURN(outcomes_[index], ReadOutcome(before->outcome));
      return absl::OkStatus();
    }
    const auto [first, is_new] = keyed_.try_emplace({part.sender, part.key}, index);
    if (!is_new) {
      if (DigestOf(first->second) == DigestOf(index)) {
        twins_.emplace_back(index, first->second);
      } else {
        outcomes_[index].status = OtherRows(part.key);
      }
      return absl::OkStatus();
    }
  }
  going_in_.push_back(
      {part.rows, part.refused, {part.project, part.may_learn, absl::ToUnixMicros(part.arrived), part.sender}});
  part_of_.push_back(index);
  row_count_ += part.rows.size();
  return absl::OkStatus();
}

// Rejected rows come in the order of their lines, and so in that of the parts.
std::vector<EventRejects::Event> EventParts::Count(const InputLoader& loader) {
  std::vector<EventRejects::Event> events;
  auto rejected = loader.rejected().begin();
  int64_t before = 0;  // lines of the parts before
  for (size_t i = 0; i < going_in_.size(); ++i) {
    EventOutcome& outcome = outcomes_[part_of_[i]];
    const EventPart& part = batch_->parts[part_of_[i]];
    const auto lines = static_cast<int64_t>(going_in_[i].rows.size());
    const size_t first = events.size();
    RejectedCounts by_reason;
    for (; rejected != loader.rejected().end() && rejected->line <= before + lines; ++rejected) {
      ++outcome.rejected_rows;
      by_reason.Add(rejected->kind);
      const int64_t index = rejected->line - before - 1;
      events.push_back({going_in_[i].rows[static_cast<size_t>(index)], rejected->reason, part.sender, index,
                        part.arrived, part.project});
      if (outcome.rejected.size() == kMaxRejected) continue;
      outcome.rejected.push_back({index, Cut(rejected->reason)});
    }
    outcome.rows = lines - outcome.rejected_rows;
    outcome.misfits = MisfitsOf(loader, going_in_[i].rule);
    outcome.rejected_by_reason = by_reason.Sorted();
    before += lines;
    if (events.size() > first && rejects_->IsKept(DigestOfEvents(absl::MakeSpan(events).subspan(first)))) {
      events.resize(first);
    }
  }
  return events;
}

absl::Status EventParts::Book(duckdb_connection connection, const InputLoader& loader) {
  const std::vector<EventRejects::Event> rejected = Count(loader);
  for (const auto& [name, index] : keyed_) {
    LOGQUERY_RETURN_IF_ERROR(keys_->Add(connection, name.first, name.second,
                                        {DigestOf(index), OutcomeJson(outcomes_[index]), batch_->parts[index].project},
                                        now_));
  }
  for (const auto& [twin, first] : twins_) {
    outcomes_[twin] = outcomes_[first];
    outcomes_[twin].repeated = true;
  }
  const LoadEntry entry = loader.entry();
  if (entry.rows == 0 && entry.rejected_rows == 0) return absl::OkStatus();
  if (!rejected.empty()) {
    LOGQUERY_RETURN_IF_ERROR(rejects_->Append(connection, layout_->table.name, now_, rejected));
  }
  return AddEventRows(connection, layout_->table.name, now_, entry);
}

}  // namespace logquery::store
