// The lists that make up the function table, one for each file of rows in this folder.
#ifndef LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_LISTS_H_
#define LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_LISTS_H_

#include <vector>

#include "absl/types/span.h"
#include "lib/rewrite/functions/functions.h"

namespace logquery::rewrite {

using FunctionRows = absl::Span<const FunctionRow>;

inline constexpr FunctionKind kScalar = FunctionKind::kScalar;
inline constexpr FunctionKind kAggregate = FunctionKind::kAggregate;

FunctionRows OperatorRows();
FunctionRows ComparisonRows();
FunctionRows ConditionalRows();
FunctionRows StringRows();
FunctionRows RegexpRows();
FunctionRows MathRows();
FunctionRows ConversionRows();
FunctionRows TimestampRows();
FunctionRows DateRows();
FunctionRows DatetimeRows();
FunctionRows TimeRows();
FunctionRows IntervalRows();
FunctionRows ArrayRows();
FunctionRows JsonRows();
FunctionRows HashRows();
FunctionRows NetRows();
FunctionRows AggregateRows();
FunctionRows ApproximateRows();
FunctionRows WindowRows();

// Returns the rows of all of these lists: AllFunctionRows without the functions of the embedding program.
std::vector<const FunctionRow*> BuiltInFunctionRows();

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_LISTS_H_
