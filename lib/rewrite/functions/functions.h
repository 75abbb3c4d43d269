// The function table: every function, operator and aggregate that a query may use, one row for each signature.
//
// Facts only: names, signatures, what a function may do. The resolver picks a row by the arguments' types. How an engine
// spells a row, and whether it has it at all, says that engine's dialect (lib/emit/spellings.h). Operators and syntax stand
// in the table under names that begin with `$`: `$add`, `$in`, `$at_offset`.
//
// Signatures, as text: "(STRING, INT64, [STRING]) -> STRING". `[X]` may be left out; `X...` stands for any number (at
// least one; `[X...]` for any); T1 and T2 are any type, the same everywhere in the row; NUM1 is any of INT64, FLOAT64, NUMERIC,
// BIGNUMERIC; ARRAY<…> of all these; PART is a date part, LAMBDA a lambda; ORD1 is any type that has an order, GRP1 any
// that can be grouped.
#ifndef LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTIONS_H_
#define LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTIONS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/type.h"

namespace logquery::rewrite {

enum class FunctionKind { kScalar, kAggregate, kWindow };

// What a function's rows say of it beside its signatures; combined by |.
enum FunctionFlag : uint32_t {
  kNone = 0,
  kNotInSandbox = 1 << 0,  // a caller's SQL may not use it
  kVolatile = 1 << 1,      // another value at each call: RAND, GENERATE_UUID
  kReadsClock = 1 << 2,    // CURRENT_TIMESTAMP …: becomes the call's now
  kGrows = 1 << 3,         // may give values much larger than its arguments
  kNoNullArgs = 1 << 4,    // NULL in, NULL out, for every argument (lets passes reason about outer joins)
  kNeedsOrder = 1 << 5,    // a window function that wants ORDER BY
  kInternal = 1 << 6,      // only written by passes, never by a query
  // Of the row alone, not of the name. A row without either may raise an error for some values of its arguments.
  kTotal = 1 << 7,         // never raises an error, whatever its arguments are
  kTotalInFirst = 1 << 8,  // raises only for values of named arguments and those after the first: a zone, a length
};

struct FunctionRow {
  std::string_view name;  // upper case
  FunctionKind kind;
  const char* signature;
  uint32_t flags = kNone;  // of the name: the first row's count
};

// All rows, one list a file of this folder. No two of one name have the same parameters.
std::vector<const FunctionRow*> AllFunctionRows();

struct TypePattern {
  enum class Kind { kExact, kAny, kNumber, kOrderable, kGroupable, kArray, kStruct, kPart, kLambda };
  Kind kind = Kind::kExact;
  Type exact;                        // kExact; kStruct: a STRUCT with the fields' names
  int index = 0;                     // kAny …: which of T1, T2, NUM1 …; those of one letter and number are one type
  std::vector<TypePattern> element;  // kArray: one; kStruct: one for each field
};

struct ParameterPattern {
  std::string name;          // of one that is given by name; then never optional
  std::string default_text;  // its default: TRUE, FALSE, or a STRING's characters
  TypePattern type;
  bool optional = false;
  bool repeated = false;
};

struct Function;

struct Overload {
  const FunctionRow* row = nullptr;
  const Function* function = nullptr;  // whose it is; borrowed
  size_t id = 0;                       // the row's place in AllFunctionRows
  std::vector<ParameterPattern> parameters;
  TypePattern result;
};

struct Function {
  std::string name;
  FunctionKind kind = FunctionKind::kScalar;
  uint32_t flags = kNone;
  std::vector<Overload> overloads;  // in the table's order

  bool Has(FunctionFlag flag) const { return (flags & flag) != 0; }
};

// The function of that name, in any case; nullptr when there is none. Lives as long as the program.
const Function* FindFunction(std::string_view name);

// Names a query may write (none that begins with `$`), sorted.
const std::vector<std::string>& FunctionNames();

// "STARTS_WITH(STRING, STRING) -> BOOL", for errors and documentation.
std::string SignatureText(const Overload& overload);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTIONS_H_
