// Decides which columns a table gets for the fields that surveys found in the rows of a whole input, and for those that
// a schema file declares.
#ifndef LOGQUERY_LIB_STORE_LEARN_LEARNED_CHANGE_H_
#define LOGQUERY_LIB_STORE_LEARN_LEARNED_CHANGE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/store/learn/field_survey.h"
#include "lib/store/learn/learned_fields.h"

namespace logquery::store {

// Indexes of columns count the existing ones, and then `added`.
struct LearnedChange {
  struct Taught {
    std::string project;
    size_t column = 0;
    std::string token;  // of the rows that taught it; empty: rows of a file
  };
  // A column whose values move to another where that represents them exactly; the others stay.
  struct Moved {
    size_t from = 0;
    size_t to = 0;
  };
  std::vector<LearnedColumn> added;
  std::vector<Taught> taught;
  std::vector<size_t> declared;
  std::vector<size_t> superseded;
  std::vector<Moved> moved;

  bool empty() const { return added.empty() && taught.empty() && declared.empty() && superseded.empty(); }
};

// Returns what each project's rows teach. `declared` is the table's layout without learned columns. While there is room, for
// the token, for the project and in the table, fields in more rows come first. A field with several kinds of values gets the
// kind that most of the rows of this token and project have. `full` receives the tokens and projects of which some field found
// no room.
LearnedChange DecideLearned(const RowSurveys& surveys, const TableLayout& declared, const LearnedTable& learned,
                            RowOwners* full);

// Returns the columns for `fields`, which are declared in addition to those of `declared`. Learned columns do not
// conflict: a column of the same path and type becomes every project's, and values of other types move, as far as they
// cast exactly. FailedPrecondition: a field is a record in `declared` and no record here, or the reverse; a field's
// name is not allowed; or there are too many.
absl::StatusOr<LearnedChange> DecideDeclared(const Schema& fields, const TableLayout& declared,
                                             const LearnedTable& learned);

// Returns `learned` after the change.
LearnedTable AfterChange(LearnedTable learned, const LearnedChange& change);

// Gives new columns names that no other column of a table has.
class ColumnNames {
 public:
  ColumnNames(const TableLayout& declared, const LearnedTable& learned);
  void Name(LearnedColumn* column);

 private:
  base::NameSet taken_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_LEARNED_CHANGE_H_
