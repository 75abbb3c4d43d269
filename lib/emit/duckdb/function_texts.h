// What the files of DuckDB's function code share: texts used more than once, constants, quoting, and their lists.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_FUNCTION_TEXTS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_FUNCTION_TEXTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "lib/base/strings.h"
#include "lib/emit/duckdb/functions.h"
#include "lib/emit/spellings.h"

namespace logquery::emit {

using base::StrCat;

struct DuckDbFunctionEntry {
  const char* name;
  DuckDbFunction function;
};
using DuckDbFunctionList = absl::Span<const DuckDbFunctionEntry>;

// One list for each functions_*.cc.
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

// `body`'s text, where each argument is evaluated once however often the body names it.
Sql Once(const Texts& args, absl::FunctionRef<Sql(const Texts&)> body);
// The same, where the body has variables of its own in `others`.
Sql Once(const Texts& args, const Texts& others, absl::FunctionRef<Sql(const Texts&)> body);

// 'it''s'
Sql Quote(std::string_view value);

// `parts` joined by an associative operator, nested to logarithmic depth.
Sql Balanced(const Texts& parts, std::string_view op);

// `quotient`, but an error where the second text is 0 and the first is a value.
Sql UnlessZero(const Texts& a, const Sql& quotient);

// A text whose outermost operator is ||, with the fact that this serves many types.
Sql Concatenation(Sql text);

// `error(message)`, to stand where a value is wanted; `message` is SQL.
Sql ErrorText(const Sql& message);

// CAST(value AS type), as simple as the value is.
Sql CastText(const Sql& value, std::string_view type);

// `list_extract(list, place)`, `struct_extract(value, 'name')` and `struct_extract_at(value, place)`.
Sql ListElement(const Sql& list, const Sql& place);
Sql StructField(const Sql& value, std::string_view name);
Sql StructFieldAt(const Sql& value, size_t place);

// x / y of NUMERICs, exact but for rounding half away from zero at their last place; NULL when y is 0.
Sql NumericQuotient(const Sql& x, const Sql& y);

// An interval divided by a BIGINT that is not 0; and the sum of intervals, from `sum` of a number.
Sql IntervalQuotient(const Sql& interval, const Sql& divisor);
Sql SumOfIntervals(absl::FunctionRef<Sql(const Sql&)> sum, const Sql& interval);

// Characters that GoogleSQL counts as white space, as a literal.
std::string_view WhiteSpaceLiteral();

// `value` of `type` as a STRING, as CAST has it. Unimplemented: a type without such a cast.
absl::StatusOr<Sql> StringOf(const Type& type, const Sql& value);
// `value` as JSON text, never NULL but 'null'.
absl::StatusOr<Sql> JsonTextOf(const Type& type, const Sql& value);

// A lambda parameter's name that none of the texts has.
Sql FreshName(const Texts& texts);
// A name of one's own beside it: `lq1_i`.
Sql NameBeside(const Sql& name, std::string_view suffix);

// The argument's value when it is a constant other than NULL, else nullptr.
const Value* ConstantOf(const rewrite::FunctionCall& call, size_t index);
std::optional<int64_t> ConstantInt64(const rewrite::FunctionCall& call, size_t index);
std::optional<std::string> ConstantString(const rewrite::FunctionCall& call, size_t index);

// The date part of an argument that is one: "DAY", "WEEK(MONDAY)".
std::string PartOf(const rewrite::FunctionCall& call, size_t index);

// Whether the argument is NULL as written.
bool IsNullConstant(const rewrite::FunctionCall& call, size_t index);

// "SUBSTR": for errors.
std::string_view NameOf(const rewrite::FunctionCall& call);
// The same as a query writes it: "EXTRACT", "+".
std::string_view ShownName(const rewrite::FunctionCall& call);

// InvalidArgument: the function has no such part for its first argument's type.
absl::Status BadPart(const rewrite::FunctionCall& call, std::string_view part);

// What a clock shows, cut down to the part: a DATE when `type` is DATE, else a TIMESTAMP.
absl::StatusOr<Sql> TruncatedText(const rewrite::FunctionCall& call, const std::string& part, const Sql& local,
                                  const Type& type);

// The next element of a format of times at `offset`: "%Y", "%E3S"; literal characters are elements of one byte.
std::string_view NextFormatElement(std::string_view format, size_t offset);

// Moments and what a clock shows, as texts of type TIMESTAMP both. `zone` is argument `index`, UTC when there is none.
Sql ToLocal(const rewrite::FunctionCall& call, const Texts& args, size_t index, const Sql& timestamp);
Sql FromLocal(const rewrite::FunctionCall& call, const Texts& args, size_t index, const Sql& datetime);
// The same for a zone that only its text tells.
Sql FromZone(const Sql& zone_text, const Sql& datetime);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_FUNCTION_TEXTS_H_
