// The precedence of operators in GoogleSQL's grammar, for the parser, and for the printer to place parentheses.
#ifndef LOGQUERY_LIB_SQL_BINDING_H_
#define LOGQUERY_LIB_SQL_BINDING_H_

namespace logquery::sql {

// The binding levels, from lowest to highest. Operators of one level are left-associative, except comparisons, which
// are not associative.
enum class Binding {
  kOr,
  kAnd,
  kNot,
  kComparison,  // = < LIKE IN BETWEEN IS
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kAdd,
  kConcat,
  kMultiply,
  kUnary,
  kPrimary,  // not an operator
};

inline Binding Tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_BINDING_H_
