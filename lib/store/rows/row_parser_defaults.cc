// Fills values that a row lacks: an id and a message; for an event also its time and project.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "lib/store/rows/row_parser.h"
#include "lib/store/rows/timestamp_unit_hint.h"

namespace logquery::store {
namespace {

// The names that programs give to the time of a row.
constexpr std::string_view kTimeNames[] = {"ts",   "time",       "@timestamp", "datetime", "date",     "created_at",
                                           "when", "event_time", "eventTime",  "_time",    "logged_at"};

}  // namespace

bool RowParser::SetDefaults(int64_t line_number) {
  if (!SetTime()) return false;
  if (const FieldNode* id = plan_->id(); id != nullptr && !out_->IsValid(id->slot, row_)) {
    out_->SetText(id->slot, row_, out_->arena().Copy(base::StrCat(options_.id_prefix, line_number)));
  }
  const FieldNode* message = plan_->event_message();
  if (message != nullptr && !out_->IsValid(message->slot, row_)) SetMessage(*message);
  return event_ == nullptr || plan_->project() == nullptr || SetProject(*plan_->project());
}

bool RowParser::SetTime() {
  const FieldNode* const time = plan_->time();
  if (time == nullptr) return true;
  if (!out_->IsValid(time->slot, row_)) {
    if (event_ == nullptr) return FailField(*time, base::StrCat("is missing", TimeHint()), "is missing");
    out_->Set(time->slot, row_, event_->arrived);
  }
  const int64_t micros = out_->Get<int64_t>(time->slot, row_);
  if (micros >= kFirstRowTime && micros < kEndOfRowTimes) return true;
  const std::string hint = TimestampUnitHint(time_json_, options_.timestamp_unit, out_->arena());
  return FailField(*time, base::StrCat(kNotInRowTimes, hint), KindOfTime(hint));
}

// Names what may be the time of a row that has none under the log's name.
std::string RowParser::TimeHint() const {
  for (const Undeclared& field : undeclared_) {
    const bool is_time = std::any_of(std::begin(kTimeNames), std::end(kTimeNames),
                                     [&](std::string_view name) { return base::EqualsIgnoreCase(field.text, name); });
    if (!field.path.empty() || !is_time) continue;
    return base::StrCat("; the row has ", field.text, ", which `logquery schema --infer` makes the time of a log");
  }
  return "";
}

// Collectors have names of their own for what a row's message and project are. The first of the message's keys is taken
// where there is no event_message; a project at the top where the log has it elsewhere, in its metadata.
void RowParser::NoteDefaults(std::string_view key) {
  const char next = reader_->Peek();
  if (next == 'n') return;
  const bool is_entry = key == "log_entry";
  if ((is_entry || key == "message") && (message_at_ == nullptr || is_entry)) message_at_ = reader_->Mark();
  if (key == "project" && next != '{' && next != '[') project_at_ = reader_->Mark();
}

// A text is then not a field of its own. If the value has another type, its text is the message, and the value is kept.
void RowParser::SetMessage(const FieldNode& message) {
  std::string_view text;
  if (message_at_ != nullptr) {
    reader_->GoBackTo(message_at_);
    JsonReader::String string;
    if (reader_->Peek() != '"') {
      reader_->SkipValue(/*keys_differ=*/false, &text);
    } else if (reader_->ReadString(&string)) {
      text = Text(string);
      DropUndeclared(message_at_);
    }
  }
  out_->SetText(message.slot, row_, text);
  if (message.hot_slot >= 0) out_->SetText(message.hot_slot, row_, text);
}

void RowParser::DropUndeclared(const char* value) {
  undeclared_.erase(std::remove_if(undeclared_.begin(), undeclared_.end(),
                                   [&](const Undeclared& field) { return field.value.data() == value; }),
                    undeclared_.end());
}

bool RowParser::SetProject(const FieldNode& project) {
  const bool is_elsewhere = project.parent != nullptr && project.parent->parent != nullptr;
  if (is_elsewhere && project_at_ != nullptr && !out_->IsValid(project.slot, row_)) {
    JsonScalar name;
    reader_->GoBackTo(project_at_);
    if (ReadScalar(*reader_, out_->arena(), &name)) {
      StoreProject(project, name.text);
      DropUndeclared(project_at_);
    }
  }
  if (event_->project.empty()) return true;
  if (out_->IsValid(project.slot, row_)) return CheckProject(project);
  StoreProject(project, event_->project);
  return true;
}

// The row's project has been read like any other field, so that comparing the stored value is enough.
bool RowParser::CheckProject(const FieldNode& project) {
  // The value is read in place, because a short text lies in the reference itself.
  const auto stored = out_->Get<StringRef>(project.slot, row_);
  if (stored.view() == event_->project) return true;
  return FailField(
      project, base::StrCat("is ", Excerpt(stored.view()), ", but the token may write only ", Excerpt(event_->project)),
      "is not the token's");
}

void RowParser::StoreProject(const FieldNode& project, std::string_view name) {
  for (const FieldNode* node = project.parent; node != nullptr && node->parent != nullptr; node = node->parent) {
    out_->SetValid(node->slot, row_);
    if (node->presence_slot >= 0) out_->Set(node->presence_slot, row_, true);
  }
  out_->SetText(project.slot, row_, name);
  if (project.hot_slot >= 0) out_->SetText(project.hot_slot, row_, name);
}

}  // namespace logquery::store
