// FROM: the logs become `logs`, UNNEST of records vanishes into keys, lists become ARRAY JOIN.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

size_t CountRows(const sql::FromItem& item, const ResolvedNames& names) {
  if (const auto* join = sql::If<sql::JoinItem>(&item))
    return CountRows(*join->left, names) + CountRows(*join->right, names);
  return names.RowsOfItem(item) != nullptr ? 1 : 0;
}

bool StartsWithPath(const std::vector<std::string>& path, const std::vector<std::string>& begin) {
  return path.size() >= begin.size() && std::equal(begin.begin(), begin.end(), path.begin());
}

ch::ExprPtr NullableItem(const ChColumn& column) {
  ch::ExprPtr name = ch::MakeName(column.name);
  if (column.nullable) return name;
  ch::ExprPtr made = ch::MakeCallOf("toNullable", std::move(name));
  made->alias = column.name;
  return made;
}

}  // namespace

absl::StatusOr<ch::FromPtr> ToClickHouse::From(const sql::FromItem& item, Scope& scope) {
  if (CountRows(item, names_) >= kMaxSources) return Unsupported(item.span, "so many tables in one FROM");
  switch (item.kind) {
    case sql::FromKind::kTable:
      return TableFrom(sql::As<sql::TableItem>(item), scope);
    case sql::FromKind::kJoin: {
      const auto& join = sql::As<sql::JoinItem>(item);
      LOGQUERY_ASSIGN_OR_RETURN(ch::FromPtr left, From(*join.left, scope));
      return JoinFrom(join, std::move(left), scope);
    }
    case sql::FromKind::kUnnest:
      return ListFrom(sql::As<sql::UnnestItem>(item), scope);
    case sql::FromKind::kSubquery: {
      const auto& subquery = sql::As<sql::SubqueryItem>(item);
      LOGQUERY_ASSIGN_OR_RETURN(Rows rows, QueryRows(*subquery.query, scope.outer));
      Source source;
      source.item = &item;
      source.alias = item.alias ? item.alias->text : StrCat("q", ++made_names_);
      source.qualifier = source.alias;
      source.columns = std::move(rows.columns);
      auto from = std::make_unique<ch::From>();
      from->kind = ch::From::Kind::kSubquery;
      from->span = item.span;
      from->query = std::move(rows.query);
      from->alias = source.alias;
      scope.sources.push_back(std::move(source));
      return from;
    }
    case sql::FromKind::kTableFunction:
    case sql::FromKind::kPivot:
    case sql::FromKind::kUnpivot:
      return Unsupported(item.span, "this item of FROM");
  }
  return absl::InternalError("unknown kind of FROM item");
}

absl::StatusOr<ch::FromPtr> ToClickHouse::TableFrom(const sql::TableItem& item, Scope& scope) {
  const RowsOf* rows = names_.RowsOfItem(item);
  if (rows == nullptr) return Unsupported(item.span, "a list of another table as the first item of FROM");
  Source source;
  source.item = &item;
  source.alias = item.alias ? item.alias->text : "";
  auto from = std::make_unique<ch::From>();
  from->span = item.span;
  if (!rows->of_endpoint) {
    std::string written;
    const std::vector<ChColumn>* columns = FindEntry(rows->entry, written);
    if (columns == nullptr) return Unsupported(item.span, "this table");
    source.columns = *columns;
    source.qualifier = source.alias.empty() ? written : source.alias;
    from->name = written;
    from->alias = source.alias;
    scope.sources.push_back(std::move(source));
    return from;
  }
  for (const Table& table : catalog_.tables()) {
    if (base::EqualsIgnoreCase(table.log, rows->entry)) source.log = &table;
  }
  if (source.log == nullptr) return Unsupported(item.span, StrCat(rows->entry, " is no log"));
  source.log_name = source.log->log;
  const bool is_first = scope.sources.empty();
  source.qualifier = !source.alias.empty() ? source.alias : is_first ? "logs" : source.log_name;
  if (source.alias.empty() && !is_first) source.alias = source.log_name;
  from->name = "logs";
  from->alias = source.alias;
  scope.sources.push_back(std::move(source));
  return from;
}

