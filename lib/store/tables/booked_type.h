// The types of columns as the books of the folder have them: in the engine's SQL.
#ifndef LOGQUERY_LIB_STORE_TABLES_BOOKED_TYPE_H_
#define LOGQUERY_LIB_STORE_TABLES_BOOKED_TYPE_H_

#include <string>
#include <string_view>

#include "logquery/type.h"

namespace logquery::store {

// Returns SQL that differs for any two types whose columns are not interchangeable.
std::string BookedType(const Type& type);

// Return a type for people, in GoogleSQL: "STRUCT<path STRING, sizes ARRAY<INT64>>". Both have the same text for the same type, but
// for a booked DATETIME, which the books have as TIMESTAMP. A booked type that can't be read is returned as it is.
std::string DeclaredTypeText(const Type& type);
std::string BookedTypeText(std::string_view booked);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_BOOKED_TYPE_H_
