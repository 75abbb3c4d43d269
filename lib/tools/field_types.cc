// Follows lib/store/rows in what a column of a type takes: a text of digits is an integer, and any scalar is a text.
#include "lib/tools/field_types.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/base/readable_text.h"
#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

using base::Json;
using base::StrCat;
using base::WithCommas;

bool IsNearly(int64_t count, int64_t all) { return count > 0 && count * 100 >= all * 99; }

// "sometimes a number and sometimes text".
std::string KindsText(const FieldValues& field) {
  std::vector<std::string> kinds;
  const std::pair<int64_t, const char*> counts[] = {{field.count(ValueKind::kBool), "true or false"},
                                                    {field.numbers(), "a number"},
                                                    {field.texts(), "text"},
                                                    {field.count(ValueKind::kRecord), "a record"},
                                                    {field.lists(), "a list"}};
  for (const auto& [count, kind] : counts) {
    if (count > 0) kinds.emplace_back(kind);
  }
  return StrCat("is sometimes ", base::Join(kinds, " and sometimes "));
}

bool Takes(std::string_view type, ValueKind kind) {
  switch (kind) {
    case ValueKind::kBool:
    case ValueKind::kBoolText:
      return type == "STRING" || type == "BOOL";
    case ValueKind::kInteger:
    case ValueKind::kIntegerText:
      return type == "STRING" || type == "INT64" || type == "FLOAT64";
    case ValueKind::kFloat:
    case ValueKind::kFloatText:
      return type == "STRING" || type == "FLOAT64";
    case ValueKind::kText:
      return type == "STRING";
    case ValueKind::kRecord:
      return type == "a record";
    case ValueKind::kEmptyList:
      return type == "a record" || type == "a list";
    case ValueKind::kList:
      return type == "a list";
  }
  return false;
}

class TypeWriter {
 public:
  explicit TypeWriter(std::vector<std::string>& notes) : notes_(notes) {}

  // `time` is one of the fields, or nullptr.
  Json FieldsOf(const std::vector<FieldValues>& fields, const std::string& prefix, const FieldValues* time) {
    Json types = Json::object();
    std::vector<std::string> taken;
    if (time != nullptr) taken.push_back(time->name);
    for (const FieldValues& field : fields) {
      if (&field == time) continue;
      const std::string path = prefix + field.name;
      const auto same = std::find_if(taken.begin(), taken.end(),
                                     [&](const std::string& name) { return base::EqualsIgnoreCase(name, field.name); });
      if (same != taken.end()) {
        notes_.push_back(
            StrCat(path, " is not declared: its name differs from ", *same, " in upper and lower case alone"));
        continue;
      }
      if (std::optional<Json> type = TypeOf(field, path)) {
        types[field.name] = *std::move(type);
        taken.push_back(field.name);
      }
    }
    return types;
  }

 private:
  // nullopt: it is left out, and a note says why.
  std::optional<Json> TypeOf(const FieldValues& field, const std::string& path) {
    const int64_t all = field.values();
    if (all == 0) return LeaveOut(path, field.nulls > 0 ? "is always null" : "has no value");
    if (IsNearly(field.count(ValueKind::kRecord), all)) return RecordType(field, path);
    if (IsNearly(field.lists(), all)) return ListType(field, path);
    if (field.unclear) return LeaveOut(path, "is nested too deep");
    const std::optional<std::string> type = ScalarType(field);
    if (!type) {
      return LeaveOut(
          path, field.large && field.numbers() == all ? "has numbers that no type holds exactly" : KindsText(field));
    }
    NoteOthers(field, path, *type);
    return Json(*type);
  }

  std::optional<Json> RecordType(const FieldValues& field, const std::string& path) {
    Json fields = FieldsOf(field.fields, path + ".", nullptr);
    if (field.unclear) notes_.push_back(StrCat(path, " has further fields, which are not declared"));
    if (fields.empty()) return LeaveOut(path, "has no field with one type");
    NoteOthers(field, path, "a record");
    return fields;
  }

  std::optional<Json> ListType(const FieldValues& field, const std::string& path) {
    if (field.unclear) return LeaveOut(path, "is a list of lists, or of several records");
    if (field.items->values() == 0) return LeaveOut(path, "is always an empty list");
    const std::optional<std::string> item = ScalarType(*field.items);
    if (!item) return LeaveOut(path, "is a list of several types");
    NoteOthers(field, path, "a list");
    NoteOthers(*field.items, StrCat("an element of ", path), *item);
    return Json::array({*item});
  }

  // nullopt: the values have no one type.
  static std::optional<std::string> ScalarType(const FieldValues& field) {
    const int64_t all = field.values();
    if (IsNearly(field.texts(), all)) return "STRING";
    if (IsNearly(field.count(ValueKind::kBool), all)) return "BOOL";
    if (!IsNearly(field.numbers(), all)) return std::nullopt;
    if (field.count(ValueKind::kFloat) == 0) return "INT64";
    return field.large ? std::nullopt : std::optional<std::string>("FLOAT64");
  }

  // Numbers and booleans in a STRING are stored as text, so that no row is lost for them.
  void NoteOthers(const FieldValues& field, const std::string& path, std::string_view type) {
    int64_t refused = 0;
    const ValueSample* first = nullptr;
    for (size_t kind = 0; kind < kValueKinds; ++kind) {
      if (field.counts[kind] == 0 || Takes(type, static_cast<ValueKind>(kind))) continue;
      refused += field.counts[kind];
      if (first == nullptr || field.first[kind].row < first->row) first = &field.first[kind];
    }
    if (first == nullptr) return;
    notes_.push_back(StrCat(path, " is ", type, " but for ", WithCommas(refused), " of ", WithCommas(field.values()),
                            " values, the first at ", first->place, ": ", first->value, "; load rejects rows with ",
                            refused == 1 ? "it" : "them", ", unless you take the field out of \"columns\""));
  }

  std::optional<Json> LeaveOut(const std::string& path, const std::string& why) {
    notes_.push_back(StrCat(path, " is not declared, as it ", why, "; it is learned from rows, or kept as JSON"));
    return std::nullopt;
  }

  std::vector<std::string>& notes_;
};

}  // namespace

Json TypesOf(const std::vector<FieldValues>& fields, const FieldValues& time, std::vector<std::string>& notes) {
  return TypeWriter(notes).FieldsOf(fields, "", &time);
}

}  // namespace logquery::endpoint
