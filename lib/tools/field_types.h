// Declares the types of fields by the values that rows have in them.
#ifndef LOGQUERY_LIB_TOOLS_FIELD_TYPES_H_
#define LOGQUERY_LIB_TOOLS_FIELD_TYPES_H_

#include <string>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/tools/row_values.h"

namespace logquery::endpoint {

// Returns "columns" of a schema file, without `time`, which is one of the fields and TIMESTAMP. A field has the type of at
// least 99 of 100 of its values, and otherwise none; `notes` gets the values of other types and what load does with them, and the
// fields that have no type.
base::Json TypesOf(const std::vector<FieldValues>& fields, const FieldValues& time, std::vector<std::string>& notes);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_FIELD_TYPES_H_
