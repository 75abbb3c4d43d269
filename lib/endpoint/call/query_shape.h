// The shape of a query: the part that calls share if they differ in constants alone.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_QUERY_SHAPE_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_QUERY_SHAPE_H_

#include <string>
#include <string_view>

namespace logquery::endpoint {

// Returns the SQL's tokens with `?` for each literal, and one `?` for a list of literals: comments, spaces and the case of
// names don't count. Text that is not SQL is returned as it is.
std::string SqlShape(std::string_view sql);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_QUERY_SHAPE_H_
