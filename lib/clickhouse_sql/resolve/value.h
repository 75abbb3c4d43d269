// A resolved expression: a scalar of the plan with its ClickHouse type.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_VALUE_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_VALUE_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/clickhouse_sql/resolve/type.h"
#include "lib/rewrite/plan.h"

namespace logquery::clickhouse_sql {

using rewrite::ScalarPtr;

struct Ex {
  ScalarPtr scalar;
  ChType type;
  // The scalar is BOOL, and the type an integer: 0 and 1.
  bool condition = false;
  // For the text of an attribute: the stored value, NULL if absent, from which the text is made; nullptr otherwise.
  ScalarPtr stored = nullptr;
  // For a value to which constants were added: the same computed with its type's default, which is the least and the greatest
  // one of no rows; nullptr otherwise.
  ScalarPtr of_default = nullptr;
};

Ex Copy(const Ex& value);

// Calls of the function table's functions; the overload is chosen by the first argument's type.
ScalarPtr Call(std::string_view function, Type type, std::vector<ScalarPtr> arguments);
template <typename... Args>
ScalarPtr Call(std::string_view function, Type type, ScalarPtr first, Args... others) {
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(first));
  (arguments.push_back(std::move(others)), ...);
  return Call(function, std::move(type), std::move(arguments));
}

ScalarPtr Text(std::string text);
ScalarPtr Number(int64_t number);
ScalarPtr Floating(double number);
ScalarPtr WideNumber(uint64_t number);  // as a NUMERIC
ScalarPtr True(bool value);
ScalarPtr NullOf(const Type& type);
ScalarPtr CastTo(ScalarPtr scalar, const Type& type);
ScalarPtr If(ScalarPtr condition, ScalarPtr yes, ScalarPtr no);
ScalarPtr IfNull(ScalarPtr value, ScalarPtr otherwise);
ScalarPtr IsNull(ScalarPtr value);
ScalarPtr Not(ScalarPtr value);
ScalarPtr And(std::vector<ScalarPtr> conditions);
ScalarPtr Or(std::vector<ScalarPtr> conditions);
ScalarPtr Same(const ScalarPtr& scalar);  // a copy

ScalarPtr Negated(ScalarPtr number);                  // of an INT64
ScalarPtr AverageOf(ScalarPtr sum, ScalarPtr count);  // of INT64s, as a FLOAT64; NULL where the sum is NULL

// Keeps the bits that the type of integers has, as a conversion does.
ScalarPtr WrapTo(ScalarPtr value, const ChType& type);
// The number, or an error that says `message` where it is below 0.
ScalarPtr NotNegative(ScalarPtr value, const std::string& message);

// The constant of an expression that is one; nullptr: it is none, or NULL.
const Value* ConstantOf(const Ex& value);
// Returns whether the value is the same for all rows, as computed constants, parameters and subqueries are.
bool IsFixed(const Ex& value);
// The text of a literal.
std::optional<std::string> LiteralText(const Ex& value);
// The bits of a constant integer, or of one that a literal is the text of; nullopt: the value is none.
std::optional<uint64_t> ConstantBits(const Ex& value);
// The UInt64 that a literal text is converted to, where it is above the greatest INT64; nullopt: it is not, or the type is another.
std::optional<Ex> WideIntOfText(const Ex& value, const ChType& type);

// 0, '', 1970, an empty array …: NULL for a type that is nullable.
ScalarPtr DefaultOf(const ChType& type);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_VALUE_H_