// Rows of a list that stands alone: SELECT arrayJoin(list) AS alias.
absl::StatusOr<ch::FromPtr> ToClickHouse::ListFrom(const sql::UnnestItem& item, Scope& scope) {
  if (item.arrays.size() != 1 || item.with_offset || !scope.sources.empty())
    return Unsupported(item.span, "UNNEST of several arrays, or WITH OFFSET");
  const auto& alias = item.arrays[0].alias ? item.arrays[0].alias : item.alias;
  if (!alias) return Unsupported(item.span, "UNNEST without an alias");
  Scope inner;
  inner.outer = scope.outer;
  LOGQUERY_ASSIGN_OR_RETURN(ChValue list, Expr(*item.arrays[0].value, inner));
  ch::ExprPtr element = ch::MakeCallOf("arrayJoin", std::move(list.expr));
  element->alias = alias->text;
  auto from = std::make_unique<ch::From>();
  from->kind = ch::From::Kind::kSubquery;
  from->span = item.span;
  from->query = std::make_unique<ch::Query>();
  from->query->parts.emplace_back();
  from->query->parts[0].select = std::make_unique<ch::Select>();
  from->query->parts[0].select->items.push_back(std::move(element));
  from->alias = StrCat("q", ++made_names_);
  Source source;
  source.item = &item;
  source.alias = source.qualifier = from->alias;
  source.columns.push_back({alias->text, list.type.is_array() ? list.type.element() : list.type, list.nullable, false});
  scope.sources.push_back(std::move(source));
  return from;
}

absl::StatusOr<ch::FromPtr> ToClickHouse::JoinFrom(const sql::JoinItem& item, ch::FromPtr left, Scope& scope) {
  using Type = sql::JoinItem::Type;
  const bool is_rows = names_.RowsOfItem(*item.right) != nullptr;
  const bool is_left = item.type == Type::kLeft;
  if (item.right->kind == sql::FromKind::kJoin)
    return Unsupported(item.right->span, "a join as the right side of a join");
  if (!is_rows) {
    if (item.type == Type::kRight || item.type == Type::kFull)
      return Unsupported(item.span, "RIGHT or FULL JOIN UNNEST");
    LOGQUERY_RETURN_IF_ERROR(Unnest(*item.right, is_left, scope));
    const auto* constant = sql::If<sql::Literal>(item.on.get());
    const bool on_true = item.on == nullptr || (constant != nullptr && base::EqualsIgnoreCase(constant->text, "true"));
    if (on_true) return left;
    if (is_left) return Unsupported(item.on->span, "LEFT JOIN UNNEST with a condition");
    LOGQUERY_ASSIGN_OR_RETURN(ChValue on, Expr(*item.on, scope, Use::kCondition));
    scope.conditions.push_back(std::move(on.expr));
    return left;
  }
  if (item.type == Type::kRight || item.type == Type::kFull)
    return Unsupported(item.span, "RIGHT and FULL JOIN; write a LEFT JOIN");
  if (scope.sources.size() == 1 && scope.sources[0].log != nullptr && scope.sources[0].alias.empty()) {
    // Two tables of one name: the first is called as its log is.
    scope.sources[0].alias = scope.sources[0].qualifier = scope.sources[0].log_name;
    left->alias = scope.sources[0].alias;
  }
  auto join = std::make_unique<ch::From>();
  join->kind = ch::From::Kind::kJoin;
  join->span = item.span;
  LOGQUERY_ASSIGN_OR_RETURN(join->right, From(*item.right, scope));
  Source& right = scope.sources.back();
  join->left = std::move(left);
  const bool has_condition = item.on != nullptr || !item.columns.empty();
  join->join = is_left ? ch::From::Join::kLeft : has_condition ? ch::From::Join::kInner : ch::From::Join::kCross;
  if (is_left) {
    if (right.log != nullptr)
      return Unsupported(item.right->span, "LEFT JOIN of a log; select its columns in a WITH entry, and join that");
    // Columns of an absent row are NULL only if their types are Nullable.
    auto wrapped = std::make_unique<ch::From>();
    wrapped->kind = ch::From::Kind::kSubquery;
    wrapped->span = item.right->span;
    wrapped->alias = right.qualifier;
    auto select = std::make_unique<ch::Select>();
    for (ChColumn& column : right.columns) {
      select->items.push_back(NullableItem(column));
      column.nullable = true;
    }
    if (join->right->kind == ch::From::Kind::kTable) join->right->alias.clear();
    select->from = std::move(join->right);
    wrapped->query = std::make_unique<ch::Query>();
    wrapped->query->parts.emplace_back();
    wrapped->query->parts[0].select = std::move(select);
    join->right = std::move(wrapped);
    right.absent = true;
    Note(item.span, "in ClickHouse the columns of an absent row have defaults; toNullable makes them NULL");
  }
  if (item.on != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue on, Expr(*item.on, scope, Use::kCondition));
    join->on = std::move(on.expr);
  }
  std::vector<ch::ExprPtr> equalities;
  for (const sql::Identifier& name : item.columns) {
    const Source* first = nullptr;
    for (const Source& source : scope.sources) {
      if (first == nullptr && &source != &right && ColumnOf(source, name.text, scope, name.span).ok()) first = &source;
    }
    if (first == nullptr) return Unsupported(name.span, "this column of USING");
    LOGQUERY_ASSIGN_OR_RETURN(ChValue a, ColumnOf(*first, name.text, scope, name.span));
    LOGQUERY_ASSIGN_OR_RETURN(ChValue b, ColumnOf(right, name.text, scope, name.span));
    equalities.push_back(ch::MakeCallOf("equals", std::move(a.expr), std::move(b.expr)));
  }
  if (!equalities.empty())
    join->on = equalities.size() == 1 ? std::move(equalities[0]) : ch::MakeCall("and", std::move(equalities));
  return join;
}

