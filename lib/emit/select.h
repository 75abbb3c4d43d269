// One SELECT while it is put together.
//
// Clauses are evaluated in a fixed order: FROM, WHERE, GROUP BY, windows, the select list, ORDER BY, LIMIT. A plan's node
// goes into the SELECT at hand as long as the clauses that are there come before its own; else the SELECT becomes a
// derived table, and a new one starts around it.
#ifndef LOGQUERY_LIB_EMIT_SELECT_H_
#define LOGQUERY_LIB_EMIT_SELECT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "lib/emit/dialect.h"

namespace logquery::emit {

// A column as the SELECT at hand knows it.
struct Known {
  Text text;
  // Its text may stand only in the select list: what refers to it needs the SELECT wrapped first, so that nothing is
  // evaluated, or written, twice.
  bool computed = false;
};

struct SortKey {
  std::optional<rewrite::ColumnId> column;  // else `text`
  std::string text;
  bool descending = false;
  bool nulls_first = true;
};

struct Select {
  enum class Stage {
    kOpen,        // FROM and WHERE
    kExpanded,    // unnest() in the select list
    kWindowed,    // window functions in the select list
    kAggregated,  // GROUP BY: the select list is the keys and the calls
  };

  std::vector<std::string> with;
  bool recursive = false;
  std::string from;  // empty: none
  // The scan that the SELECT began with. It reads nothing else as long as `from` is that text.
  struct Scan {
    const rewrite::TableScan* node = nullptr;
    std::string alias;
    std::string from;
    std::vector<std::string> time_bounds;  // those of `where` that compare its time with what is known
  };
  std::optional<Scan> scan;
  bool joined = false;  // `from` is a join
  std::vector<std::string> where;
  Stage stage = Stage::kOpen;
  // Columns without which the select list would give other rows: the keys of GROUP BY, the elements of unnest().
  std::vector<rewrite::PlanColumn> required;
  std::optional<std::vector<std::vector<int>>> grouping_sets;  // of places in `required`; absent: one of all
  bool is_one_group = false;                                   // kAggregated: calls without GROUP BY
  std::vector<SortKey> order;
  std::string limit;
  std::string offset;
  std::optional<int64_t> limit_value;  // of a `limit` that is a number
  bool order_ends = false;             // nobody minds the order of the rows that ORDER BY and LIMIT have picked
  bool limits_windows = false;         // the limit is of rows that windows over partitions go with
  absl::flat_hash_map<rewrite::ColumnId, Known> known;

  bool IsLimited() const { return !limit.empty() || !offset.empty(); }
  bool IsComputed(rewrite::ColumnId id) const {
    auto found = known.find(id);
    return found != known.end() && found->second.computed;
  }
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SELECT_H_
