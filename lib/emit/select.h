// A SELECT that is being built.
//
// SQL evaluates clauses in a fixed order: FROM, WHERE, GROUP BY, windows, the select list, ORDER BY, LIMIT. A plan node
// is added to the current SELECT if its clause comes after those that the SELECT already has. Otherwise the SELECT
// becomes a derived table in a new one.
#ifndef LOGQUERY_LIB_EMIT_SELECT_H_
#define LOGQUERY_LIB_EMIT_SELECT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "lib/emit/dialect.h"

namespace logquery::emit {

// A column in the current SELECT.
struct Known {
  Text text;
  // The text may occur only in the select list. The SELECT is wrapped before anything refers to the column, so that
  // nothing is evaluated or written twice.
  bool computed = false;
};

struct SortKey {
  std::optional<rewrite::ColumnId> column;  // absent: `text` is the key
  std::string text;
  bool descending = false;
  bool nulls_first = true;
};

struct Select {
  enum class Stage {
    kOpen,        // FROM and WHERE
    kExpanded,    // unnest() in the select list
    kWindowed,    // window functions in the select list
    kAggregated,  // GROUP BY: the select list has the keys and the calls
  };

  std::vector<std::string> with;
  bool recursive = false;
  std::string from;  // empty: no FROM
  // The scan that the SELECT started with. While `from` has this text, the SELECT reads nothing else.
  struct Scan {
    const rewrite::TableScan* node = nullptr;
    std::string alias;
    std::string from;
    std::vector<std::string> time_bounds;  // conditions in `where` that compare its time with known values
  };
  std::optional<Scan> scan;
  bool joined = false;  // `from` is a join
  std::vector<std::string> where;
  Stage stage = Stage::kOpen;
  // Columns that determine the rows of the select list: the keys of GROUP BY, the elements of unnest().
  std::vector<rewrite::PlanColumn> required;
  std::optional<std::vector<std::vector<int>>> grouping_sets;  // indexes into `required`; absent: one set of all
  bool is_one_group = false;                                   // kAggregated: calls without GROUP BY
  std::vector<SortKey> order;
  std::string limit;
  std::string offset;
  std::optional<int64_t> limit_value;  // set if `limit` is a number
  bool order_ends = false;             // the order of the rows after ORDER BY and LIMIT does not matter
  absl::flat_hash_map<rewrite::ColumnId, Known> known;

  bool IsLimited() const { return !limit.empty() || !offset.empty(); }
  bool IsComputed(rewrite::ColumnId id) const {
    auto found = known.find(id);
    return found != known.end() && found->second.computed;
  }
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SELECT_H_