// UNNEST of a stored record or list of a log.
absl::Status ToClickHouse::Unnest(const sql::FromItem& item, bool left, Scope& scope) {
  const std::optional<NameSource> array = names_.ArrayOf(item);
  const Source* source = array ? FindSource(array->item, scope) : nullptr;
  if (source == nullptr || source->log == nullptr)
    return Unsupported(item.span, "UNNEST of another list than a stored one of a log");
  if (source->absent) return Unsupported(item.span, "UNNEST of a log that may be absent");
  if (names_.IsRecord(item)) {
    if (array->column != "metadata") return Unsupported(item.span, "UNNEST of this column");
    if (left) return absl::OkStatus();
    for (Source& known : scope.sources) {
      if (&known == source) known.required.push_back({array->fields, item.span});
    }
    return absl::OkStatus();
  }
  if (left) return Unsupported(item.span, "LEFT JOIN UNNEST of a list");
  if (!scope.array_join.empty()) return Unsupported(item.span, "UNNEST of two lists");
  std::optional<sql::Identifier> alias = item.alias;
  bool with_offset = false;
  std::optional<sql::Identifier> offset_alias;
  if (const auto* unnest = sql::If<sql::UnnestItem>(&item)) {
    if (unnest->arrays.size() != 1) return Unsupported(item.span, "UNNEST of several arrays");
    if (unnest->arrays[0].alias) alias = unnest->arrays[0].alias;
    with_offset = unnest->with_offset;
    offset_alias = unnest->offset_alias;
  } else if (const auto* table = sql::If<sql::TableItem>(&item)) {
    if (!alias) alias = table->path.back();
    with_offset = table->with_offset;
    offset_alias = table->offset_alias;
  }
  if (!alias) return Unsupported(item.span, "UNNEST of a list without an alias");
  LOGQUERY_ASSIGN_OR_RETURN(const std::string key, KeyOf(*source, *array, item.span));
  const Type element = ListElement(*source, *array);
  LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr list, ListOf(Attribute(*source, key, scope), element, item.span));
  Source elements;
  elements.item = &item;
  elements.alias = elements.qualifier = "";
  elements.columns.push_back({alias->text, element, false, false});
  ch::ExprPtr places = ch::MakeCallOf("range", ch::MakeCallOf("length", ch::CloneExpr(*list)));
  list->alias = alias->text;
  scope.array_join.push_back(std::move(list));
  if (with_offset) {
    places->alias = offset_alias ? offset_alias->text : "offset";
    elements.columns.push_back({places->alias, Type::Int64(), false, false});
    scope.array_join.push_back(std::move(places));
  }
  scope.sources.push_back(std::move(elements));
  return absl::OkStatus();
}

