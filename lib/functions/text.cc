// STRING functions that build, search and rewrite text by characters.
#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/characters.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/text_search.h"

namespace logquery::functions {
namespace {

using base::StrCat;

absl::Status Repeat(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  const int64_t count = in.Int(1);
  if (count < 0) return absl::InvalidArgumentError("REPEAT: the second argument is negative");
  if (text.empty()) return out.Text("");
  // Compared as a quotient, since the product may not fit.
  if (static_cast<uint64_t>(count) > SIZE_MAX / text.size()) return out.CheckBytes(SIZE_MAX);
  LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(text.size() * static_cast<size_t>(count)));
  std::string value;
  value.reserve(text.size() * static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) value += text;
  return out.Text(value);
}

absl::Status Concat(const Row& in, Output& out) {
  size_t bytes = 0;
  for (size_t i = 0; i < in.size(); ++i) bytes += in.Text(i).size();
  LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(bytes));
  std::string value;
  value.reserve(bytes);
  for (size_t i = 0; i < in.size(); ++i) value += in.Text(i);
  return out.Text(value);
}

absl::Status Replace(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  const std::string_view from = in.Text(1);
  const std::string_view to = in.Text(2);
  size_t at = from.empty() ? std::string_view::npos : FindText(text, from);
  if (at == std::string_view::npos) return out.TextAsItIs(text);
  const bool grows = to.size() > from.size();
  std::string value;
  size_t begin = 0;
  for (; at != std::string_view::npos; at = FindText(text, from, begin)) {
    value += text.substr(begin, at - begin);
    value += to;
    begin = at + from.size();
    if (grows) LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(value.size()));
  }
  value += text.substr(begin);
  return grows ? out.Text(value) : out.TextAsItIs(value);
}

// The text filled up, or cut, to a length in characters.
absl::Status Pad(const Row& in, Output& out, bool left) {
  const std::string_view text = in.Text(0);
  const int64_t length = in.Int(1);
  const std::string_view pattern = in.size() > 2 ? in.Text(2) : " ";
  if (length < 0) return absl::InvalidArgumentError(StrCat(left ? "LPAD" : "RPAD", ": the length is negative"));
  if (pattern.empty()) return absl::InvalidArgumentError(StrCat(left ? "LPAD" : "RPAD", ": the pattern is empty"));
  const Characters characters(text);
  const auto size = static_cast<int64_t>(characters.size());
  if (size >= length) return out.Text(characters.Range(0, static_cast<size_t>(length)));
  LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(static_cast<size_t>(length - size)));
  const Characters fill(pattern);
  std::string padding;
  for (int64_t i = 0; i < length - size; ++i) {
    padding += fill[static_cast<size_t>(i) % fill.size()];
    if (padding.size() > text.size()) LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(padding.size()));
  }
  return out.Text(left ? StrCat(padding, text) : StrCat(text, padding));
}

absl::Status LPad(const Row& in, Output& out) { return Pad(in, out, true); }
absl::Status RPad(const Row& in, Output& out) { return Pad(in, out, false); }

absl::Status Translate(const Row& in, Output& out) {
  const Characters from(in.Text(1));
  const Characters to(in.Text(2));
  absl::flat_hash_map<std::string_view, std::string_view> table;
  for (size_t i = 0; i < from.size(); ++i) {
    if (!table.emplace(from[i], i < to.size() ? to[i] : std::string_view()).second) {
      return absl::InvalidArgumentError(StrCat("TRANSLATE: the character '", from[i], "' is given twice"));
    }
  }
  const Characters text(in.Text(0));
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto found = table.find(text[i]);
    value += found == table.end() ? text[i] : found->second;
  }
  return out.Text(value);
}

// INITCAP's text in pieces, by turns of what is to be upper and lower case: DuckDB's upper() and lower() know all letters.
absl::Status Words(const Row& in, Output& out) {
  const Characters text(in.Text(0));
  const Characters delimiter_list(in.Text(1));
  absl::flat_hash_set<std::string_view> delimiters;
  for (size_t i = 0; i < delimiter_list.size(); ++i) delimiters.insert(delimiter_list[i]);
  LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(text.text().size()));
  std::vector<std::optional<std::string>> pieces;
  bool begins = true;
  for (size_t i = 0; i < text.size(); ++i) {
    if (begins) {
      pieces.emplace_back(text[i]);
      pieces.emplace_back("");
    } else {
      pieces.back()->append(text[i]);
    }
    begins = delimiters.contains(text[i]);
  }
  return out.Texts(pieces);
}

