// Checks and builds names of learned columns, and merges their fields into the types that queries see.
#include "lib/store/learn/learned_fields.h"

#include <algorithm>
#include <set>
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

// Picks columns of which no two claim one path.
class VisibleColumns {
 public:
  explicit VisibleColumns(const std::vector<LearnedColumn>& columns) : columns_(columns) {}

  void Add(size_t index) {
    const LearnedColumn& column = columns_[index];
    std::string key;
    for (const std::string& name : column.path) {
      if (!key.empty() && values_.contains(key)) return;
      key += base::ToLower(name);
      key += '\n';  // in no name that is learned
    }
    if (values_.contains(key) || (column.presence ? !presences_.insert(key).second : records_.contains(key))) return;
    if (!column.presence) values_.insert(key);
    for (size_t end = key.find('\n'); end + 1 < key.size(); end = key.find('\n', end + 1)) {
      records_.insert(key.substr(0, end + 1));
    }
    if (column.presence) records_.insert(key);
    visible_.push_back(column);
  }

  std::vector<LearnedColumn> Take() { return std::move(visible_); }

 private:
  const std::vector<LearnedColumn>& columns_;
  base::StringSet values_, records_, presences_;
  std::vector<LearnedColumn> visible_;
};

}  // namespace

bool IsLearnableName(std::string_view name, bool top_level) {
  static const Redactor* const personal = new Redactor(*Redactor::Create({.email = true, .patterns = {}}));
  if (name.empty() || name.size() > kMaxLearnedName || personal->Matches(name)) return false;
  for (const unsigned char c : name) {
    if (absl::ascii_iscntrl(c)) return false;
    // A name at the top level must not look like the name of a column that queries do not see.
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

size_t LearnedShareOf(const Table& table, std::string_view project) {
  if (table.project_path.empty()) return kMaxLearnedColumns;
  return project.empty() ? kMaxLearnedOfNoProject : kMaxLearnedOfProject;
}

std::vector<LearnedColumn> VisibleTo(const LearnedTable& learned, std::optional<std::string_view> project) {
  VisibleColumns visible(learned.columns);
  for (const size_t column : learned.everyones) visible.Add(column);
  if (project.has_value()) {
    const auto taught = learned.taught.find(*project);
    if (taught == learned.taught.end()) return visible.Take();
    for (const size_t column : taught->second) visible.Add(column);
    return visible.Take();
  }
  const std::set<size_t> superseded(learned.superseded.begin(), learned.superseded.end());
  for (size_t i = 0; i < learned.columns.size(); ++i) {
    if (!superseded.contains(i)) visible.Add(i);
  }
  return visible.Take();
}

void AddLearned(const std::vector<LearnedColumn>& learned, Table* table) {
  for (const LearnedColumn& column : learned) {
    if (!column.presence) table->columns = WithField(std::move(table->columns), column.path, 0, column.type);
    table->learned_columns.push_back(
        {column.path, column.column, column.presence ? HotColumn::Holds::kPresence : HotColumn::Holds::kValue});
  }
}

TableLayout WithLearned(const TableLayout& declared, const LearnedTable& learned) {
  TableLayout layout = declared;
  AddLearned(VisibleTo(learned, std::nullopt), &layout.table);
  const size_t first = layout.columns.size();
  for (const LearnedColumn& column : learned.columns) {
    layout.columns.push_back(
        {column.column, column.type,
         column.presence ? StoredColumn::Role::kLearnedPresence : StoredColumn::Role::kLearnedValue, column.path});
  }
  for (const size_t i : learned.everyones) layout.columns[first + i].is_everyones = true;
  for (const size_t i : learned.declared) layout.columns[first + i].casts = true;
  for (const auto& [project, columns] : learned.taught) {
    const size_t number = layout.projects.size();
    layout.projects.emplace(project, number);
    for (const size_t i : columns) {
      std::vector<bool>& owners = layout.columns[first + i].owners;
      owners.resize(learned.taught.size());
      owners[number] = true;
    }
  }
  return layout;
}

}  // namespace logquery::store
