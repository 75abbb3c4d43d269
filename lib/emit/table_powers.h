// The common abilities of remote engines of tables: projections, conditions, sorted and limited rows, groups, joins on
// equal columns, and numbered rows, over the types whose values sort there as in GoogleSQL.
#ifndef LOGQUERY_LIB_EMIT_TABLE_POWERS_H_
#define LOGQUERY_LIB_EMIT_TABLE_POWERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"
#include "logquery/type.h"

namespace logquery::emit {

// Decides for plan nodes. For scalars it finds the kind; engines differ in what they say of one.
class TablePowers : public Powers {
 public:
  using Powers::WhyNot;
  std::optional<std::string> WhyNot(const rewrite::Plan& node) const override;
  std::optional<std::string> WhyNot(const rewrite::Scalar& scalar) const override;

 protected:
  static constexpr char kNoFunction[] = "it has no such function of equal meaning";
  static constexpr char kNoAggregate[] = "it has no such aggregate of equal meaning";
  static constexpr char kNoFields[] = "it has fields of records in columns of their own alone";

  // Returns whether the engine compares values of the type as GoogleSQL does.
  virtual bool Compares(const Type& type) const;
  // The engine is given constants, and parameters, of the types that it compares.
  virtual std::optional<std::string> OfConstant(const rewrite::Constant& constant) const;
  virtual std::optional<std::string> OfParameter(const Type& type) const;
  // Fields of records come in columns of their own.
  virtual std::optional<std::string> OfField(const rewrite::FieldRef& field) const;
  virtual std::optional<std::string> OfCall(const rewrite::FunctionCall& call) const = 0;
  virtual std::optional<std::string> OfCase(const rewrite::Case& branches) const = 0;
  virtual std::optional<std::string> OfCast(const rewrite::Cast& cast) const;

  // The reason if the engine does not compare the type, or that of an argument or the result of the call.
  std::optional<std::string> NotCompared(const Type& type) const;
  std::optional<std::string> NotCompared(const rewrite::FunctionCall& call) const;
};

// Returns whether the condition is an equality of two values, one of each side of the join.
bool IsEqualityOfSides(const rewrite::Scalar& condition, const rewrite::Join& join);

// Returns true for BOOL, INT64, STRING, DATE, DATETIME and TIMESTAMP, whose values also compare and group as in GoogleSQL.
// FLOAT64 is excluded, because engines sort NaN differently.
bool SortsAlike(const Type& type);

std::string DoesNotCompare(const Type& type);
// The reason why the engine takes no constants or parameters of the type.
std::string NotGiven(const Type& type);

// The reason if a cast may fail, or its result differs between engines. FLOAT64 and the texts of times do.
std::optional<std::string> NoCast(const rewrite::Cast& cast);
// Returns whether the call has none of an aggregate's clauses, but for DISTINCT.
bool IsPlainAggregate(const rewrite::AggregateCall& call);

// The value of a constant INT64 of at least `least`, or a billion if it is more; nullopt: it is not such a constant.
std::optional<int64_t> CountArgument(const rewrite::FunctionCall& call, size_t i, int64_t least);
// Returns whether the argument `zone` is absent or the constant "UTC".
bool IsInUtc(const rewrite::FunctionCall& call, size_t zone);

// Returns whether the scalar's text is short, so that it may be written more than once: nested calls whose text has an
// operand twice would double it at each level.
bool IsPlain(const rewrite::Scalar& scalar);
// The reason if not all arguments are plain, or not those that the template has more than once.
std::optional<std::string> NotPlain(const rewrite::FunctionCall& call);
std::optional<std::string> NotPlain(std::string_view spelling, const rewrite::FunctionCall& call);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_TABLE_POWERS_H_
