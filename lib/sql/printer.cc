// Prints literals and names, and implements the entry points.
#include "lib/sql/printer.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "lib/sql/keywords.h"
#include "lib/sql/printer_impl.h"

namespace logquery::sql {
namespace {

bool IsPlainName(std::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name.front()))) return false;
  for (const char c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return true;
}

void AppendHexEscape(unsigned char byte, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 0xF];
}

// Returns `text` in quotes, escaped as necessary. Bytes above ASCII are only kept where they are text.
std::string Quote(std::string_view text, char quote, bool keep_unicode) {
  std::string out(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !keep_unicode)) {
      AppendHexEscape(byte, out);
    } else {
      out += c;
    }
  }
  out += quote;
  return out;
}

}  // namespace

std::string Print(const Query& query) {
  Printer printer;
  printer.PrintQuery(query);
  return printer.Take();
}

std::string Print(const Expr& expr) {
  Printer printer;
  printer.PrintExpr(expr);
  return printer.Take();
}

std::string QuoteIdentifier(std::string_view name) {
  if (IsPlainName(name) && !IsReservedKeyword(name)) return std::string(name);
  return Quote(name, '`', /*keep_unicode=*/true);
}

std::string QuoteString(std::string_view text) { return Quote(text, '\'', /*keep_unicode=*/true); }

std::string QuoteBytes(std::string_view bytes) { return "b" + Quote(bytes, '\'', /*keep_unicode=*/false); }

bool IsReservedKeyword(std::string_view word) { return IsReserved(FindKeyword(word)); }

// ---------------------------------------------------------------------------------------------------- names

void Printer::PutName(const Identifier& name) { Put(QuoteIdentifier(name.text)); }

void Printer::PutNames(const std::vector<Identifier>& names) {
  PutList(names, [this](const Identifier& name) { PutName(name); });
}

void Printer::PutPath(const std::vector<Identifier>& names) {
  for (const Identifier& name : names) {
    if (&name != &names.front()) Put(".");
    PutName(name);
  }
}

void Printer::PutAlias(const std::optional<Identifier>& alias) {
  if (!alias.has_value()) return;
  Put(" AS ");
  PutName(*alias);
}

void Printer::PutClause(std::string_view keyword, const ExprPtr& expr) {
  if (expr == nullptr) return;
  Put(keyword);
  PrintExpr(*expr);
}

}  // namespace logquery::sql
