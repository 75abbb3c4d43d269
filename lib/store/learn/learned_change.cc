// Visits the survey's tree, and decides for each field by the kinds of its values.
#include "lib/store/learn/learned_change.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/schema_file.h"

namespace logquery::store {
namespace {

using Node = FieldSurvey::Node;

struct Candidate {
  int64_t rows = 0;
  LearnedColumn column;
  size_t known_depth = 0;  // how many names of its path lead through records that there are already
};

uint8_t KindsOf(const Type& type, bool wide_ints) {
  switch ((type.is_array() ? type.element() : type).kind()) {
    case TypeKind::kBool:
      return kBoolKind;
    case TypeKind::kInt64:
      return wide_ints ? kWideIntKind : kIntKind;
    case TypeKind::kFloat64:
      return kFloatKind;
    default:
      return kTextKind;
  }
}

class Decision {
 public:
  Decision(const TableLayout& layout, const std::vector<LearnedColumn>& learned, HasWideInts has_wide_ints)
      : layout_(layout), learned_(learned), has_wide_ints_(has_wide_ints) {
    for (const StoredColumn& column : layout.columns) taken_.insert(column.name);
  }

  absl::StatusOr<LearnedChange> Make(const Node& row) {
    model::FieldPath path;
    LOGQUERY_RETURN_IF_ERROR(VisitFields(row, path, 0));
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.rows != b.rows ? a.rows > b.rows : a.column.path < b.column.path;
    });
    for (Candidate& candidate : candidates_) AddIfThereIsRoom(std::move(candidate));
    std::sort(change_.added.begin(), change_.added.end(), [](const LearnedColumn& a, const LearnedColumn& b) {
      return a.path != b.path ? a.path < b.path : a.presence > b.presence;
    });
    return std::move(change_);
  }

 private:
  absl::Status VisitFields(const Node& node, model::FieldPath& path, size_t known_depth) {
    for (const auto& [name, child] : node.fields) {
      path.push_back(child->name);
      LOGQUERY_RETURN_IF_ERROR(Visit(*child, path, known_depth));
      path.pop_back();
    }
    return absl::OkStatus();
  }

  absl::Status Visit(const Node& node, model::FieldPath& path, size_t known_depth) {
    const bool parent_is_known = known_depth + 1 == path.size();
    const Type* const type = parent_is_known ? model::FieldType(layout_.table.columns, path) : nullptr;
    if (type != nullptr && type->is_record()) return VisitFields(node, path, path.size());
    if (type != nullptr) return Widen(node, path);
    const int64_t most = std::max({node.records, node.scalars, node.arrays});
    if (node.records == most) return VisitFields(node, path, known_depth);
    const bool is_scalar = node.scalars == most;
    const Type scalar = TypeOfKinds(is_scalar ? node.scalar_kinds : node.element_kinds);
    candidates_.push_back(
        {most, {path, LearnedColumnName(path, false), is_scalar ? scalar : Type::Array(scalar)}, known_depth});
    return absl::OkStatus();
  }

  absl::Status Widen(const Node& node, const model::FieldPath& path) {
    const auto is_it = [&](const LearnedColumn& column) {
      return !column.presence && column.path.size() == path.size() &&
             std::equal(path.begin(), path.end(), column.path.begin(), base::EqualsIgnoreCase);
    };
    const auto found = std::find_if(learned_.begin(), learned_.end(), is_it);
    if (found == learned_.end()) return absl::OkStatus();  // declared
    const bool is_array = found->type.is_array();
    const uint8_t more = is_array ? node.element_kinds : node.scalar_kinds;
    if (more == 0) return absl::OkStatus();
    uint8_t kinds = KindsOf(found->type, false);
    if (kinds == kIntKind) {
      LOGQUERY_ASSIGN_OR_RETURN(const bool wide, has_wide_ints_(*found));
      kinds = KindsOf(found->type, wide);
    }
    const Type scalar = TypeOfKinds(kinds | more);
    LearnedColumn now = *found;
    now.type = is_array ? Type::Array(scalar) : scalar;
    if (now.type == found->type) return absl::OkStatus();
    now.column = base::StrCat(LearnedColumnName(found->path, false), ":", now.type.ToString());
    if (!taken_.insert(now.column).second) return absl::OkStatus();
    change_.widened.push_back({static_cast<size_t>(found - learned_.begin()), std::move(now)});
    return absl::OkStatus();
  }

  // With the records that it is in.
  void AddIfThereIsRoom(Candidate candidate) {
    std::vector<LearnedColumn> columns;
    for (size_t depth = candidate.known_depth + 1; depth < candidate.column.path.size(); ++depth) {
      const auto end = candidate.column.path.begin() + static_cast<std::ptrdiff_t>(depth);
      const model::FieldPath record(candidate.column.path.begin(), end);
      if (records_.contains(record)) continue;
      columns.push_back({record, LearnedColumnName(record, true), Type::Bool(), /*presence=*/true});
    }
    columns.push_back(std::move(candidate.column));
    if (learned_.size() + change_.added.size() + columns.size() > kMaxLearnedColumns) return;
    const auto is_taken = [&](const LearnedColumn& column) { return taken_.contains(column.column); };
    if (std::any_of(columns.begin(), columns.end(), is_taken)) return;
    for (LearnedColumn& column : columns) {
      taken_.insert(column.column);
      if (column.presence) records_.insert(column.path);
      change_.added.push_back(std::move(column));
    }
  }

  const TableLayout& layout_;
  const std::vector<LearnedColumn>& learned_;
  const HasWideInts has_wide_ints_;
  base::NameSet taken_;
  std::vector<Candidate> candidates_;
  std::set<model::FieldPath> records_;  // that are new
  LearnedChange change_;
};

}  // namespace

absl::StatusOr<LearnedChange> DecideLearned(const FieldSurvey& survey, const TableLayout& layout,
                                            const std::vector<LearnedColumn>& learned, HasWideInts has_wide_ints) {
  return Decision(layout, learned, has_wide_ints).Make(survey.root());
}

std::vector<LearnedColumn> AfterChange(std::vector<LearnedColumn> learned, const LearnedChange& change) {
  for (const LearnedChange::Widened& widened : change.widened) learned[widened.column] = widened.now;
  learned.insert(learned.end(), change.added.begin(), change.added.end());
  return learned;
}

}  // namespace logquery::store
