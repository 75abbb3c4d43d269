// Shared helpers of DuckDB's function code: common texts, constants, quoting, and the lists of functions.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTION_TEXTS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTION_TEXTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lib/base/strings.h"
#include "lib/emit/spellings.h"
#include "lib/engines/duckdb/dialect/functions.h"

namespace logquery::emit {

using base::StrCat;

struct DuckDbFunctionEntry {
  const char* name;
  DuckDbFunction function;
};
using DuckDbFunctionList = absl::Span<const DuckDbFunctionEntry>;

// One list for each functions_*.cc file.
DuckDbFunctionList DuckDbOperators();
DuckDbFunctionList DuckDbComparisons();
DuckDbFunctionList DuckDbStringFunctions();
DuckDbFunctionList DuckDbSearchFunctions();
DuckDbFunctionList DuckDbCodePointFunctions();
DuckDbFunctionList DuckDbBytesFunctions();
DuckDbFunctionList DuckDbFormatFunctions();
DuckDbFunctionList DuckDbRegexpFunctions();
DuckDbFunctionList DuckDbMathFunctions();
DuckDbFunctionList DuckDbNumericFunctions();
DuckDbFunctionList DuckDbBigNumericFunctions();
DuckDbFunctionList DuckDbTimeFunctions();
DuckDbFunctionList DuckDbTimeArithmetic();
DuckDbFunctionList DuckDbTimeFormatFunctions();
DuckDbFunctionList DuckDbTimeParseFunctions();
DuckDbFunctionList DuckDbArrayFunctions();
DuckDbFunctionList DuckDbJsonFunctions();
DuckDbFunctionList DuckDbJsonValueFunctions();
DuckDbFunctionList DuckDbRedaction();
DuckDbFunctionList DuckDbBounds();

// Returns `body`'s text such that each argument is evaluated once, however often the body uses it.
Sql Once(const Texts& args, absl::FunctionRef<Sql(const Texts&)> body);
// The same for a body that declares variables; `others` are the texts that these must not conflict with.
Sql Once(const Texts& args, const Texts& others, absl::FunctionRef<Sql(const Texts&)> body);

// Fills a template that has argument `copied` as the first operand of NULLIF or BETWEEN. DuckDB copies that operand while
// it plans. A large one is evaluated once instead: nested, it would double with every level.
Sql OnceIfLarge(const rewrite::FunctionCall& call, size_t copied, const Texts& args, std::string_view spelling);

// 'it''s'
Sql Quote(std::string_view value);

// Joins `parts` by an associative operator, nested to logarithmic depth.
Sql Balanced(const Texts& parts, std::string_view op);

// Returns `quotient`, or an error if the second argument is 0 and the first is not NULL.
Sql UnlessZero(const Texts& a, const Sql& quotient);

// Marks a text whose outermost operator is || as one that works on many types.
Sql Concatenation(Sql text);

// Returns `error(message)` in a form that can be used as a value; `message` is SQL.
Sql ErrorText(const Sql& message);

// Returns CAST(value AS type), which is simple if the value is.
Sql CastText(const Sql& value, std::string_view type);

// Returns `list_extract(list, place)`, `struct_extract(value, 'name')` and `struct_extract_at(value, place)`.
Sql ListElement(const Sql& list, const Sql& place);
Sql StructField(const Sql& value, std::string_view name);
Sql StructFieldAt(const Sql& value, size_t place);

// Divides an interval by a BIGINT other than 0; sums intervals by applying `sum` to their parts.
Sql IntervalQuotient(const Sql& interval, const Sql& divisor);
Sql SumOfIntervals(absl::FunctionRef<Sql(const Sql&)> sum, const Sql& interval);

// Returns GoogleSQL's whitespace characters as a literal.
std::string_view WhiteSpaceLiteral();

// Converts `value` of `type` to STRING, as CAST does. Unimplemented: the type has no such cast.
absl::StatusOr<Sql> StringOf(const Type& type, const Sql& value);
// Converts `value` to JSON text; NULL becomes 'null'.
absl::StatusOr<Sql> JsonTextOf(const Type& type, const Sql& value);

// Returns a lambda parameter name that occurs in none of the texts.
Sql FreshName(const Texts& texts);
// Derives another name from it: `lq1_i`.
Sql NameBeside(const Sql& name, std::string_view suffix);

// The argument's value if it is a constant other than NULL; otherwise nullopt.
std::optional<int64_t> ConstantInt64(const rewrite::FunctionCall& call, size_t index);
std::optional<std::string> ConstantString(const rewrite::FunctionCall& call, size_t index);

// Returns the date part that the argument holds: "DAY", "WEEK(MONDAY)".
std::string PartOf(const rewrite::FunctionCall& call, size_t index);

// Returns whether the argument is a literal NULL.
bool IsNullConstant(const rewrite::FunctionCall& call, size_t index);

// Returns the function's name for errors: "SUBSTR".
std::string_view NameOf(const rewrite::FunctionCall& call);
// Returns the name that a query uses: "EXTRACT", "+".
std::string_view ShownName(const rewrite::FunctionCall& call);

// InvalidArgument: the function does not support this part for its first argument's type.
absl::Status BadPart(const rewrite::FunctionCall& call, std::string_view part);

// Truncates a local time to the part: a DATE if `type` is DATE, otherwise a TIMESTAMP.
absl::StatusOr<Sql> TruncatedText(const rewrite::FunctionCall& call, const std::string& part, const Sql& local,
                                  const Type& type);

// Returns the next element of a time format at `offset`: "%Y", "%E3S"; a literal character is an element of one byte.
std::string_view NextFormatElement(std::string_view format, size_t offset);

// Converts between timestamps and local times; the SQL of both has type TIMESTAMP. Argument `index` is the zone; UTC if
// absent.
Sql ToLocal(const rewrite::FunctionCall& call, const Texts& args, size_t index, const Sql& timestamp);
Sql FromLocal(const rewrite::FunctionCall& call, const Texts& args, size_t index, const Sql& datetime);
// The same for a zone given as text.
Sql FromZone(const Sql& zone_text, const Sql& datetime);
// The same as ToLocal; but a local time outside the years 0001 to 9999 raises an error at run time, as a result of FromLocal does.
Sql ToLocalInRange(const rewrite::FunctionCall& call, const Texts& args, size_t index, const Sql& timestamp);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTION_TEXTS_H_
