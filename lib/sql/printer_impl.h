// The printer's implementation. Its methods are in the files printer_*.cc.
#ifndef LOGQUERY_LIB_SQL_PRINTER_IMPL_H_
#define LOGQUERY_LIB_SQL_PRINTER_IMPL_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/sql/ast.h"
#include "lib/sql/binding.h"

namespace logquery::sql {

class Printer {
 public:
  // kAll: parentheses around every operand, which show the tree's structure. For tests.
  enum class Parentheses { kNeeded, kAll };
  explicit Printer(Parentheses parentheses = Parentheses::kNeeded) : parentheses_(parentheses) {}

  void PrintQuery(const Query& query);
  void PrintExpr(const Expr& expr) { PrintOperand(expr, Binding::kOr); }

  std::string Take() { return std::move(out_); }

 private:
  void Put(std::string_view text) { out_.append(text); }
  void PutName(const Identifier& name);
  void PutNames(const std::vector<Identifier>& names);            // a, b
  void PutPath(const std::vector<Identifier>& names);             // a.b
  void PutAlias(const std::optional<Identifier>& alias);          // AS a
  void PutClause(std::string_view keyword, const ExprPtr& expr);  // keyword and expression, if there is one

  // Calls `print` for each item, and puts commas between them.
  template <typename Items, typename Print>
  void PutList(const Items& items, Print print) {
    bool first = true;
    for (const auto& item : items) {
      if (!first) Put(", ");
      first = false;
      print(item);
    }
  }

  // ---- expressions (printer_expr.cc, printer_operators.cc, printer_call.cc)
  // Adds parentheses unless the expression binds at least as tightly as `loosest`.
  void PrintOperand(const Expr& expr, Binding loosest);
  void PrintBase(const Expr& expr);  // before a dot or a bracket
  void PrintNode(const Expr& expr);
  void PrintExprs(const std::vector<ExprPtr>& exprs);
  void PrintLiteral(const Literal& literal);
  void PrintInterval(const IntervalExpr& interval);
  void PrintPath(const PathExpr& path);
  void PrintSubscript(const Subscript& subscript);
  void PrintUnary(const Unary& unary);
  void PrintBinary(const Binary& binary);
  void PrintNary(const Nary& nary);
  void PrintIsTest(const IsTest& test);
  void PrintBetween(const Between& between);
  void PrintIn(const InExpr& in);
  void PrintLike(const LikeExpr& like);
  void PrintCandidates(const Candidates& candidates);
  void PrintCase(const CaseExpr& node);
  void PrintCast(const CastExpr& cast);
  void PrintExtract(const ExtractExpr& extract);
  void PrintStruct(const StructExpr& node);
  void PrintArray(const ArrayExpr& array);
  void PrintCall(const Call& call);
  void PrintCallName(const Call& call);
  void PrintArgument(const Call::Argument& argument);
  void PrintOver(const WindowSpec& spec);
  void PrintWindowSpec(const WindowSpec& spec);
  void PrintFrame(const WindowFrame& frame);
  void PrintBound(const WindowBound& bound);
  void PrintLambda(const Lambda& lambda);
  void PrintSubquery(const SubqueryExpr& subquery);
  void PrintWithExpr(const WithExpr& with);
  void PrintType(const TypeName& name);

  // ---- queries (printer_query.cc, printer_pipe.cc)
  void PrintCtes(const std::vector<Cte>& ctes);
  void PrintBody(const QueryBody& body);
  void PrintSelect(const Select& select);
  void PrintSelectKind(bool distinct, Select::As as);
  void PrintItem(const SelectItem& item);
  void PrintOrderItem(const OrderItem& item);
  void PrintOrderSuffix(bool has_order, bool descending, NullsOrder nulls);
  void PrintNullsOrder(NullsOrder nulls);
  void PrintGroupItems(const GroupBy& group);
  void PrintGroupItem(const GroupItem& item);
  void PrintGroupList(const std::vector<ExprPtr>& columns);
  void PrintWindows(const std::vector<Select::NamedWindow>& windows);
  void PrintSetOperator(const SetOperator& op);
  void PrintPipe(const PipeOperator& pipe);
  void PrintRename(const PipeOperator& pipe);
  void PrintPipeSetOperation(const PipeOperator& pipe);
  void PrintAggregate(const PipeOperator& pipe);

  // ---- FROM (printer_from.cc)
  void PrintFrom(const FromItem& item);
  void PrintTable(const TableItem& table);
  void PrintUnnest(const UnnestItem& unnest);
  void PrintJoin(const JoinItem& join);
  void PrintJoinOf(const JoinItem& join);  // without its left side
  void PrintPivot(const PivotItem& pivot);
  void PrintUnpivot(const UnpivotItem& unpivot);
  void PrintOffset(bool with_offset, const std::optional<Identifier>& alias);

  const Parentheses parentheses_;
  std::string out_;
};

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_PRINTER_IMPL_H_
