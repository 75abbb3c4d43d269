// Writes text with CSV's own quoting, and every other type as its JSON text.
#include "lib/result/csv_cell.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "lib/base/utf8.h"

namespace logquery::result {
namespace {

// Signs with which a formula begins, in ASCII, full width and small; U+2212 is a minus sign, too.
constexpr char32_t kFormulaSigns[] = {'=',    '+',    '-',    '@',    0x2212, 0xFE62, 0xFE63,
                                      0xFE66, 0xFE6B, 0xFF0B, 0xFF0D, 0xFF1D, 0xFF20};
// Spaces and invisible characters, which programs drop before they look for a sign.
constexpr char32_t kBlanks[] = {' ', 0xA0, 0x200B, 0x200E, 0x200F, 0x2060, 0x3000, 0xFEFF};

template <size_t size>
bool IsOneOf(const char32_t (&known)[size], char32_t c) {
  return std::find(std::begin(known), std::end(known), c) != std::end(known);
}

// Returns whether a spreadsheet could take the text for a formula. A tab or line break at the beginning may end the
// cell, so that the rest begins a new one.
bool MayBeFormula(std::string_view text) {
  if (!text.empty() && std::string_view("\t\r\n").find(text.front()) != std::string_view::npos) return true;
  for (size_t i = 0; i < text.size();) {
    const base::CodePoint c = base::DecodeUtf8(text, i);
    if (IsOneOf(kFormulaSigns, c.value)) return true;
    if (!IsOneOf(kBlanks, c.value)) return false;
    i += static_cast<size_t>(c.bytes);
  }
  return false;
}

}  // namespace

CsvCell::CsvCell(const Type& type, const EncodeOptions& options)
    : kind_(type.kind()), options_(&options), json_(type, options) {}

void CsvCell::Write(const ColumnView& column, int64_t row, Output& out) const {
  if (column.IsNull(row) && kind_ != TypeKind::kArray) return;
  if (kind_ == TypeKind::kString) return WriteString(column.StringAt(row), out);
  std::string json;
  {
    Output to(json);
    json_.Write(column, row, to);
  }
  switch (kind_) {
    case TypeKind::kArray:
    case TypeKind::kStruct:
    case TypeKind::kJson:
      return WriteCsvText(json, options_->csv_safe, out);
    default:
      // Numbers, dates and their like: what JSON has to quote has nothing to escape in it, and is no formula.
      if (json.front() == '"') json = json.substr(1, json.size() - 2);
      WriteCsvText(json, false, out);
  }
}

void CsvCell::WriteString(std::string_view text, Output& out) const {
  std::string changed;
  if (options_->redactor != nullptr && options_->redactor->Matches(text)) {
    changed = options_->redactor->Redact(text);
    text = changed;
  }
  if (!base::IsValidUtf8(text)) {
    std::string valid;
    base::AppendValidUtf8(text, valid);
    changed = std::move(valid);
    text = changed;
  }
  WriteCsvText(text, options_->csv_safe, out);
}

void WriteCsvText(std::string_view text, bool safe, Output& out) {
  const bool formula = safe && MayBeFormula(text);
  const bool quoted = text.empty() || text.find_first_of("\",\r\n") != std::string_view::npos;
  if (quoted) out.Append('"');
  if (formula) out.Append('\'');
  if (!quoted) return out.Append(text);
  for (size_t quote; (quote = text.find('"')) != std::string_view::npos; text.remove_prefix(quote + 1)) {
    out.Append(text.substr(0, quote + 1));
    out.Append('"');
  }
  out.Append(text);
  out.Append('"');
}

}  // namespace logquery::result
