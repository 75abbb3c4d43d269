// Writes joins: both sides become items of one FROM clause.
#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::Join;
using rewrite::PlanColumn;

namespace {

std::string_view JoinWords(Join::Type type) {
  switch (type) {
    case Join::Type::kCross:
      return "CROSS JOIN";
    case Join::Type::kInner:
      return "JOIN";
    case Join::Type::kLeft:
      return "LEFT JOIN";
    case Join::Type::kRight:
      return "RIGHT JOIN";
    case Join::Type::kFull:
      return "FULL JOIN";
  }
  return "JOIN";
}

bool LeftMayBeNull(Join::Type type) { return type == Join::Type::kRight || type == Join::Type::kFull; }
bool RightMayBeNull(Join::Type type) { return type == Join::Type::kLeft || type == Join::Type::kFull; }

}  // namespace

bool Emitter::IsFromItem(const Select& side, const Columns& columns, bool nullable, bool may_have_where) const {
  if (side.stage != Select::Stage::kOpen || side.from.empty() || side.IsLimited() || !side.with.empty()) return false;
  if (!side.where.empty() && !may_have_where) return false;
  const Columns needed = Needed(columns);
  return std::all_of(needed.begin(), needed.end(), [&](const PlanColumn& column) {
    auto found = side.known.find(column.id);
    if (found == side.known.end() || found->second.computed) return false;
    // A constant or a test would not be NULL in the rows that an outer join fills with NULLs.
    return !nullable || found->second.text.kind == Text::Kind::kPath;
  });
}

void Emitter::MakeFromItem(Select& side, const Columns& columns, bool nullable, bool may_have_where) {
  // The order of a side is nothing to a join, but to the side's own LIMIT.
  if (!side.IsLimited()) side.order.clear();
  if (!IsFromItem(side, columns, nullable, may_have_where)) {
    Wrap(side, columns);
    side.order.clear();
  }
}

absl::StatusOr<Select> Emitter::BuildJoin(const Join& join) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*join.left, false));
  LOGQUERY_ASSIGN_OR_RETURN(Select right, Build(*join.right, false));
  const bool outer = LeftMayBeNull(join.type) || RightMayBeNull(join.type);
  MakeFromItem(select, join.left->columns, LeftMayBeNull(join.type), !LeftMayBeNull(join.type));
  MakeFromItem(right, join.right->columns, RightMayBeNull(join.type), !outer);
  const bool parenthesize = right.joined;
  base::StrAppend(&select.from, " ", JoinWords(join.type), " ", parenthesize ? "(" : "", right.from,
                  parenthesize ? ")" : "");
  select.joined = true;
  select.where.insert(select.where.end(), right.where.begin(), right.where.end());
  select.known.insert(right.known.begin(), right.known.end());
  if (join.condition != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string condition, Conjunction(select, *join.condition));
    base::StrAppend(&select.from, " ON ", condition);
  } else if (join.type != Join::Type::kCross) {
    select.from += " ON TRUE";
  }
  return select;
}

absl::Status Emitter::AddSemiJoin(Select& select, const SemiJoin& join, const Columns& columns) {
  if (select.stage != Select::Stage::kOpen || select.from.empty() || select.IsLimited()) Wrap(select, columns);
  LOGQUERY_ASSIGN_OR_RETURN(Select rows, Build(*join.rows, false));
  LOGQUERY_RETURN_IF_ERROR(AddConjuncts(rows, join.own, join.rows->columns));
  MakeFromItem(rows, join.rows->columns, /*nullable=*/false, /*may_have_where=*/false);
  Select both = select;
  both.known.insert(rows.known.begin(), rows.known.end());
  std::vector<std::string> texts;
  for (const rewrite::Scalar* condition : join.on) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(both, *condition));
    texts.push_back(std::move(text.sql));
  }
  base::StrAppend(&select.from, join.anti ? " ANTI JOIN " : " SEMI JOIN ", rows.joined ? "(" : "", rows.from,
                  rows.joined ? ")" : "", " ON ", base::Join(texts, " AND "));
  select.joined = true;
  return absl::OkStatus();
}

absl::StatusOr<std::string> Emitter::Conjunction(const Select& select, const rewrite::Scalar& condition) {
  std::vector<std::string> texts;
  for (const rewrite::Scalar* conjunct : rewrite::ConjunctsOf(condition)) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *conjunct));
    texts.push_back(std::move(text.sql));
  }
  return base::Join(texts, " AND ");
}

}  // namespace logquery::emit
