// Which columns a table gets for what a survey found in its rows: all of an input's at once.
#ifndef LOGQUERY_LIB_STORE_LEARN_LEARNED_CHANGE_H_
#define LOGQUERY_LIB_STORE_LEARN_LEARNED_CHANGE_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "lib/store/learn/field_survey.h"
#include "lib/store/learn/learned_fields.h"

namespace logquery::store {

struct LearnedChange {
  struct Widened {
    size_t column = 0;  // its place among those that there are
    LearnedColumn now;
  };
  std::vector<LearnedColumn> added;
  std::vector<Widened> widened;

  bool empty() const { return added.empty() && widened.empty(); }
};

// Whether a column of INT64, or of its ARRAY, has a value that no FLOAT64 holds.
using HasWideInts = absl::FunctionRef<absl::StatusOr<bool>(const LearnedColumn& column)>;

// `layout` is the table's, with what it has learned so far, which is `learned`. Fields that more rows have come first, while
// there is room. A field that comes in several kinds becomes the one that most rows have.
absl::StatusOr<LearnedChange> DecideLearned(const FieldSurvey& survey, const TableLayout& layout,
                                            const std::vector<LearnedColumn>& learned, HasWideInts has_wide_ints);

// What `layout`, which is as above, lacks of the fields that are declared; a field that it has keeps its type. FailedPrecondition: a
// record is declared that it has as a value, or a value that it has as a record; there is no room.
absl::StatusOr<LearnedChange> DecideDeclared(const Schema& fields, const TableLayout& layout,
                                             const std::vector<LearnedColumn>& learned);

// `learned` as it is after the change.
std::vector<LearnedColumn> AfterChange(std::vector<LearnedColumn> learned, const LearnedChange& change);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_CHANGE_H_
