// lib/sql has a keyword for each of these words; a type's text needs them without the parser. A test compares the two.
#include "lib/model/reserved_words.h"

#include <algorithm>
#include <iterator>

#include "lib/base/strings.h"

namespace logquery::model {
namespace {

// Sorted.
constexpr std::string_view kWords[] = {
    "all",      "and",     "any",      "array",     "as",        "asc",         "assert_rows_modified",
    "at",       "between", "by",       "case",      "cast",      "collate",     "contains",
    "create",   "cross",   "cube",     "current",   "default",   "define",      "desc",
    "distinct", "else",    "end",      "enum",      "escape",    "except",      "exclude",
    "exists",   "extract", "false",    "fetch",     "following", "for",         "from",
    "full",     "group",   "grouping", "groups",    "hash",      "having",      "if",
    "ignore",   "in",      "inner",    "intersect", "interval",  "into",        "is",
    "join",     "lateral", "left",     "like",      "limit",     "lookup",      "merge",
    "natural",  "new",     "no",       "not",       "null",      "nulls",       "of",
    "on",       "or",      "order",    "outer",     "over",      "partition",   "preceding",
    "proto",    "qualify", "range",    "recursive", "respect",   "right",       "rollup",
    "rows",     "select",  "set",      "some",      "struct",    "tablesample", "then",
    "to",       "treat",   "true",     "unbounded", "union",     "unnest",      "using",
    "when",     "where",   "window",   "with",      "within",
};

}  // namespace

bool IsReservedWord(std::string_view word) {
  return std::binary_search(std::begin(kWords), std::end(kWords), base::ToLower(word));
}

}  // namespace logquery::model
