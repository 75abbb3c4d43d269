// SQL text that carries what is known of it, so that nobody has to look into the text to find out.
//
//     Sql sum = Cat("(", a, " + ", b, ")");      // names the variables that a and b name
//     Sql once = Sql::Simple("t1.time");         // says that it may be evaluated twice
//
// The facts of a concatenation follow from those of its parts. Text that is no part of another Sql has none.
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
  // A name, a number, a string or a bind variable, perhaps with a cast: costs nothing to evaluate twice.
  bool simple = false;
  // Names a column of a FROM item.
  bool reads_column = false;
  // Has an operator or function that serves many types, such as one that reads an element of a list: the engine does not know
  // the type of its result when an operand is NULL.
  bool many_types = false;
  // Has an aggregate call that keeps rows out by a FILTER.
  bool filters = false;
  // The variables that it names are numbered from 1 to this; 0: it names none.
  int variables = 0;

  // What holds of text that these facts' text becomes a part of.
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
  // Text that is none of other Sql's: no facts.
  Sql(const char* text) : text_(text) {}       // NOLINT(google-explicit-constructor)
  Sql(std::string_view text) : text_(text) {}  // NOLINT(google-explicit-constructor)
  // Explicit, so that the text of a Sql does not lose its facts on the way into another.
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

// The pieces, one after another, with the facts of those that are Sql.
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
