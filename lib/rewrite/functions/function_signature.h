// Parses and prints the signatures of the function table; functions.h describes their syntax.
//
//     Signature s = *ParseSignature("(STRING, INT64, [STRING]) -> STRING");
//     s.parameters[2].optional;                                        // true
//     TypePatternText(s.result);                                       // "STRING"
#ifndef LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_SIGNATURE_H_
#define LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_SIGNATURE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/functions/functions.h"

namespace logquery::rewrite {

struct Signature {
  std::vector<ParameterPattern> parameters;
  TypePattern result;
};

// InvalidArgument: `text` is not a signature; the message has the offset of the error.
absl::StatusOr<Signature> ParseSignature(std::string_view text);

// Returns the pattern as in the table: "ARRAY<T1>", "NUM1", "STRUCT<value STRING, count INT64>".
std::string TypePatternText(const TypePattern& pattern);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_FUNCTIONS_FUNCTION_SIGNATURE_H_
