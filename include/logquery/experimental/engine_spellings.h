// Describes the SQL of an engine as data: which types, functions and clauses it may be given, and how it writes them.
//
//     EngineSpellings spellings;
//     spellings.engine = "SQLite 3.40";
//     spellings.parameter = "?$1";
//     spellings.types = {{TypeKind::kInt64, "INTEGER", "$number"}, {TypeKind::kString, "TEXT", "$text"},
//                        {TypeKind::kBool, "INTEGER", "$number"}, {TypeKind::kFloat64, "REAL", ""}};
//     spellings.functions = {{"$equal", "($1 = $2)"}, {"STRPOS(STRING, STRING)", "instr($1, $2)"},
//                            {"COUNT()", "count(*)"}, {"COUNT(T1)", "count($1)", {}, "count(DISTINCT $1)"}};
//     spellings.groups = true;
//
// Everything that is not listed is computed by DuckDB, in this process, so a short list is correct and a long one is fast.
// Each entry claims that the engine means exactly what GoogleSQL means, for NULL, for empty text and for every other value
// of the listed types: the claim is yours, and logquery/testing/backend_contract.h helps to check it.
//
// Statements have the clauses of standard SQL: SELECT … AS name FROM "table" AS t1 WHERE … GROUP BY 1, 2, with a subquery in
// FROM where clauses follow each other. A list of columns and WHERE are always used; other clauses only where a flag allows
// them.
//
// Experimental: names and fields may change between versions.
#ifndef LOGQUERY_EXPERIMENTAL_ENGINE_SPELLINGS_H_
#define LOGQUERY_EXPERIMENTAL_ENGINE_SPELLINGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logquery/type.h"

namespace logquery {

// A type whose values the engine may return. A column whose type is not listed can't be queried.
struct EngineType {
  TypeKind kind = TypeKind::kInt64;
  // The engine's name of the type, used in CAST(NULL AS …) and as `$2` of EngineSpellings::parameter.
  std::string name;
  // Template of a literal, with one of
  //   $number   INT64; BOOL as 1 and 0; DATE as days, DATETIME and TIMESTAMP as microseconds since 1970
  //   $text     STRING; DATE as '2026-01-31'; DATETIME and TIMESTAMP as '2026-01-31 08:00:00.123456', in UTC; in quotes
  // A type with a literal is also compared, sorted and grouped by the engine, so it must do that as GoogleSQL does: text by
  // its bytes. Only BOOL, INT64, STRING, DATE, DATETIME and TIMESTAMP may have one. Empty: values of the type are returned
  // only, and conditions on them are computed here.
  std::string literal;
};

// Calls of a function in the engine's SQL, as a template: `$1` to `$9` are the operands, `$*` all of them with commas,
// `$2*` the second and later ones, `$$` is a `$`. Operands are complete and can stand anywhere.
struct FunctionSpelling {
  // An element of EngineFunctionIds(), which is one signature: "STRPOS(STRING, STRING)". Without the parentheses, all
  // signatures of that name that the template fits and that have no entry of their own: "$equal".
  std::string function;
  // Only calls whose operands all appear in the template are sent, so an optional operand needs an entry with it and one
  // without. A template of $and or $or with two operands is nested.
  std::string sql;
  // Restricts the entry to calls in which these operands, numbered from 1, are these constants of STRING or INT64, or parts of
  // a time: {{2, "HOUR"}} for TIMESTAMP_TRUNC(t, HOUR), {{2, "UTC"}} for DATETIME(t, 'UTC'). The template need not have
  // them. A function may have several such entries; the first that fits is used.
  std::vector<std::pair<int, std::string>> constants = {};
  // The template for calls of an aggregate with DISTINCT; empty: they are computed here.
  std::string distinct = {};
};

// Quotes around text: each character in `escapes` is replaced by its text. The quote needs an entry, and so does a
// character that the engine takes for the beginning of an escape, such as `\`: callers send any text.
struct EngineQuotes {
  char quote = '\'';
  std::vector<std::pair<char, std::string>> escapes;
};

// Plain data; copied when a backend is made of it.
struct EngineSpellings {
  std::string engine;  // name and version, for display and messages: "SQLite 3.40"

  EngineQuotes text = {'\'', {{'\'', "''"}}};
  EngineQuotes identifier = {'"', {{'"', "\"\""}}};
  // A bind variable: `$1` is its number, counted from 1 within the statement, `$2` its type's name. "?$1"; "$$$1::$2".
  std::string parameter;

  std::vector<EngineType> types;
  std::vector<FunctionSpelling> functions;

  // Clauses that the engine may be given.
  bool computes = false;      // expressions in the select list
  bool groups = false;        // aggregates and GROUP BY with ordinals; SELECT DISTINCT is written as GROUP BY
  bool sorts = false;         // ORDER BY … ASC NULLS FIRST and its like; sent only below a LIMIT
  bool limits = false;        // LIMIT n
  bool offsets = false;       // LIMIT n OFFSET m
  bool joins = false;         // INNER and LEFT JOIN … ON with equalities
  bool has_case = false;      // CASE WHEN … THEN … ELSE … END
  bool numbers_rows = false;  // ROW_NUMBER, RANK and DENSE_RANK, where they are in `functions`, OVER (PARTITION BY …)
};

// Returns what FunctionSpelling::function may be, sorted: "LENGTH(STRING)", "COUNT()", "$equal(ORD1, ORD1)". Operators and
// syntax begin with `$`. T1 is any type, ORD1 an orderable one, the same throughout a signature; PART is a part of a time,
// which templates have as a constant; `[X]` is optional; `X...` stands for several. "CAST(INT64 AS STRING)" is a cast.
//   $exact_sum(INT64)       the sum as text of decimal digits, without overflow: SUM and AVG are made of it here
//   $ascii_lower(STRING)    LOWER of A to Z, of U+0130 as i and of U+212A as k, for comparisons with ASCII text
std::vector<std::string> EngineFunctionIds();

// Returns InvalidArgument, with a message that names the entry, for an unknown function or type, an entry that is there
// twice, a template that lacks an operand or has one too many, quotes that do not escape themselves, and the like.
absl::Status CheckEngineSpellings(const EngineSpellings& spellings);

}  // namespace logquery

#endif  // LOGQUERY_EXPERIMENTAL_ENGINE_SPELLINGS_H_
