// Prints pipe syntax.
#include "lib/sql/printer_impl.h"

namespace logquery::sql {
namespace {

std::string_view ItemsKeyword(PipeKind kind) {
  if (kind == PipeKind::kSelect) return "SELECT ";
  return kind == PipeKind::kExtend ? "EXTEND " : "WINDOW ";
}

}  // namespace

void Printer::PrintPipe(const PipeOperator& pipe) {
  switch (pipe.kind) {
    case PipeKind::kWhere:
      return PutClause("WHERE ", pipe.expr);
    case PipeKind::kSelect:
    case PipeKind::kExtend:
    case PipeKind::kWindow:
      Put(ItemsKeyword(pipe.kind));
      if (pipe.kind == PipeKind::kSelect) PrintSelectKind(pipe.distinct, pipe.as);
      PutList(pipe.items, [this](const SelectItem& item) { PrintItem(item); });
      if (!pipe.windows.empty()) PrintWindows(pipe.windows);
      return;
    case PipeKind::kSet:
      Put("SET ");
      return PutList(pipe.items, [this](const SelectItem& item) {
        PutName(*item.alias);
        PutClause(" = ", item.expr);
      });
    case PipeKind::kDrop:
      Put("DROP ");
      return PutNames(pipe.names);
    case PipeKind::kRename:
      return PrintRename(pipe);
    case PipeKind::kAs:
      Put("AS ");
      return PutNames(pipe.names);
    case PipeKind::kAggregate:
      return PrintAggregate(pipe);
    case PipeKind::kOrderBy:
      Put("ORDER BY ");
      return PutList(pipe.order_by, [this](const OrderItem& item) { PrintOrderItem(item); });
    case PipeKind::kLimit:
      PutClause("LIMIT ", pipe.limit);
      return PutClause(" OFFSET ", pipe.offset);
    case PipeKind::kDistinct:
      return Put("DISTINCT");
    case PipeKind::kJoin:
      return PrintJoinOf(As<JoinItem>(*pipe.from));
    case PipeKind::kSetOperation:
      return PrintPipeSetOperation(pipe);
    case PipeKind::kPivot:
      return PrintPivot(As<PivotItem>(*pipe.from));
    case PipeKind::kUnpivot:
      return PrintUnpivot(As<UnpivotItem>(*pipe.from));
    case PipeKind::kWith:
      Put("WITH ");
      return PrintCtes(pipe.with);
  }
}

void Printer::PrintRename(const PipeOperator& pipe) {
  Put("RENAME ");
  for (size_t i = 0; i < pipe.names.size(); ++i) {
    if (i > 0) Put(", ");
    PutName(pipe.names[i]);
    PutAlias(pipe.new_names[i]);
  }
}

void Printer::PrintPipeSetOperation(const PipeOperator& pipe) {
  PrintSetOperator(pipe.set_operator);
  Put(" ");
  PutList(pipe.queries, [this](const QueryPtr& query) {
    Put("(");
    PrintQuery(*query);
    Put(")");
  });
}

void Printer::PrintAggregate(const PipeOperator& pipe) {
  Put("AGGREGATE");
  if (!pipe.items.empty()) Put(" ");
  PutList(pipe.items, [this](const SelectItem& item) { PrintItem(item); });
  if (!pipe.group_by.has_value()) return;
  Put(pipe.group_by->and_order_by ? " GROUP AND ORDER BY " : " GROUP BY ");
  PrintGroupItems(*pipe.group_by);
}

}  // namespace logquery::sql