// Source: the Soundex of GoogleSQL: letters alone count, equal codes in a row are one, also across H and W.
absl::Status Soundex(const Row& in, Output& out) {
  static constexpr std::string_view kCodes = "01230120022455012623010202";
  std::string value;
  char last = 0;
  for (const char c : in.Text(0)) {
    if (!absl::ascii_isalpha(static_cast<unsigned char>(c))) continue;
    const char upper = absl::ascii_toupper(static_cast<unsigned char>(c));
    const char code = kCodes[static_cast<size_t>(upper - 'A')];
    if (value.empty()) {
      value += c;
    } else if (code != '0' && code != last) {
      value += code;
    }
    if (upper != 'H' && upper != 'W') last = code;
    if (value.size() == 4) break;
  }
  if (!value.empty()) value.resize(4, '0');
  return out.Text(value);
}

absl::Status TooLong(std::string_view type, int64_t most, size_t length) {
  return absl::InvalidArgumentError(StrCat(type, "(", most, ") has room for ", most, ", and the value has ", length));
}

absl::Status LimitLength(const Row& in, Output& out) {
  const size_t length = Characters(in.Text(0)).size();
  if (length > static_cast<size_t>(in.Int(1))) return TooLong("STRING", in.Int(1), length);
  return out.Pass(in.Text(0));
}

absl::Status LimitBytes(const Row& in, Output& out) {
  const size_t length = in.Text(0).size();
  if (length > static_cast<size_t>(in.Int(1))) return TooLong("BYTES", in.Int(1), length);
  return out.Pass(in.Text(0));
}

absl::Status Reverse(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(text.size()));
  std::string value;
  value.reserve(text.size());
  for (size_t end = text.size(); end > 0;) {
    // A character's bytes after its first have 10 as their first bits.
    size_t begin = end - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
    value += text.substr(begin, end - begin);
    end = begin;
  }
  return out.Text(value);
}

// An empty delimiter splits into single characters, of which an empty text has none; by another delimiter it has one empty part.
absl::Status Split(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  const std::string_view delimiter = in.Text(1);
  if (!delimiter.empty()) return out.PartsOf(text, PartsBetween(text, delimiter));
  const Characters characters(text);
  TextList parts;
  for (size_t i = 0; i < characters.size(); ++i) parts.emplace_back(characters[i]);
  return out.PartsOf(text, parts);
}

absl::Status ToCodePoints(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  std::vector<int64_t> points;
  points.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeUtf8(text, at);
    points.push_back(point.value);
    at += static_cast<size_t>(point.bytes);
  }
  return out.NumbersOf(text, points);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_limit_length", "(STRING, INT64) -> STRING", LimitLength, "$limit_length"},
    {"lq_bytes_limit_length", "(BYTES, INT64) -> BYTES", LimitBytes, "$limit_length"},
    {"lq_reverse", "(STRING) -> STRING", Reverse, "REVERSE"},
    {"lq_split", "(STRING, STRING) -> ARRAY<STRING>", Split},
    {"lq_to_code_points", "(STRING) -> ARRAY<INT64>", ToCodePoints, "TO_CODE_POINTS"},
    {"lq_repeat", "(STRING, INT64) -> STRING", Repeat, "REPEAT"},
    {"lq_concat", "(STRING...) -> STRING", Concat},
    {"lq_replace", "(STRING, STRING, STRING) -> STRING", Replace, "REPLACE"},
    {"lq_lpad", "(STRING, INT64, STRING) -> STRING", LPad},
    {"lq_rpad", "(STRING, INT64, STRING) -> STRING", RPad},
    {"lq_translate", "(STRING, STRING, STRING) -> STRING", Translate, "TRANSLATE"},
    {"lq_words", "(STRING, STRING) -> ARRAY<STRING>", Words},
    {"lq_soundex", "(STRING) -> STRING", Soundex, "SOUNDEX"},
    // The same bytes do for both types.
    {"lq_bytes_repeat", "(BYTES, INT64) -> BYTES", Repeat, "REPEAT"},
    {"lq_bytes_concat", "(BYTES...) -> BYTES", Concat},
    {"lq_bytes_replace", "(BYTES, BYTES, BYTES) -> BYTES", Replace, "REPLACE"},
};

}  // namespace

FunctionEntries TextFunctions() { return kEntries; }

}  // namespace logquery::functions
