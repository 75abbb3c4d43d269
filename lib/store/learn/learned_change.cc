// Visits each project's survey, and decides for each field by the kinds of its values.
#include "lib/store/learn/learned_change.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "lib/model/schema_file.h"

namespace logquery::store {
namespace {

using Node = FieldSurvey::Node;

struct Candidate {
  int64_t rows = 0;
  LearnedColumn column;
  size_t known_depth = 0;  // how many names of its path lead through records that there are already
};

// Decides what the rows of one token and project teach. `learned` includes what others have taught in the same change.
class Decision {
 public:
  Decision(const TableLayout& declared, const LearnedTable& learned, std::string_view token, std::string_view project,
           ColumnNames* names)
      : declared_(declared), learned_(learned), token_(token), project_(project), names_(names), seen_(declared.table) {
    AddLearned(VisibleTo(learned, project), &seen_);
    const auto taught = learned.taught.find(project);
    if (taught != learned.taught.end()) has_ = taught->second.size();
    const auto lessons = learned.lessons.find(token);
    if (token.empty() || lessons == learned.lessons.end()) return;
    for (const LearnedTable::Lesson& lesson : lessons->second) {
      of_token_.insert(lesson.column);
      if (lesson.project == project) ++token_has_;
    }
  }

  const LearnedChange& change() const { return change_; }

  // Returns whether there was room for all.
  bool Make(const Node& row) {
    model::FieldPath path;
    VisitFields(row, path, 0);
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.rows != b.rows ? a.rows > b.rows : a.column.path < b.column.path;
    });
    bool is_room = true;
    for (Candidate& candidate : candidates_) is_room = AddIfThereIsRoom(std::move(candidate)) && is_room;
    std::sort(chosen_.begin(), chosen_.end(), [](const LearnedColumn& a, const LearnedColumn& b) {
      return a.path != b.path ? a.path < b.path : a.presence > b.presence;
    });
    for (LearnedColumn& column : chosen_) Teach(std::move(column));
    return is_room;
  }

 private:
  void VisitFields(const Node& node, model::FieldPath& path, size_t known_depth) {
    for (const auto& [name, child] : node.fields) {
      path.push_back(child->name);
      Visit(*child, path, known_depth);
      path.pop_back();
    }
  }

  void Visit(const Node& node, model::FieldPath& path, size_t known_depth) {
    const bool parent_is_known = known_depth + 1 == path.size();
    const Type* const type = parent_is_known ? model::FieldType(seen_.columns, path) : nullptr;
    if (type != nullptr && type->is_record()) return VisitFields(node, path, path.size());
    if (type != nullptr) return;  // it has its column
    const int64_t most = std::max({node.records, node.scalars, node.arrays});
    if (node.records == most) return VisitFields(node, path, known_depth);
    const bool is_scalar = node.scalars == most;
    const Type scalar = TypeOfKinds(is_scalar ? node.scalar_kinds : node.element_kinds);
    candidates_.push_back({most, {path, "", is_scalar ? scalar : Type::Array(scalar)}, known_depth});
  }

  // Adds the field together with the records that contain it.
  bool AddIfThereIsRoom(Candidate candidate) {
    std::vector<LearnedColumn> columns;
    for (size_t depth = candidate.known_depth + 1; depth < candidate.column.path.size(); ++depth) {
      const auto end = candidate.column.path.begin() + static_cast<std::ptrdiff_t>(depth);
      const model::FieldPath record(candidate.column.path.begin(), end);
      if (!records_.contains(record)) columns.push_back({record, "", Type::Bool(), /*presence=*/true});
    }
    columns.push_back(std::move(candidate.column));
    if (IsReserved(columns.front().path)) return true;
    const auto is_new = [&](const LearnedColumn& column) { return !FindSame(column).has_value(); };
    const auto new_columns = static_cast<size_t>(std::count_if(columns.begin(), columns.end(), is_new));
    const size_t share = LearnedShareOf(declared_.table, project_);
    if (has_ + chosen_.size() + columns.size() > share) return false;
    if (learned_.counted() + new_ + new_columns > kMaxLearnedColumns) return false;
    if (!token_.empty() && !HasTokenRoom(columns)) return false;
    new_ += new_columns;
    for (LearnedColumn& column : columns) {
      if (column.presence) records_.insert(column.path);
      chosen_.push_back(std::move(column));
    }
    return true;
  }

  // Counts the columns of the token if there is room for them.
  bool HasTokenRoom(const std::vector<LearnedColumn>& columns) {
    const size_t of_project = token_has_ + chosen_.size() + columns.size();
    if (!project_.empty() && of_project > kMaxLearnedOfTokenInProject) return false;
    const auto is_new = [&](const LearnedColumn& column) {
      const std::optional<size_t> same = FindSame(column);
      return !same.has_value() || !of_token_.contains(*same);
    };
    const auto new_columns = static_cast<size_t>(std::count_if(columns.begin(), columns.end(), is_new));
    if (of_token_.size() + token_new_ + new_columns > kMaxLearnedOfToken) return false;
    token_new_ += new_columns;
    return true;
  }

