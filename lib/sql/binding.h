// How tightly operators bind, as GoogleSQL's grammar has it: for the parser to read, and for the printer to know where
// parentheses are needed.
#ifndef LOGQUERY_LIB_SQL_BINDING_H_
#define LOGQUERY_LIB_SQL_BINDING_H_

namespace logquery::sql {

// Loosest first. Operators of one level group from the left, but comparisons do not group at all.
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
  kPrimary,  // no operator at all
};

inline Binding Tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_BINDING_H_
