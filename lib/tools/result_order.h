// The order of rows that a query's text promises, for comparing the answers of two servers.
//
//     OrderOf("select id, n from t order by n desc, id limit 5");     // by the columns n and id
#ifndef LOGQUERY_LIB_TOOLS_RESULT_ORDER_H_
#define LOGQUERY_LIB_TOOLS_RESULT_ORDER_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::endpoint {

struct ResultOrder {
  struct Key {
    std::string column;  // of the result; empty: `ordinal` says which one
    int ordinal = 0;     // from 1
  };
  bool ordered = false;  // the text ends with ORDER BY, which LIMIT may follow
  bool limited = false;  // the text ends with LIMIT
  // The sort keys; rows that are equal in these may stand in any order. Empty: the order is by an expression that is no column.
  std::vector<Key> keys;
};

// A text that can't be parsed promises nothing.
ResultOrder OrderOf(std::string_view text);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_RESULT_ORDER_H_
