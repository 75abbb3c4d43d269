// Decides which columns a table gets for the fields that a survey found in the rows of a whole input.
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
    size_t column = 0;  // index among the existing columns
    LearnedColumn now;
  };
  std::vector<LearnedColumn> added;
  std::vector<Widened> widened;

  bool empty() const { return added.empty() && widened.empty(); }
};

// Returns whether a column of INT64, or of its ARRAY, has a value that FLOAT64 can't represent exactly.
using HasWideInts = absl::FunctionRef<absl::StatusOr<bool>(const LearnedColumn& column)>;

// `layout` is the table's, including its learned columns, which are also `learned`. While there is room, fields in more
// rows come first. A field with several kinds of values gets the kind that most rows have.
absl::StatusOr<LearnedChange> DecideLearned(const FieldSurvey& survey, const TableLayout& layout,
                                            const std::vector<LearnedColumn>& learned, HasWideInts has_wide_ints);

// Returns the declared fields that `layout` (as above) lacks; a field that it has keeps its type. FailedPrecondition: a declared
// record is stored as a value, or a declared value as a record; or there is no room for more columns.
absl::StatusOr<LearnedChange> DecideDeclared(const Schema& fields, const TableLayout& layout,
                                             const std::vector<LearnedColumn>& learned);

// Returns `learned` after the change.
std::vector<LearnedColumn> AfterChange(std::vector<LearnedColumn> learned, const LearnedChange& change);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_CHANGE_H_
