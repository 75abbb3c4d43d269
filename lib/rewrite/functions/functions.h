// The function table: every function, operator and aggregate that a query may use, one row for each signature.
//
// It has only facts: names, signatures, properties. The resolver picks a row by the arguments' types. An engine's
// dialect (lib/emit/spellings.h) defines how the engine spells a row, and whether it supports it. Operators and syntax
// have names that begin with `$`: `$add`, `$in`, `$at_offset`.
//
// A signature is text: "(STRING, INT64, [STRING]) -> STRING". `[X]` is optional. `X...` stands for one or more
// arguments, `[X...]` for any number. T1 and T2 are any type, the same one throughout the row. NUM1 is INT64, FLOAT64,
// NUMERIC or BIGNUMERIC; ARRAY<…> takes any of these; PART is a date part, LAMBDA a lambda; ORD1 is any orderable type,
// GRP1 any groupable one.
#ifndef LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTIONS_H_
#define LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTIONS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/type.h"

namespace logquery::functions {
struct FunctionEntry;
}

namespace logquery::rewrite {

enum class FunctionKind { kScalar, kAggregate, kWindow };

// Properties of a function, combined by |.
enum FunctionFlag : uint32_t {
  kNone = 0,
  kNotInSandbox = 1 << 0,  // callers' SQL may not use it
  kVolatile = 1 << 1,      // a different value for each call: RAND, GENERATE_UUID
  kReadsClock = 1 << 2,    // CURRENT_TIMESTAMP …: replaced by the call's now
  kGrows = 1 << 3,         // may return values much larger than its arguments
  kNoNullArgs = 1 << 4,    // returns NULL if any argument is NULL (used to reason about outer joins)
  kNeedsOrder = 1 << 5,    // a window function that requires ORDER BY
  kInternal = 1 << 6,      // only passes create it; queries can't
  // Properties of a row, not of a name. A row without kTotal and kTotalInFirst may raise an error for some argument values.
  kTotal = 1 << 7,         // never raises an error
  kTotalInFirst = 1 << 8,  // raises only because of named arguments or arguments after the first: a zone, a length
  kCasts = 1 << 9,         // casts arguments of other types to STRING
  // Returns the first moment of the stretch of time that the first argument is in, where the others are constants and the
  // last one, a zone, is UTC. Stretches do not overlap.
  kStretches = 1 << 10,
  // Is kTotalInFirst, but with a zone other than UTC or a week that does not begin on Monday, it also raises for some first
  // arguments: the result may lie outside the years 0001 to 9999.
  kMayLeaveYears = 1 << 11,
};

struct FunctionRow {
  std::string_view name;  // upper case
  FunctionKind kind;
  const char* signature;
  uint32_t flags = kNone;  // flags of the name are taken from its first row
};

// Returns all rows; each file in this folder contributes one list. No two rows with one name have equal parameters.
std::vector<const FunctionRow*> AllFunctionRows();

// The name and the parameters of a row, as the row writes them: "ABS(INT64)".
std::string NameWithParameters(const FunctionRow& row);

// Returns our own function (lib/functions) that evaluates the row for the same arguments; nullptr: there is none.
const functions::FunctionEntry* OwnFunction(const FunctionRow& row);

struct TypePattern {
  enum class Kind { kExact, kAny, kNumber, kOrderable, kGroupable, kArray, kStruct, kPart, kLambda };
  Kind kind = Kind::kExact;
  Type exact;     // kExact; kStruct: a STRUCT with the field names
  int index = 0;  // kAny …: the number in T1, T2, NUM1 …; equal letters and numbers mean equal types
  std::vector<TypePattern> element;  // kArray: one pattern; kStruct: one per field
};

struct ParameterPattern {
  std::string name;          // set if the argument is passed by name; then it is never optional
  std::string default_text;  // the default: TRUE, FALSE, or the characters of a STRING
  TypePattern type;
  bool optional = false;
  bool repeated = false;
};

struct Function;

struct Overload {
  const FunctionRow* row = nullptr;
  const Function* function = nullptr;  // the function that it belongs to; borrowed
  size_t id = 0;                       // the row's index in AllFunctionRows
  std::vector<ParameterPattern> parameters;
  TypePattern result;
  const functions::FunctionEntry* own = nullptr;  // OwnFunction of the row
};

struct Function {
  std::string name;
  FunctionKind kind = FunctionKind::kScalar;
  uint32_t flags = kNone;
  std::vector<Overload> overloads;  // in the table's order

  bool Has(FunctionFlag flag) const { return (flags & flag) != 0; }
};

// Returns the function with this name in any case; nullptr if there is none. It lives as long as the program.
const Function* FindFunction(std::string_view name);

// Returns the names that queries may use (without those that begin with `$`), sorted.
const std::vector<std::string>& FunctionNames();

// Returns text for errors and documentation: "STARTS_WITH(STRING, STRING) -> BOOL".
std::string SignatureText(const Overload& overload);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTIONS_H_