  // The store has a column of its own with this name.
  bool IsReserved(const model::FieldPath& path) const {
    if (path.size() > 1) return false;
    const auto is_it = [&](const StoredColumn& column) { return base::EqualsIgnoreCase(column.name, path[0]); };
    return std::any_of(declared_.columns.begin(), declared_.columns.end(), is_it);
  }

  // A column that other projects have for the same path and type, by its index.
  std::optional<size_t> FindSame(const LearnedColumn& wanted) const {
    const auto is_same = [&](const LearnedColumn& column) {
      return column.presence == wanted.presence && column.path == wanted.path && column.type == wanted.type;
    };
    const std::vector<LearnedColumn>& columns = learned_.columns;
    for (auto at = std::find_if(columns.begin(), columns.end(), is_same); at != columns.end();
         at = std::find_if(at + 1, columns.end(), is_same)) {
      const auto index = static_cast<size_t>(at - columns.begin());
      const std::vector<size_t>& superseded = learned_.superseded;
      if (std::find(superseded.begin(), superseded.end(), index) == superseded.end()) return index;
    }
    return std::nullopt;
  }

  void Teach(LearnedColumn column) {
    std::optional<size_t> index = FindSame(column);
    if (!index.has_value()) {
      names_->Name(&column);
      index = learned_.columns.size() + change_.added.size();
      change_.added.push_back(std::move(column));
    }
    change_.taught.push_back({project_, *index, token_});
  }

  const TableLayout& declared_;
  const LearnedTable& learned_;
  const std::string token_;
  const std::string project_;
  ColumnNames* const names_;
  LearnedChange change_;
  Table seen_;                 // as the project's queries see it
  size_t has_ = 0;             // columns of the project
  size_t new_ = 0;             // columns in `chosen_` that no project has yet
  std::set<size_t> of_token_;  // columns that the token has taught, to any project
  size_t token_has_ = 0;       // columns that the token has taught to the project
  size_t token_new_ = 0;       // columns in `chosen_` that are not in `of_token_`
  std::vector<Candidate> candidates_;
  std::set<model::FieldPath> records_;  // that are new
  std::vector<LearnedColumn> chosen_;
};

}  // namespace

ColumnNames::ColumnNames(const TableLayout& declared, const LearnedTable& learned) {
  for (const StoredColumn& column : declared.columns) taken_.insert(column.name);
  for (const LearnedColumn& column : learned.columns) taken_.insert(column.column);
}

void ColumnNames::Name(LearnedColumn* column) {
  const std::string plain = LearnedColumnName(column->path, column->presence);
  column->column = plain;
  if (!taken_.insert(plain).second) column->column = base::StrCat(plain, ":", column->type.ToString());
  // Paths that differ only in letter case.
  for (int i = 2; column->column != plain && !taken_.insert(column->column).second; ++i) {
    column->column = absl::StrCat(plain, ":", column->type.ToString(), ":", i);
  }
}

LearnedChange DecideLearned(const RowSurveys& surveys, const TableLayout& declared, const LearnedTable& learned,
                            RowOwners* full) {
  LearnedChange change;
  LearnedTable now = learned;
  ColumnNames names(declared, learned);
  for (const auto& [token, projects] : surveys.by_token()) {
    for (const auto& [project, survey] : projects) {
      if (!survey.has_news()) continue;
      Decision decision(declared, now, token, project, &names);
      // Fields of a token or project that has used up its share need not be examined again.
      if (!decision.Make(survey.root())) full->Add(token, project);
      now = AfterChange(std::move(now), decision.change());
      change.added.insert(change.added.end(), decision.change().added.begin(), decision.change().added.end());
      change.taught.insert(change.taught.end(), decision.change().taught.begin(), decision.change().taught.end());
    }
  }
  return change;
}

LearnedTable AfterChange(LearnedTable learned, const LearnedChange& change) {
  learned.columns.insert(learned.columns.end(), change.added.begin(), change.added.end());
  const auto add_to = [](std::vector<size_t>& columns, size_t column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  };
  for (const LearnedChange::Taught& taught : change.taught) {
    add_to(learned.taught[taught.project], taught.column);
    if (!taught.token.empty()) learned.lessons[taught.token].push_back({taught.project, taught.column});
  }
  for (const size_t column : change.declared) {
    add_to(learned.everyones, column);
    add_to(learned.declared, column);
  }
  for (const size_t column : change.superseded) {
    const auto drop = [&](std::vector<size_t>& from) {
      from.erase(std::remove(from.begin(), from.end(), column), from.end());
    };
    drop(learned.everyones);
    drop(learned.declared);
    for (auto& [project, columns] : learned.taught) drop(columns);
    for (auto& [token, lessons] : learned.lessons) {
      std::erase_if(lessons, [&](const LearnedTable::Lesson& lesson) { return lesson.column == column; });
    }
    add_to(learned.superseded, column);
  }
  return learned;
}

}  // namespace logquery::store
