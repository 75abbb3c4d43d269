// Checks and builds names of learned columns, and merges their fields into the types that queries see.
#include "lib/store/learn/learned_fields.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "logquery/redactor.h"

namespace logquery::store {
namespace {

// Names that a table's statements use beside its columns.
constexpr std::string_view kTaken[] = {"rowid", "loaded_key", "found"};

// `fields` with one more at path[at…]; a field that is there already stays what it is.
std::vector<Field> WithField(std::vector<Field> fields, const model::FieldPath& path, size_t at, const Type& type) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return base::EqualsIgnoreCase(field.name, path[at]); });
  const bool last = at + 1 == path.size();
  if (found != fields.end()) {
    if (!last && found->type.is_record()) {
      found->type = Type::Record(WithField(found->type.fields(), path, at + 1, type));
    }
    return fields;
  }
  fields.push_back({path[at], last ? type : Type::Record(WithField({}, path, at + 1, type))});
  return fields;
}

}  // namespace

bool IsLearnableName(std::string_view name, bool top_level) {
  static const Redactor* const personal = new Redactor(*Redactor::Create({.email = true, .patterns = {}}));
  if (name.empty() || name.size() > kMaxLearnedName || personal->Matches(name)) return false;
  for (const unsigned char c : name) {
    if (absl::ascii_iscntrl(c)) return false;
    // What queries see at the top is not to be taken for a column that they do not see.
    if (top_level && (c == '.' || c == ':' || c == '\\' || c == '?')) return false;
  }
  return !top_level || std::none_of(std::begin(kTaken), std::end(kTaken),
                                    [&](std::string_view taken) { return base::EqualsIgnoreCase(taken, name); });
}

std::string LearnedColumnName(const model::FieldPath& path, bool presence) {
  std::string column = presence ? "?" : "";
  for (const std::string& name : path) {
    if (&name != &path.front()) column += '.';
    for (const char c : name) {
      if (c == '.' || c == ':' || c == '\\') column += '\\';
      column += c;
    }
  }
  return column;
}

std::optional<Type> LearnedType(std::string_view name) {
  for (const Type& scalar : {Type::Bool(), Type::Int64(), Type::Float64(), Type::String()}) {
    if (name == scalar.ToString()) return scalar;
    if (name == Type::Array(scalar).ToString()) return Type::Array(scalar);
  }
  return std::nullopt;
}

void AddLearned(const std::vector<LearnedColumn>& learned, Table* table) {
  for (const LearnedColumn& column : learned) {
    if (!column.presence) table->columns = WithField(std::move(table->columns), column.path, 0, column.type);
    table->learned_columns.push_back(
        {column.path, column.column, column.presence ? HotColumn::Holds::kPresence : HotColumn::Holds::kValue});
  }
}

TableLayout WithLearned(const TableLayout& declared, const std::vector<LearnedColumn>& learned) {
  TableLayout layout = declared;
  AddLearned(learned, &layout.table);
  for (const LearnedColumn& column : learned) {
    layout.columns.push_back(
        {column.column, column.type,
         column.presence ? StoredColumn::Role::kLearnedPresence : StoredColumn::Role::kLearnedValue, column.path});
  }
  return layout;
}

}  // namespace logquery::store
