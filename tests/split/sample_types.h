// Types and values that stand for the variables of the function table's signatures.
#ifndef LOGQUERY_TESTS_SPLIT_SAMPLE_TYPES_H_
#define LOGQUERY_TESTS_SPLIT_SAMPLE_TYPES_H_

#include <string>
#include <vector>

#include "lib/rewrite/functions/functions.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::testing {

// "INT64", "ARRAY", "a record".
std::string NameOf(const Type& type);
// One of each kind, but for records.
const std::vector<Type>& AllTypes();
const Type& Record();
// A value of the type; of an ARRAY and a STRUCT, NULL.
Value ConstantOf(const Type& type);

// Returns whether the pattern is T1, NUM1, ORD1 or the like.
bool IsVariable(rewrite::TypePattern::Kind kind);
// The variable that the pattern is or holds; nullptr: none.
const rewrite::TypePattern* VariableOf(const rewrite::TypePattern& pattern);
// Returns whether a variable of that kind may stand for the type.
bool Takes(rewrite::TypePattern::Kind kind, const Type& type);
// The pattern with that type in the place of its variable.
Type Instance(const rewrite::TypePattern& pattern, const Type& variable);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SPLIT_SAMPLE_TYPES_H_
