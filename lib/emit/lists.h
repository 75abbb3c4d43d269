// How an engine works with lists that has UNNEST as a function of the select list, and no ARRAY(SELECT …) of its own that keeps
// an order: see SqlDialect::lists.
#ifndef LOGQUERY_LIB_EMIT_LISTS_H_
#define LOGQUERY_LIB_EMIT_LISTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::emit {

// Texts that come in and go out are operands, as in dialect.h.
class ListDialect {
 public:
  virtual ~ListDialect() = default;

  // The elements as rows: several in one select list stand side by side, the shorter ones padded with NULL.
  virtual std::string Rows(std::string_view list) const = 0;
  virtual std::string Length(std::string_view list) const = 0;
  virtual std::string Greatest(const std::vector<std::string>& lengths) const = 0;
  // INT64 from 0.
  virtual std::string NumbersBelow(std::string_view length) const = 0;
  // The list, or one NULL in place of no elements.
  virtual std::string NeverEmpty(std::string_view list, std::string_view length) const = 0;
  // The list's element at that INT64 from 0; NULL beyond its end.
  virtual std::string ElementAt(std::string_view list, std::string_view number) const = 0;
  // A list of structs with the fields e0, e1, …: for each number below `length`, which the fields know as `number`, the values,
  // where the condition over them, which knows the struct as `row`, is TRUE.
  virtual std::string Picked(std::string_view length, std::string_view number, const std::vector<std::string>& values,
                             std::string_view row, std::string_view condition) const = 0;
  // An aggregate: the rows' values in that order (" ORDER BY …", or empty), `empty` for no rows.
  virtual std::string Gathered(std::string_view value, std::string_view order, std::string_view empty) const = 0;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_LISTS_H_
