// Queries by chance, and windows, which are made of what queries are made of.
#include <utility>

#include "tests/sql/tree_generator.h"

namespace logquery::sql {

std::vector<OrderItem> TreeGenerator::MakeOrder(int depth) {
  std::vector<OrderItem> items;
  for (int i = Below(3); i > 0; --i) {
    OrderItem item;
    item.expr = MakeExpr(depth);
    item.descending = Chance(50);
    item.nulls = static_cast<NullsOrder>(Below(3));
    if (Chance(10)) item.collate = MakeLiteral();
    items.push_back(std::move(item));
  }
  return items;
}

WindowSpec TreeGenerator::MakeWindow(int depth) {
  WindowSpec spec;
  spec.base = MaybeName();
  if (Chance(50)) spec.partition_by = MakeExprs(2, depth);
  spec.order_by = MakeOrder(depth);
  if (Chance(50)) {
    const auto make_bound = [this, depth] {
      WindowBound bound;
      bound.kind = static_cast<WindowBound::Kind>(Below(5));
      const bool offset = bound.kind == WindowBound::Kind::kPreceding || bound.kind == WindowBound::Kind::kFollowing;
      if (offset) bound.offset = MakeExpr(depth);
      return bound;
    };
    spec.frame.emplace();
    spec.frame->unit = static_cast<WindowFrame::Unit>(Below(3));
    spec.frame->start = make_bound();
    if (Chance(50)) spec.frame->end = make_bound();
  }
  return spec;
}

QueryPtr TreeGenerator::MakeQuery(int depth) {
  auto query = std::make_unique<Query>();
  if (depth > 1 && Chance(20)) {
    query->recursive = Chance(50);
    for (int i = 1 + Below(2); i > 0; --i) query->with.push_back({MakeName(), MakeQuery(depth - 1)});
  }
  query->body = MakeBody(depth);
  if (query->body->kind != BodyKind::kFrom) {
    query->order_by = MakeOrder(depth - 1);
    if (Chance(20)) query->limit = MakeExpr(0);
    if (query->limit != nullptr && Chance(50)) query->offset = MakeExpr(0);
  }
  if (Chance(25)) {
    for (int i = 1 + Below(3); i > 0; --i) query->pipes.push_back(MakePipe(depth - 1));
  }
  return query;
}

QueryBodyPtr TreeGenerator::MakeBody(int depth) {
  const int choice = depth > 0 ? Below(10) : 9;
  if (choice == 0) {
    auto body = std::make_unique<FromBody>();
    body->from = MakeFrom(depth - 1);
    return body;
  }
  if (choice == 1) {
    auto body = std::make_unique<ParenthesizedBody>();
    body->query = MakeQuery(depth - 1);
    return body;
  }
  if (choice > 3) return MakeSelect(depth);
  auto operation = std::make_unique<SetOperation>();
  SetOperator& op = operation->op;
  op.kind = static_cast<SetOperator::Kind>(Below(3));
  op.distinct = Chance(50);
  op.match = static_cast<SetOperator::Match>(Below(3));
  if (op.match != SetOperator::Match::kByPosition) {
    op.outer = static_cast<SetOperator::Outer>(Below(4));
    if (Chance(30)) op.columns = MakeNames(2);
  }
  op.strict = op.match == SetOperator::Match::kCorresponding && Chance(50);
  for (int i = 2 + Below(2); i > 0; --i) {
    if (Chance(70)) {
      operation->inputs.push_back(MakeSelect(depth - 1));
    } else {
      auto body = std::make_unique<ParenthesizedBody>();
      body->query = MakeQuery(depth - 1);
      operation->inputs.push_back(std::move(body));
    }
  }
  return operation;
}

SelectItem TreeGenerator::MakeItem(int depth) {
  SelectItem item;
  item.is_star = Chance(15);
  if (!item.is_star || Chance(50)) item.expr = MakeExpr(depth);
  if (!item.is_star) {
    item.alias = MaybeName();
  } else if (Chance(50)) {
    item.except = MakeNames(2);
    item.replace.push_back({MakeExpr(depth), MakeName()});
  }
  return item;
}

QueryBodyPtr TreeGenerator::MakeSelect(int depth) {
  auto select = std::make_unique<Select>();
  select->distinct = Chance(20);
  select->as = Chance(20) ? static_cast<Select::As>(Below(3)) : Select::As::kRow;
  for (int i = 1 + Below(3); i > 0; --i) select->items.push_back(MakeItem(depth - 1));
  if (Chance(70)) select->from = MakeFrom(depth - 1);
  if (Chance(30)) select->where = MakeExpr(depth - 1);
  if (Chance(20)) select->group_by = MakeGroup(depth - 1);
  if (Chance(10)) select->having = MakeExpr(depth - 1);
  if (Chance(10)) select->qualify = MakeExpr(depth - 1);
  if (Chance(10)) select->windows.push_back({MakeName(), MakeWindow(depth - 1)});
  return select;
}

GroupBy TreeGenerator::MakeGroup(int depth) {
  GroupBy group;
  group.all = Chance(10);
  if (group.all) return group;
  for (int i = 1 + Below(3); i > 0; --i) {
    GroupItem item;
    item.kind = static_cast<GroupItem::Kind>(Below(5));
    if (item.kind == GroupItem::Kind::kExpr) item.expr = MakeExpr(depth);
    if (item.kind == GroupItem::Kind::kRollup || item.kind == GroupItem::Kind::kCube) {
      item.lists.push_back(MakeExprs(2, 0));
      item.lists.push_back(MakeExprs(2, 0));
    }
    if (item.kind == GroupItem::Kind::kGroupingSets) {
      GroupItem one;
      one.expr = MakeExpr(0);
      item.sets.push_back(std::move(one));
      GroupItem list;
      list.lists.push_back(MakeExprs(2, 0));
      list.lists[0].push_back(MakeExpr(0));
      item.sets.push_back(std::move(list));
    }
    group.items.push_back(std::move(item));
  }
  return group;
}

FromItemPtr TreeGenerator::MakeFrom(int depth) { return depth > 0 && Chance(50) ? MakeJoin(depth) : MakeTable(depth); }

FromItemPtr TreeGenerator::MakeTable(int depth) {
  if (depth > 0 && Chance(20)) {
    auto item = std::make_unique<SubqueryItem>();
    item->query = MakeQuery(depth - 1);
    item->alias = MaybeName();
    return item;
  }
  if (Chance(30)) {
    auto item = std::make_unique<UnnestItem>();
    for (int i = 1 + Below(2); i > 0; --i) item->arrays.push_back({MakeExpr(depth), MaybeName()});
    if (Chance(10)) item->mode = MakeLiteral();
    item->alias = MaybeName();
    item->with_offset = Chance(30);
    if (item->with_offset) item->offset_alias = MaybeName();
    return item;
  }
  auto item = std::make_unique<TableItem>();
  item->path = MakeNames(3);
  item->alias = MaybeName();
  item->with_offset = Chance(10);
  return item;
}

FromItemPtr TreeGenerator::MakeJoin(int depth) {
  auto join = std::make_unique<JoinItem>();
  join->type = static_cast<JoinItem::Type>(Below(6));
  const bool is_comma = join->type == JoinItem::Type::kComma;
  join->left = MakeTable(depth - 1);
  join->right = is_comma || Chance(60) ? MakeTable(depth - 1) : MakeFrom(depth - 1);
  // In parentheses there is no comma join, on the right there are always parentheses.
  while (join->right->kind == FromKind::kJoin && As<JoinItem>(*join->right).type == JoinItem::Type::kComma) {
    join->right = MakeTable(depth - 1);
  }
  if (!is_comma && join->type != JoinItem::Type::kCross) {
    if (Chance(70)) {
      join->on = MakeExpr(depth);
    } else {
      join->columns = MakeNames(2);
    }
    join->parenthesized = Chance(30);
  }
  return join;
}

PipeOperator TreeGenerator::MakePipe(int depth) {
  PipeOperator pipe;
  switch (Below(10)) {
    case 0:
      pipe.kind = PipeKind::kWhere;
      pipe.expr = MakeExpr(depth);
      break;
    case 1:
      pipe.kind = PipeKind::kSelect;
      pipe.distinct = Chance(50);
      pipe.items.push_back(MakeItem(depth));
      break;
    case 2:
      pipe.kind = PipeKind::kExtend;
      pipe.items.push_back(MakeItem(depth));
      break;
    case 3:
      pipe.kind = PipeKind::kSet;
      pipe.items.emplace_back();
      pipe.items[0].alias = MakeName();
      pipe.items[0].expr = MakeExpr(depth);
      break;
    case 4:
      pipe.kind = PipeKind::kDrop;
      pipe.names = MakeNames(3);
      break;
    case 5:
      pipe.kind = PipeKind::kRename;
      pipe.names = {MakeName(), MakeName()};
      pipe.new_names = {MakeName(), MakeName()};
      break;
    case 6:
      pipe.kind = PipeKind::kAggregate;
      pipe.items.push_back(MakeItem(depth));
      pipe.items[0].has_order = true;
      pipe.items[0].descending = Chance(50);
      if (Chance(50)) pipe.group_by = MakeGroup(depth);
      break;
    case 7:
      pipe.kind = PipeKind::kLimit;
      pipe.limit = MakeExpr(0);
      break;
    case 8:
      pipe.kind = PipeKind::kSetOperation;
      pipe.queries.push_back(MakeQuery(depth - 1));
      break;
    default:
      pipe.kind = PipeKind::kDistinct;
      break;
  }
  return pipe;
}

}  // namespace logquery::sql