// The conditions that FROM stands for: which log it is, and the records without which BigQuery has no row.
absl::Status ToClickHouse::AddPresence(const sql::Expr* where, Scope& scope) {
  std::vector<ch::ExprPtr> logs, records;
  for (const Source& source : scope.sources) {
    if (source.log == nullptr) continue;
    logs.push_back(
        ch::MakeCallOf("equals", Qualified(source, "source", scope), ch::MakeString(std::string(source.log_name))));
    const auto deeper = [&](const Required& required) {
      return std::any_of(source.required.begin(), source.required.end(), [&](const Required& other) {
        return other.fields.size() > required.fields.size() && StartsWithPath(other.fields, required.fields);
      });
    };
    std::vector<std::vector<std::string>> seen;
    for (const Required& required : source.required) {
      const bool again = std::find(seen.begin(), seen.end(), required.fields) != seen.end();
      if (again || deeper(required) || (where != nullptr && Implies(*where, source, required.fields))) continue;
      seen.push_back(required.fields);
      if (!required.fields.empty()) {
        records.push_back(HasRecord(source, base::Join(required.fields, "."), scope));
        Note(required.span,
             "CROSS JOIN UNNEST drops rows without the record; log_attributes shows a record by its keys, so a row "
             "whose "
             "record has no field is dropped, too");
        continue;
      }
      // A row without metadata belongs to no project there.
      const bool never_absent = !source.log->project_path.empty() && source.log->project_path[0] == "metadata";
      if (never_absent) continue;
      if (!options_.rows_have_metadata) {
        return Unsupported(
            required.span,
            StrCat("CROSS JOIN UNNEST(metadata) drops rows of ", source.log_name,
                   " whose metadata is NULL, which log_attributes can't tell from an empty record; write "
                   "LEFT JOIN UNNEST(metadata), or a condition on one of its fields"));
      }
      Note(required.span, "every row is taken to have metadata; BigQuery's CROSS JOIN UNNEST drops rows without it");
    }
  }
  for (auto* list : {&logs, &records}) {
    for (ch::ExprPtr& condition : *list) scope.conditions.push_back(std::move(condition));
  }
  return absl::OkStatus();
}

bool ToClickHouse::Implies(const sql::Expr& condition, const Source& source,
                           const std::vector<std::string>& record) const {
  // Whether the operand is a field of the record: then it is NULL where the record is absent.
  const auto reads = [&](const sql::ExprPtr& operand) {
    const sql::Expr* expr = operand.get();
    while (const auto* cast = sql::If<sql::CastExpr>(expr)) expr = cast->operand.get();
    if (expr == nullptr) return false;
    const std::optional<NameSource> name = names_.SourceOf(*expr);
    return name && name->item == source.item && name->column == "metadata" && name->fields.size() > record.size() &&
           StartsWithPath(name->fields, record);
  };
  switch (condition.kind) {
    case sql::ExprKind::kNary: {
      const auto& nary = sql::As<sql::Nary>(condition);
      const auto implies = [&](const sql::ExprPtr& operand) { return Implies(*operand, source, record); };
      if (nary.op == sql::Nary::Op::kAnd) return std::any_of(nary.operands.begin(), nary.operands.end(), implies);
      return nary.op == sql::Nary::Op::kOr && std::all_of(nary.operands.begin(), nary.operands.end(), implies);
    }
    case sql::ExprKind::kBinary: {
      const auto& binary = sql::As<sql::Binary>(condition);
      using Op = sql::Binary::Op;
      const bool compares = binary.op == Op::kEqual || binary.op == Op::kNotEqual || binary.op == Op::kLess ||
                            binary.op == Op::kLessOrEqual || binary.op == Op::kGreater ||
                            binary.op == Op::kGreaterOrEqual;
      return compares && (reads(binary.left) || reads(binary.right));
    }
    case sql::ExprKind::kBetween:
      return reads(sql::As<sql::Between>(condition).value);
    case sql::ExprKind::kIn:
      return !sql::As<sql::InExpr>(condition).candidates.list.empty() && reads(sql::As<sql::InExpr>(condition).value);
    case sql::ExprKind::kLike:
      return reads(sql::As<sql::LikeExpr>(condition).value);
    case sql::ExprKind::kIsTest: {
      const auto& test = sql::As<sql::IsTest>(condition);
      return test.what == sql::IsTest::What::kNull && test.negated && reads(test.operand);
    }
    case sql::ExprKind::kCall: {
      const auto& call = sql::As<sql::Call>(condition);
      const bool strict = call.name.size() == 1 && !call.arguments.empty() &&
                          (base::EqualsIgnoreCase(call.name[0].text, "starts_with") ||
                           base::EqualsIgnoreCase(call.name[0].text, "ends_with") ||
                           base::EqualsIgnoreCase(call.name[0].text, "regexp_contains"));
      return strict && call.arguments[0].value != nullptr && reads(call.arguments[0].value);
    }
    default:
      return false;
  }
}

}  // namespace logquery::tools
