// Prints queries, SELECT and its clauses.
#include "lib/sql/printer_impl.h"

namespace logquery::sql {

void Printer::PrintQuery(const Query& query) {
  if (!query.with.empty()) {
    Put(query.recursive ? "WITH RECURSIVE " : "WITH ");
    PrintCtes(query.with);
    Put(" ");
  }
  PrintBody(*query.body);
  if (!query.order_by.empty()) Put(" ORDER BY ");
  PutList(query.order_by, [this](const OrderItem& item) { PrintOrderItem(item); });
  PutClause(" LIMIT ", query.limit);
  PutClause(" OFFSET ", query.offset);
  for (const PipeOperator& pipe : query.pipes) {
    Put(" |> ");
    PrintPipe(pipe);
  }
}

void Printer::PrintCtes(const std::vector<Cte>& ctes) {
  PutList(ctes, [this](const Cte& cte) {
    PutName(cte.name);
    Put(" AS (");
    PrintQuery(*cte.query);
    Put(")");
  });
}

void Printer::PrintBody(const QueryBody& body) {
  switch (body.kind) {
    case BodyKind::kSelect:
      return PrintSelect(As<Select>(body));
    case BodyKind::kSetOperation: {
      const auto& operation = As<SetOperation>(body);
      for (const QueryBodyPtr& input : operation.inputs) {
        if (&input != &operation.inputs.front()) {
          Put(" ");
          PrintSetOperator(operation.op);
          Put(" ");
        }
        PrintBody(*input);
      }
      return;
    }
    case BodyKind::kParenthesized:
      Put("(");
      PrintQuery(*As<ParenthesizedBody>(body).query);
      return Put(")");
    case BodyKind::kFrom:
      Put("FROM ");
      return PrintFrom(*As<FromBody>(body).from);
  }
}

void Printer::PrintSelect(const Select& select) {
  Put("SELECT ");
  PrintSelectKind(select.distinct, select.as);
  PutList(select.items, [this](const SelectItem& item) { PrintItem(item); });
  if (select.from != nullptr) {
    Put(" FROM ");
    PrintFrom(*select.from);
  }
  PutClause(" WHERE ", select.where);
  if (select.group_by.has_value()) {
    Put(" GROUP BY ");
    PrintGroupItems(*select.group_by);
  }
  PutClause(" HAVING ", select.having);
  PutClause(" QUALIFY ", select.qualify);
  if (!select.windows.empty()) PrintWindows(select.windows);
}

void Printer::PrintSelectKind(bool distinct, Select::As as) {
  if (distinct) Put("DISTINCT ");
  switch (as) {
    case Select::As::kRow:
      return;
    case Select::As::kStruct:
      return Put("AS STRUCT ");
    case Select::As::kValue:
      return Put("AS VALUE ");
  }
}

void Printer::PrintItem(const SelectItem& item) {
  if (item.is_star && item.expr != nullptr) PrintBase(*item.expr);
  if (!item.is_star) PrintExpr(*item.expr);
  if (item.is_star) Put(item.expr != nullptr ? ".*" : "*");
  if (!item.except.empty()) {
    Put(" EXCEPT (");
    PutNames(item.except);
    Put(")");
  }
  if (!item.replace.empty()) {
    Put(" REPLACE (");
    PutList(item.replace, [this](const SelectItem::Replacement& replacement) {
      PrintExpr(*replacement.value);
      Put(" AS ");
      PutName(replacement.name);
    });
    Put(")");
  }
  PutAlias(item.alias);
  PrintOrderSuffix(item.has_order, item.descending, item.nulls);
}

void Printer::PrintOrderItem(const OrderItem& item) {
  PrintExpr(*item.expr);
  if (item.collate != nullptr) {
    Put(" COLLATE ");
    PrintOperand(*item.collate, Binding::kPrimary);
  }
  if (item.descending) Put(" DESC");
  PrintNullsOrder(item.nulls);
}

void Printer::PrintNullsOrder(NullsOrder nulls) {
  switch (nulls) {
    case NullsOrder::kDefault:
      return;
    case NullsOrder::kFirst:
      return Put(" NULLS FIRST");
    case NullsOrder::kLast:
      return Put(" NULLS LAST");
  }
}

// The order that an item has of its own in pipe syntax, where being there at all says something.
void Printer::PrintOrderSuffix(bool has_order, bool descending, NullsOrder nulls) {
  if (!has_order) return;
  Put(descending ? " DESC" : " ASC");
  PrintNullsOrder(nulls);
}

void Printer::PrintGroupItems(const GroupBy& group) {
  if (group.all) return Put("ALL");
  PutList(group.items, [this](const GroupItem& item) { PrintGroupItem(item); });
}

void Printer::PrintGroupItem(const GroupItem& item) {
  switch (item.kind) {
    case GroupItem::Kind::kExpr:
      item.expr != nullptr ? PrintExpr(*item.expr) : PrintGroupList(item.lists.front());
      PutAlias(item.alias);
      return PrintOrderSuffix(item.has_order, item.descending, item.nulls);
    case GroupItem::Kind::kRollup:
    case GroupItem::Kind::kCube:
      Put(item.kind == GroupItem::Kind::kRollup ? "ROLLUP(" : "CUBE(");
      PutList(item.lists, [this](const std::vector<ExprPtr>& columns) { PrintGroupList(columns); });
      return Put(")");
    case GroupItem::Kind::kGroupingSets:
      Put("GROUPING SETS (");
      PutList(item.sets, [this](const GroupItem& set) { PrintGroupItem(set); });
      return Put(")");
    case GroupItem::Kind::kEmpty:
      return Put("()");
  }
}

void Printer::PrintGroupList(const std::vector<ExprPtr>& columns) {
  if (columns.size() == 1) return PrintExpr(*columns.front());
  Put("(");
  PrintExprs(columns);
  Put(")");
}

void Printer::PrintWindows(const std::vector<Select::NamedWindow>& windows) {
  Put(" WINDOW ");
  PutList(windows, [this](const Select::NamedWindow& window) {
    PutName(window.name);
    Put(" AS ");
    PrintWindowSpec(window.spec);
  });
}

void Printer::PrintSetOperator(const SetOperator& op) {
  switch (op.outer) {
    case SetOperator::Outer::kNone:
      break;
    case SetOperator::Outer::kFull:
      Put("FULL ");
      break;
    case SetOperator::Outer::kLeft:
      Put("LEFT ");
      break;
    case SetOperator::Outer::kInner:
      Put("INNER ");
      break;
  }
  switch (op.kind) {
    case SetOperator::Kind::kUnion:
      Put("UNION");
      break;
    case SetOperator::Kind::kIntersect:
      Put("INTERSECT");
      break;
    case SetOperator::Kind::kExcept:
      Put("EXCEPT");
      break;
  }
  Put(op.distinct ? " DISTINCT" : " ALL");
  const bool by_name = op.match == SetOperator::Match::kByName;
  if (by_name) Put(" BY NAME");
  if (op.match == SetOperator::Match::kCorresponding) Put(op.strict ? " STRICT CORRESPONDING" : " CORRESPONDING");
  if (op.columns.empty()) return;
  Put(by_name ? " ON (" : " BY (");
  PutNames(op.columns);
  Put(")");
}

}  // namespace logquery::sql
