// Walks a row and the plan together; values without a column are kept as JSON, or learned.
#include "lib/store/rows/row_parser.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/store/rows/timestamp_unit_hint.h"
#include "lib/store/rows/undeclared_json.h"

namespace logquery::store {
namespace {

constexpr size_t kMaxUndeclaredFields = 1'000;
constexpr size_t kMaxValueInReason = 80;

// The scalar at `path` in the object `json`, as text; empty: there is none. Names compare in any case.
std::string_view ScalarAt(std::string_view json, const model::FieldPath& path, Arena& arena) {
  JsonReader reader(json);
  for (size_t depth = 0; depth < path.size(); ++depth) {
    if (depth > 0) reader.TakeIf('[');  // a record may be an array of one
    if (!reader.TakeIf('{')) return {};
    bool found = false;
    while (!found) {
      JsonReader::String key;
      std::string_view value;
      if (!reader.ReadString(&key) || !reader.TakeIf(':')) return {};
      found = base::EqualsIgnoreCase(key.escaped ? JsonReader::Unescape(key.raw, arena) : key.raw, path[depth]);
      if (!found && (!reader.SkipValue(/*keys_differ=*/false, &value) || !reader.TakeIf(','))) return {};
    }
  }
  JsonScalar scalar;
  const char next = reader.Peek();
  return next == 'n' || next == '{' || next == '[' || !ReadScalar(reader, arena, &scalar) ? std::string_view()
                                                                                          : scalar.text;
}

}  // namespace

std::string RowParser::Excerpt(std::string_view value) {
  if (value.size() <= kMaxValueInReason) return std::string(value);
  size_t end = kMaxValueInReason;
  while ((value[end] & 0xC0) == 0x80) --end;  // not within a character
  return base::StrCat(value.substr(0, end), "…");
}

RowParser::RowParser(const RowPlan* plan, Options options)
    : plan_(plan),
      options_(std::move(options)),
      seen_in_(plan->key_count()),
      next_key_(plan->key_count()),
      project_number_(plan->ProjectNumber("")),
      element_(plan->slot_count()) {}

bool RowParser::Parse(std::string_view line, int64_t line_number, ChunkBuilder* out, uint64_t row,
                      const EventRule* event) {
  bool met_half_pair = false;
  if (ParseText(line, line_number, out, row, event, met_half_pair)) return true;
  // Rare, so that rows without such escapes are read once and not copied.
  return met_half_pair && ParseText(MendHalfPairs(line, out->arena()), line_number, out, row, event, met_half_pair);
}

bool RowParser::ParseText(std::string_view line, int64_t line_number, ChunkBuilder* out, uint64_t row,
                          const EventRule* event, bool& met_half_pair) {
  JsonReader reader(line);
  reader_ = &reader;
  out_ = out;
  row_ = row;
  event_ = event;
  time_json_ = {};
  message_at_ = nullptr;
  project_at_ = nullptr;
  reason_.clear();
  kind_.clear();
  undeclared_.clear();
  if (ParseRow(line, line_number)) return true;
  if (reason_.empty()) {
    reason_ = reader.ErrorWithColumn();
    kind_ = base::StrCat("invalid JSON: ", reader.error_kind());
  }
  met_half_pair = reader.met_half_pair();
  out->ClearRow(row);
  return false;
}

bool RowParser::ParseRow(std::string_view line, int64_t line_number) {
  if (reader_->Peek() != '{') return reader_->FailWanted("an object");
  if (options_.survey || !plan_->layout().projects.empty()) FindProject(line);
  if (!Object(plan_->root(), row_)) return false;
  if (!reader_->AtEnd()) return reader_->FailWanted("the end of the line");
  if (!SetDefaults(line_number)) return false;
  if (!undeclared_.empty()) StoreUndeclared();
  return true;
}

// The columns for a row's values depend on its project, which may come at the row's end.
void RowParser::FindProject(std::string_view line) {
  std::string_view project;
  const model::FieldPath& path = plan_->layout().table.project_path;
  if (event_ != nullptr && !event_->project.empty()) {
    project = event_->project;
  } else if (!path.empty()) {
    project = ScalarAt(line, path, out_->arena());
    // An event may have it at the top instead (SetProject).
    if (project.empty() && event_ != nullptr && path.size() > 1) project = ScalarAt(line, {"project"}, out_->arena());
  }
  if (project == project_) return;
  project_ = project;
  project_number_ = plan_->ProjectNumber(project_);
}

bool RowParser::Object(const FieldNode& node, uint64_t row) {
  reader_->Take();
  if (reader_->TakeIf('}')) return true;
  const uint64_t object = ++object_;
  const size_t first_undeclared = undeclared_.size();
  int previous = node.first_key - 1;
  do {
    if (!Member(node, object, &previous, row)) return false;
  } while (reader_->TakeIf(','));
  if (!reader_->TakeIf('}')) return reader_->FailWanted("',' or '}'");
  return undeclared_.size() - first_undeclared < 2 || CheckUndeclaredKeys(object);
}

bool RowParser::Member(const FieldNode& node, uint64_t object, int* previous, uint64_t row) {
  JsonReader::String key;
  if (!reader_->ReadString(&key)) return false;
  if (!reader_->TakeIf(':')) return reader_->FailWanted("':'");
  if (event_ != nullptr && &node == &plan_->root()) NoteDefaults(Text(key));
  const int found = FindField(node, Text(key), *previous);
  if (found < 0) return AddUndeclared(node, object, key, nullptr);
  const FieldNode& field = node.fields[found];
  const int number = node.first_key + found;
  if (seen_in_[number] == object) {
    // The first value of a field that no schema declares goes into the column, and the others are kept beside it.
    if (field.learned) return AddUndeclared(node, object, key, &field);
    return FailField(field, "stands twice, perhaps with other letter case");
  }
  seen_in_[number] = object;
  next_key_[*previous] = found;
  *previous = number;
  if (field.learned && !LearnedFits(field)) return AddUndeclared(node, object, key, &field);
  return FieldValue(field, row);
}

int RowParser::FindField(const FieldNode& node, std::string_view key, int previous) {
  const size_t likely = next_key_[previous];
  if (likely < node.fields.size() && node.fields[likely].name == key && node.fields[likely].IsOf(project_number_)) {
    return static_cast<int>(likely);
  }
  return node.Find(key, project_number_);
}

bool RowParser::FieldValue(const FieldNode& node, uint64_t row) {
  switch (node.kind) {
    case FieldNode::Kind::kScalar:
      return Scalar(node, row);
    case FieldNode::Kind::kRecord:
      return Record(node, row);
    case FieldNode::Kind::kStruct:
      return StructElement(node, row);
    case FieldNode::Kind::kList:
      return List(node, row);
  }
  return false;
}

// An object, or an array that holds one.
bool RowParser::Record(const FieldNode& node, uint64_t row) {
  if (reader_->Peek() == 'n') return reader_->ReadWord("null");
  const bool in_array = reader_->TakeIf('[');
  if (in_array && reader_->TakeIf(']')) return true;
  if (reader_->Peek() != '{') return FailValue(node, in_array ? "one object in the array" : "an object");
  out_->SetValid(node.slot, row);
  if (node.presence_slot >= 0) out_->Set(node.presence_slot, row, true);
  if (!Object(node, row)) return false;
  if (!in_array || reader_->TakeIf(']')) return true;
  if (reader_->Peek() == ',') return FailField(node, "is an array of several, where one record is declared");
  return reader_->FailWanted("']'");
}

bool RowParser::StructElement(const FieldNode& node, uint64_t row) {
  if (reader_->Peek() == 'n') return reader_->ReadWord("null");
  if (reader_->Peek() != '{') return FailValue(node, "an object");
  out_->SetValid(node.slot, row);
  return Object(node, row);
}

bool RowParser::List(const FieldNode& node, uint64_t row) {
  if (reader_->Peek() == 'n') return reader_->ReadWord("null");
  if (!reader_->TakeIf('[')) return FailValue(node, "an array");
  out_->BeginList(node, row);
  if (reader_->TakeIf(']')) return true;
  element_[node.slot] = 0;
  do {
    if (!FieldValue(node.fields[0], out_->AddElement(node, row))) return false;
    ++element_[node.slot];
  } while (reader_->TakeIf(','));
  return reader_->TakeIf(']') || reader_->FailWanted("',' or ']'");
}

bool RowParser::Scalar(const FieldNode& node, uint64_t row) {
  ScalarValue value;
  JsonScalar json;
  const char next = reader_->Peek();
  if (next == 'n') return reader_->ReadWord("null");
  if (node.type.is(TypeKind::kJson)) {
    if (!reader_->SkipValue(/*keys_differ=*/false, &value.text)) return false;
  } else {
    const auto kind = [&node] { return base::StrCat("is no ", node.type.ToString()); };
    if (next == '{' || next == '[') return FailValue(node, node.type.ToString(), kind());
    if (!ReadScalar(*reader_, out_->arena(), &json)) return false;
    if (!CastScalar(json, node.type.kind(), options_.timestamp_unit, out_->arena(), &value)) {
      const bool is_time = node.type.is(TypeKind::kTimestamp);
      const std::string hint =
          is_time ? TimestampUnitHint(json, options_.timestamp_unit, out_->arena()) : std::string();
      if (!hint.empty()) return FailField(node, base::StrCat(kNotInRowTimes, hint), KindOfTime(hint));
      return FailField(node, base::StrCat("is ", Excerpt(json.text), ", which is no ", node.type.ToString()), kind());
    }
    if (&node == plan_->time()) time_json_ = json;
  }
  Store(node, node.slot, value, row);
  if (node.hot_slot >= 0) Store(node, node.hot_slot, value, row);
  return true;
}

void RowParser::Store(const FieldNode& node, int slot, const ScalarValue& value, uint64_t row) {
  switch (node.type.kind()) {
    case TypeKind::kBool:
      return out_->Set(slot, row, value.boolean);
    case TypeKind::kInt64:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return out_->Set(slot, row, value.integer);
    case TypeKind::kDate:
      return out_->Set(slot, row, static_cast<int32_t>(value.integer));
    case TypeKind::kFloat64:
      return out_->Set(slot, row, value.number);
    case TypeKind::kNumeric:
      return out_->Set(slot, row, value.decimal);
    case TypeKind::kBigNumeric:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kJson:
      return out_->SetText(slot, row, value.text);
    case TypeKind::kInterval:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return;
  }
}

// Returns whether the column can hold the next value without loss. Invalid JSON counts as fitting: reading it fails.
bool RowParser::LearnedFits(const FieldNode& field) {
  const char next = reader_->Peek();
  const bool is_record = field.kind == FieldNode::Kind::kRecord;
  if (next == 'n' || (is_record && next == '{')) return true;
  if (next == '{' || (next == '[') != (is_record || field.kind == FieldNode::Kind::kList)) return false;
  if (next != '[' && field.type.is(TypeKind::kString)) return true;
  const char* const mark = reader_->Mark();
  const bool fits = next == '[' ? ElementsFit(field) : ScalarFits(field.type.kind(), field.casts);
  reader_->GoBackTo(mark);
  return fits;
}

bool RowParser::ScalarFits(TypeKind type, bool casts) {
  JsonScalar json;
  if (!ReadScalar(*reader_, out_->arena(), &json)) return false;
  ScalarValue value;
  return casts ? CastScalar(json, type, options_.timestamp_unit, out_->arena(), &value)
               : FitsLearned(json, type, out_->arena());
}

// Checks the elements of a list, or the only one of a record.
bool RowParser::ElementsFit(const FieldNode& field) {
  reader_->Take();
  if (reader_->TakeIf(']')) return true;
  if (field.kind == FieldNode::Kind::kRecord) {
    std::string_view object;
    return reader_->Peek() == '{' && reader_->SkipValue(/*keys_differ=*/false, &object) && reader_->Peek() == ']';
  }
  do {
    const char next = reader_->Peek();
    if (next == '{' || next == '[') return false;
    if (next == 'n' ? !reader_->ReadWord("null") : !ScalarFits(field.type.element().kind(), field.casts)) return false;
  } while (reader_->TakeIf(','));
  return true;
}

bool RowParser::AddUndeclared(const FieldNode& node, uint64_t object, const JsonReader::String& key,
                              const FieldNode* column) {
  Undeclared field;
  field.object = object;
  field.column = column;
  field.key = key.raw;
  field.text = Text(key);
  if (!reader_->SkipValue(/*keys_differ=*/true, &field.value)) return false;
  for (const FieldNode* at = &node; at->parent != nullptr; at = at->parent) {
    const bool is_element = at->parent->kind == FieldNode::Kind::kList;
    field.in_list = field.in_list || is_element;
    field.path.push_back(is_element ? base::StrCat(element_[at->parent->slot]) : at->name);
  }
  std::reverse(field.path.begin(), field.path.end());
  undeclared_.push_back(std::move(field));
  return true;
}

// Keys of declared fields are compared while they are read, ignoring case. Other keys that differ in case are two
// fields.
bool RowParser::CheckUndeclaredKeys(uint64_t object) {
  base::StringSet names;
  for (const Undeclared& field : undeclared_) {
    if (field.object == object && !names.insert(std::string(field.text)).second) {
      reason_ = base::StrCat("the key \"", field.text, "\" stands twice");
      kind_ = "a key stands twice";
      return false;
    }
  }
  return true;
}

void RowParser::StoreUndeclared() {
  const bool may_learn = event_ == nullptr || event_->may_learn;
  const std::string_view token = event_ == nullptr ? std::string_view() : event_->token;
  const bool is_full = options_.full != nullptr && options_.full->Has(token, project_);
  FieldSurvey* const surveyed = options_.survey && may_learn && !is_full ? &survey_.Of(token, project_) : nullptr;
  NestedJson json;
  for (const Undeclared& field : undeclared_) {
    json.Add(field.path, field.key, field.value);
    if (surveyed != nullptr && !field.in_list && field.column == nullptr) {
      surveyed->Add(field.path, field.text, field.value);
    }
    if (field.column != nullptr) ++misfits_[{event_, field.column}];
    if (undeclared_fields_.size() == kMaxUndeclaredFields) continue;
    const std::string parent = base::Join(field.path, ".");
    undeclared_fields_.insert(base::StrCat(parent, parent.empty() ? "" : ".", field.text));
  }
  out_->SetText(plan_->undeclared_slot(), row_, out_->arena().Copy(json.Finish()));
}

bool RowParser::FailField(const FieldNode& node, std::string_view problem, std::string_view kind) {
  const std::string path = node.Path();
  reason_ = base::StrCat(path, " ", problem);
  kind_ = base::StrCat(path, " ", kind.empty() ? problem : kind);
  return false;
}

bool RowParser::FailValue(const FieldNode& node, std::string_view wanted, std::string_view kind) {
  std::string_view value;
  if (!reader_->SkipValue(/*keys_differ=*/false, &value)) return false;
  return FailField(node, base::StrCat("wants ", wanted, ", is ", Excerpt(value)),
                   kind.empty() ? base::StrCat("wants ", wanted) : std::string(kind));
}

std::string_view RowParser::Text(const JsonReader::String& string) {
  return string.escaped ? JsonReader::Unescape(string.raw, out_->arena()) : string.raw;
}

}  // namespace logquery::store
