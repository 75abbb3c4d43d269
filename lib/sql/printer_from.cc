// Prints FROM: tables, UNNEST, joins, PIVOT, UNPIVOT.
#include "lib/sql/printer_impl.h"

namespace logquery::sql {

void Printer::PrintFrom(const FromItem& item) {
  switch (item.kind) {
    case FromKind::kTable:
      return PrintTable(As<TableItem>(item));
    case FromKind::kUnnest:
      return PrintUnnest(As<UnnestItem>(item));
    case FromKind::kSubquery:
      Put("(");
      PrintQuery(*As<SubqueryItem>(item).query);
      Put(")");
      return PutAlias(item.alias);
    case FromKind::kJoin:
      return PrintJoin(As<JoinItem>(item));
    case FromKind::kTableFunction:
      PutPath(As<TableFunctionItem>(item).name);
      Put("(");
      PrintExprs(As<TableFunctionItem>(item).arguments);
      Put(")");
      return PutAlias(item.alias);
    case FromKind::kPivot:
      PrintFrom(*As<PivotItem>(item).input);
      Put(" ");
      return PrintPivot(As<PivotItem>(item));
    case FromKind::kUnpivot:
      PrintFrom(*As<UnpivotItem>(item).input);
      Put(" ");
      return PrintUnpivot(As<UnpivotItem>(item));
  }
}

void Printer::PrintTable(const TableItem& table) {
  PutPath(table.path);
  PutAlias(table.alias);
  PrintOffset(table.with_offset, table.offset_alias);
}

void Printer::PrintUnnest(const UnnestItem& unnest) {
  Put("UNNEST(");
  PutList(unnest.arrays, [this](const UnnestItem::Array& array) {
    PrintExpr(*array.value);
    PutAlias(array.alias);
  });
  PutClause(", mode => ", unnest.mode);
  Put(")");
  PutAlias(unnest.alias);
  PrintOffset(unnest.with_offset, unnest.offset_alias);
}

void Printer::PrintOffset(bool with_offset, const std::optional<Identifier>& alias) {
  if (!with_offset) return;
  Put(" WITH OFFSET");
  PutAlias(alias);
}

void Printer::PrintJoin(const JoinItem& join) {
  if (join.parenthesized) Put("(");
  PrintFrom(*join.left);
  if (join.type != JoinItem::Type::kComma) Put(" ");
  PrintJoinOf(join);
  if (join.parenthesized) Put(")");
}

void Printer::PrintJoinOf(const JoinItem& join) {
  switch (join.type) {
    case JoinItem::Type::kComma:
      Put(", ");
      break;
    case JoinItem::Type::kCross:
      Put("CROSS JOIN ");
      break;
    case JoinItem::Type::kInner:
      Put("JOIN ");
      break;
    case JoinItem::Type::kLeft:
      Put("LEFT JOIN ");
      break;
    case JoinItem::Type::kRight:
      Put("RIGHT JOIN ");
      break;
    case JoinItem::Type::kFull:
      Put("FULL JOIN ");
      break;
  }
  const auto* const nested = If<JoinItem>(join.right.get());
  const bool wants_parens = nested != nullptr && !nested->parenthesized;
  if (wants_parens) Put("(");
  PrintFrom(*join.right);
  if (wants_parens) Put(")");
  PutClause(" ON ", join.on);
  if (join.columns.empty()) return;
  Put(" USING (");
  PutNames(join.columns);
  Put(")");
}

void Printer::PrintPivot(const PivotItem& pivot) {
  Put("PIVOT(");
  PutList(pivot.aggregates, [this](const PivotItem::Aggregate& aggregate) {
    PrintExpr(*aggregate.call);
    PutAlias(aggregate.alias);
  });
  Put(" FOR ");
  PrintOperand(*pivot.for_expr, Binding::kBitOr);
  Put(" IN (");
  PutList(pivot.values, [this](const PivotItem::Value& value) {
    PrintExpr(*value.value);
    PutAlias(value.alias);
  });
  Put("))");
  PutAlias(pivot.alias);
}

void Printer::PrintUnpivot(const UnpivotItem& unpivot) {
  const auto print_columns = [this](const std::vector<Identifier>& columns) {
    if (columns.size() > 1) Put("(");
    PutNames(columns);
    if (columns.size() > 1) Put(")");
  };
  Put(unpivot.include_nulls ? "UNPIVOT INCLUDE NULLS (" : "UNPIVOT(");
  print_columns(unpivot.value_columns);
  Put(" FOR ");
  PutName(unpivot.name_column);
  Put(" IN (");
  PutList(unpivot.groups, [this, &print_columns](const UnpivotItem::Group& group) {
    print_columns(group.columns);
    PutClause(" AS ", group.label);
  });
  Put("))");
  PutAlias(unpivot.alias);
}

}  // namespace logquery::sql
