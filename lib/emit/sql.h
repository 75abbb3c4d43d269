// SQL text with facts about it, so that no code has to analyze the text.
//
//     Sql sum = Cat("(", a, " + ", b, ")");      // uses the variables that a and b use
//     Sql once = Sql::Simple("t1.time");         // may be evaluated twice
//
// The facts of a concatenation follow from those of its parts. Plain text has no facts.
#ifndef LOGQUERY_LIB_EMIT_SQL_H_
#define LOGQUERY_LIB_EMIT_SQL_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::emit {

struct SqlFacts {
  // A name, number, string or bind variable, possibly with a cast: evaluating it twice costs nothing.
  bool simple = false;
  // Refers to a column of a FROM item.
  bool reads_column = false;
  // True if the text has an operator or function that works on many types, such as reading a list element: if an
  // operand is NULL, the engine does not know the type of the result.
  bool many_types = false;
  // True if the text has an aggregate call with a FILTER.
  bool filters = false;
  // The highest number of the variables that it uses, which are numbered from 1; 0: it uses none.
  int variables = 0;

  // Merges the facts of a part of the text.
  void AddPart(const SqlFacts& part) {
    simple = false;
    reads_column = reads_column || part.reads_column;
    many_types = many_types || part.many_types;
    filters = filters || part.filters;
    variables = std::max(variables, part.variables);
  }
};

class Sql {
 public:
  Sql() = default;
  // Plain text without facts.
  Sql(const char* text) : text_(text) {}       // NOLINT(google-explicit-constructor)
  Sql(std::string_view text) : text_(text) {}  // NOLINT(google-explicit-constructor)
  // Explicit, so that converting a Sql to a string and back does not silently drop its facts.
  explicit Sql(std::string text, SqlFacts facts = {}) : text_(std::move(text)), facts_(facts) {}
  static Sql Simple(std::string text) { return Sql(std::move(text), {.simple = true}); }

  const std::string& text() const { return text_; }
  const SqlFacts& facts() const { return facts_; }
  SqlFacts& facts() { return facts_; }
  bool empty() const { return text_.empty(); }

  void Append(const Sql& part) {
    text_ += part.text_;
    facts_.AddPart(part.facts_);
  }
  Sql& operator+=(const Sql& part) {
    Append(part);
    return *this;
  }
  friend Sql operator+(Sql a, const Sql& b) { return a += b; }
  friend bool operator==(const Sql& a, std::string_view b) { return a.text_ == b; }

 private:
  std::string text_;
  SqlFacts facts_;
};

using Texts = std::vector<Sql>;

namespace internal {

inline std::string_view PieceText(const Sql& sql) { return sql.text(); }
inline std::string_view PieceText(std::string_view text) { return text; }
inline std::string_view PieceText(const char* text) { return text; }
inline std::string_view PieceText(const std::string& text) { return text; }
template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
std::string PieceText(Number number) {
  return base::StrCat(number);
}

template <typename Piece>
void AddFacts(SqlFacts& facts, const Piece& piece) {
  if constexpr (std::is_same_v<Piece, Sql>) facts.AddPart(piece.facts());
}

}  // namespace internal

// Concatenates the pieces, with the facts of those that are Sql.
template <typename... Pieces>
Sql Cat(const Pieces&... pieces) {
  SqlFacts facts;
  (internal::AddFacts(facts, pieces), ...);
  return Sql(base::StrCat(internal::PieceText(pieces)...), facts);
}

inline Sql JoinTexts(const Texts& parts, std::string_view separator) {
  Sql joined;
  for (const Sql& part : parts) {
    if (&part != &parts.front()) joined.Append(separator);
    joined.Append(part);
  }
  return joined;
}

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SQL_H_
