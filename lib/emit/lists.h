// List operations of an engine in which UNNEST is a function of the select list, and which has no ARRAY(SELECT …) that
// keeps an order: see SqlDialect::lists.
#ifndef LOGQUERY_LIB_EMIT_LISTS_H_
#define LOGQUERY_LIB_EMIT_LISTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace logquery::emit {

// All texts are operands, as in dialect.h.
class ListDialect {
 public:
  virtual ~ListDialect() = default;

  // Returns the elements as rows. Several in one select list are read in parallel; shorter ones are padded with NULL.
  virtual std::string Rows(std::string_view list) const = 0;
  virtual std::string Length(std::string_view list) const = 0;
  virtual std::string Greatest(const std::vector<std::string>& lengths) const = 0;
  // INT64 numbers from 0.
  virtual std::string NumbersBelow(std::string_view length) const = 0;
  // Returns the list, or a list with one NULL if it is empty.
  virtual std::string NeverEmpty(std::string_view list, std::string_view length) const = 0;
  // Returns the element at an INT64 index from 0; NULL beyond the end.
  virtual std::string ElementAt(std::string_view list, std::string_view number) const = 0;
  // Returns a list of structs with the fields e0, e1, …, one for each number below `length`; the values use the number
  // as `number`. Keeps only the structs for which the condition, which uses the struct as `row`, is TRUE.
  virtual std::string Picked(std::string_view length, std::string_view number, const std::vector<std::string>& values,
                             std::string_view row, std::string_view condition) const = 0;
  // An aggregate: collects the rows' values in this order (" ORDER BY …", or empty); returns `empty` if there are no
  // rows.
  virtual std::string Gathered(std::string_view value, std::string_view order, std::string_view empty) const = 0;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_LISTS_H_
