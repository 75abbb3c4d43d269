// A tree of fields with counters, limited in its number of nodes.
#include "lib/store/learn/field_survey.h"

#include <algorithm>

#include "lib/store/learn/learned_fields.h"

namespace logquery::store {
namespace {

// Distinct fields that are remembered, of a file: many times what may become columns.
constexpr size_t kMaxNodes = 10'000;
// Tokens and projects that RowOwners remembers: callers choose the names of projects.
constexpr size_t kMaxOwners = 10'000;
constexpr int64_t kExactInFloat = int64_t{1} << 53;

bool IsInteger(std::string_view number) { return number.find_first_of(".eE") == std::string_view::npos; }

bool CastNumber(const JsonScalar& json, TypeKind kind, Arena& arena, ScalarValue* value) {
  return CastScalar(json, kind, TimestampUnit::kMicroseconds, arena, value);
}

}  // namespace

ValueKind KindOf(const JsonScalar& json, Arena& arena) {
  if (json.kind == JsonScalar::Kind::kBool) return kBoolKind;
  if (json.kind == JsonScalar::Kind::kString) return kTextKind;
  ScalarValue value;
  if (IsInteger(json.text) && CastNumber(json, TypeKind::kInt64, arena, &value)) {
    return value.integer >= -kExactInFloat && value.integer <= kExactInFloat ? kIntKind : kWideIntKind;
  }
  return CastNumber(json, TypeKind::kFloat64, arena, &value) ? kFloatKind : kTextKind;
}

Type TypeOfKinds(uint8_t kinds) {
  if (kinds == kBoolKind) return Type::Bool();
  if ((kinds & (kBoolKind | kTextKind)) != 0) return Type::String();
  if ((kinds & kFloatKind) == 0) return Type::Int64();
  return (kinds & kWideIntKind) == 0 ? Type::Float64() : Type::String();
}

bool FitsLearned(const JsonScalar& json, TypeKind type, Arena& arena) {
  ScalarValue value;
  if (type == TypeKind::kString) return true;
  if (type == TypeKind::kBool) return json.kind == JsonScalar::Kind::kBool;
  if (json.kind != JsonScalar::Kind::kNumber) return false;
  return (type != TypeKind::kInt64 || IsInteger(json.text)) && CastNumber(json, type, arena, &value);
}

bool ReadScalar(JsonReader& reader, Arena& arena, JsonScalar* json) {
  const char next = reader.Peek();
  if (next == '"') {
    JsonReader::String string;
    if (!reader.ReadString(&string)) return false;
    *json = {JsonScalar::Kind::kString, string.escaped ? JsonReader::Unescape(string.raw, arena) : string.raw};
    return true;
  }
  if (next == 't' || next == 'f') {
    *json = {JsonScalar::Kind::kBool, next == 't' ? "true" : "false"};
    return reader.ReadWord(json->text);
  }
  json->kind = JsonScalar::Kind::kNumber;
  return reader.ReadNumber(&json->text);
}

void FieldSurvey::Add(const std::vector<std::string>& path, std::string_view name, std::string_view value) {
  arena_.Clear();
  JsonReader reader(value);
  Node* node = &root_;
  for (size_t i = 0; i < path.size() && node != nullptr; ++i) node = Child(*node, path[i], i);
  if (node != nullptr) node = Child(*node, name, path.size());
  if (node != nullptr) AddValue(*node, reader, path.size() + 1);
}

FieldSurvey::Node* FieldSurvey::Child(Node& node, std::string_view name, size_t depth) {
  if (const auto found = node.fields.find(name); found != node.fields.end()) {
    if (name < found->second->name) found->second->name = name;
    return found->second.get();
  }
  if (nodes_ == kMaxNodes || depth >= kMaxLearnedDepth || !IsLearnableName(name, depth == 0)) return nullptr;
  ++nodes_;
  auto child = std::make_unique<Node>();
  child->name = name;
  return node.fields.emplace(std::string(name), std::move(child)).first->second.get();
}

void FieldSurvey::AddValue(Node& node, JsonReader& reader, size_t depth) {
  switch (reader.Peek()) {
    case 'n':
      return;
    case '{':
      return AddObject(node, reader, depth);
    case '[':
      return AddArray(node, reader, depth);
    default:
      break;
  }
  JsonScalar json;
  if (!ReadScalar(reader, arena_, &json)) return;
  ++node.scalars;
  node.scalar_kinds |= KindOf(json, arena_);
  has_news_ = true;
}

void FieldSurvey::AddObject(Node& node, JsonReader& reader, size_t depth) {
  reader.Take();
  ++node.records;
  if (reader.TakeIf('}')) return;
  do {
    JsonReader::String key;
    std::string_view value;
    if (!reader.ReadString(&key) || !reader.TakeIf(':') || !reader.SkipValue(/*keys_differ=*/false, &value)) return;
    Node* const child = Child(node, key.escaped ? JsonReader::Unescape(key.raw, arena_) : key.raw, depth);
    if (child == nullptr) continue;
    JsonReader below(value);
    AddValue(*child, below, depth + 1);
  } while (reader.TakeIf(','));
}

// An array of scalars, or of one object, which is how BigQuery writes a record, may become a column. No other array
// does.
void FieldSurvey::AddArray(Node& node, JsonReader& reader, size_t depth) {
  reader.Take();
  if (reader.TakeIf(']')) return;
  if (reader.Peek() == '{') {
    std::string_view object;
    if (!reader.SkipValue(/*keys_differ=*/false, &object) || reader.Peek() != ']') return;
    JsonReader below(object);
    return AddObject(node, below, depth);
  }
  uint8_t kinds = 0;
  do {
    JsonScalar json;
    const char next = reader.Peek();
    if (next == '{' || next == '[') return;
    if (next == 'n') {
      if (!reader.ReadWord("null")) return;
    } else {
      if (!ReadScalar(reader, arena_, &json)) return;
      kinds |= KindOf(json, arena_);
    }
  } while (reader.TakeIf(','));
  if (kinds == 0) return;
  ++node.arrays;
  node.element_kinds |= kinds;
  has_news_ = true;
}

void FieldSurvey::Merge(const FieldSurvey& other) {
  has_news_ = has_news_ || other.has_news_;
  MergeNode(other.root_, root_, 0);
}

void FieldSurvey::MergeNode(const Node& from, Node& to, size_t depth) {
  to.records += from.records;
  to.scalars += from.scalars;
  to.arrays += from.arrays;
  to.scalar_kinds |= from.scalar_kinds;
  to.element_kinds |= from.element_kinds;
  for (const auto& [name, child] : from.fields) {
    if (Node* const mine = Child(to, child->name, depth)) MergeNode(*child, *mine, depth + 1);
  }
}

void RowOwners::Add(std::string_view token, std::string_view project) {
  // Without the entries the rows are surveyed once more.
  if (size_ == kMaxOwners) {
    by_token_.clear();
    size_ = 0;
  }
  if (by_token_[std::string(token)].insert(std::string(project)).second) ++size_;
}

bool RowOwners::Has(std::string_view token, std::string_view project) const {
  const auto projects = by_token_.find(token);
  return projects != by_token_.end() && projects->second.contains(project);
}

FieldSurvey& RowSurveys::Of(std::string_view token, std::string_view project) {
  auto projects = by_token_.find(token);
  if (projects == by_token_.end()) projects = by_token_.emplace(std::string(token), ByProject()).first;
  const auto found = projects->second.find(project);
  return found != projects->second.end() ? found->second : projects->second[std::string(project)];
}

void RowSurveys::Merge(const RowSurveys& other) {
  for (const auto& [token, projects] : other.by_token_) {
    for (const auto& [project, survey] : projects) Of(token, project).Merge(survey);
  }
}

bool RowSurveys::has_news() const {
  const auto has_news = [](const auto& survey) { return survey.second.has_news(); };
  return std::any_of(by_token_.begin(), by_token_.end(), [&](const auto& projects) {
    return std::any_of(projects.second.begin(), projects.second.end(), has_news);
  });
}

}  // namespace logquery::store
