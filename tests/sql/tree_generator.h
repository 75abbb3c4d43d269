// Syntax trees by chance, to see that each one is printed as text that is parsed as the same tree.
#ifndef LOGQUERY_TESTS_SQL_TREE_GENERATOR_H_
#define LOGQUERY_TESTS_SQL_TREE_GENERATOR_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lib/sql/ast.h"

namespace logquery::sql {

class TreeGenerator {
 public:
  explicit TreeGenerator(uint32_t seed) : random_(seed) {}

  ExprPtr MakeExpr(int depth);
  QueryPtr MakeQuery(int depth);

 private:
  int Below(int bound) { return static_cast<int>(random_() % static_cast<uint32_t>(bound)); }
  bool Chance(int percent) { return Below(100) < percent; }
  Identifier MakeName();
  std::vector<Identifier> MakeNames(int most);
  std::optional<Identifier> MaybeName() { return Chance(50) ? std::optional(MakeName()) : std::nullopt; }
  std::vector<ExprPtr> MakeExprs(int most, int depth);

  ExprPtr MakeLeaf();
  ExprPtr MakeLiteral();
  ExprPtr MakeOperator(int depth);
  ExprPtr MakeComparison(int depth);
  ExprPtr MakePostfix(int depth);
  ExprPtr MakeConstructor(int depth);
  ExprPtr MakeSpecial(int depth);
  ExprPtr MakeCall(int depth);
  Candidates MakeCandidates(int depth);
  TypeName MakeType(int depth);
  WindowSpec MakeWindow(int depth);
  std::vector<OrderItem> MakeOrder(int depth);

  QueryBodyPtr MakeBody(int depth);
  QueryBodyPtr MakeSelect(int depth);
  SelectItem MakeItem(int depth);
  GroupBy MakeGroup(int depth);
  FromItemPtr MakeFrom(int depth);
  FromItemPtr MakeTable(int depth);
  FromItemPtr MakeJoin(int depth);
  PipeOperator MakePipe(int depth);

  std::mt19937 random_;
};

}  // namespace logquery::sql

#endif  // LOGQUERY_TESTS_SQL_TREE_GENERATOR_H_
