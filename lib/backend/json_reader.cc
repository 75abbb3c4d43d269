// Parses in one pass without building a document. Looks ahead only if a record is in an array, to find out whether the
// array has several elements.
#include "lib/backend/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/json_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/parameter_binder.h"

namespace logquery::backend {
namespace {

constexpr int kMaxDepth = 1'000;
constexpr size_t kMaxDigits = 1'000'000;
// Years 1 to 9999.
constexpr int64_t kFirstMicros = -62'135'596'800'000'000;
constexpr int64_t kEndMicros = 253'402'300'800'000'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool AreDigits(std::string_view text) {
  for (const char c : text) {
    if (!IsDigit(c)) return false;
  }
  return !text.empty();
}

template <typename T>
bool ParseWhole(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

bool Int64OfText(std::string_view text, int64_t* out) {
  const bool has_sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  const std::string_view digits = text.substr(has_sign ? 1 : 0);
  if (!AreDigits(digits) || digits.size() > 19 || (digits.size() == 19 && text[0] == '+')) return false;
  return ParseWhole(text[0] == '+' ? digits : text, out);
}

// A whole number, however it is written: 5, 5.0, 0.5e1, 50e-1.
bool Int64OfNumber(std::string_view text, int64_t* out) {
  int exponent = 0;
  if (const size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    const size_t plus = text.substr(e + 1).starts_with('+') ? 1 : 0;
    if (!ParseWhole(text.substr(e + 1 + plus), &exponent)) return false;
    text = text.substr(0, e);
  }
  const bool negative = text.starts_with('-');
  std::string digits(text.substr(negative ? 1 : 0));
  if (const size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(std::min<size_t>(digits.size() - point - 1, kMaxDigits));
    digits.erase(point, 1);
  }
  if (!AreDigits(digits)) return false;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return *out = 0, true;
  const size_t zeros = digits.size() - 1 - digits.find_last_not_of('0');
  if (exponent > 18 || exponent < -static_cast<int>(zeros)) return false;
  if (exponent < 0) digits.resize(digits.size() - static_cast<size_t>(-exponent));
  if (exponent > 0) digits.append(static_cast<size_t>(exponent), '0');
  return ParseWhole(base::StrCat(negative ? "-" : "", digits), out);
}

bool Float64Of(std::string_view text, double* out) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (!ParseWhole(text, out)) return false;
  constexpr size_t kAlwaysExact = 15;
  const bool is_integer = text.find_first_of(".eEnNiI") == std::string_view::npos;
  if (text.size() <= kAlwaysExact || !is_integer) return true;
  char exact[400];
  const int size = std::snprintf(exact, sizeof(exact), "%.0f", *out);
  return std::string_view(exact, static_cast<size_t>(size)) == text;
}

bool MicrosOf(std::string_view text, bool is_string, int64_t* out) {
  if (is_string) {
    const absl::StatusOr<absl::Time> time = ParseTimestamp(text);
    if (!time.ok()) return false;
    *out = absl::ToUnixMicros(*time);
  } else if (!ParseWhole(text, out)) {
    return false;
  }
  return *out >= kFirstMicros && *out < kEndMicros;
}

class Reader {
 public:
  Reader(std::string_view json, TextBlocks& texts) : at_(json.data()), end_(json.data() + json.size()), texts_(texts) {}

  absl::Status Whole(ColumnBuilder& column) {
    LOGQUERY_RETURN_IF_ERROR(Value(column, 0));
    return Peek() == '\0' && at_ == end_ ? absl::OkStatus() : Wrong();
  }

 private:
  static absl::Status Wrong() {
    return absl::InternalError("a server's row has text in the place of JSON that is no JSON, or nested too deep");
  }

  char Peek() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
    return at_ == end_ ? '\0' : *at_;
  }
  bool TakeIf(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  absl::Status Value(ColumnBuilder& column, int depth) {
    if (depth > kMaxDepth) return Wrong();
    const Type& type = column.type();
    const char next = Peek();
    if (next == 'n') return Null(column);
    if (type.is_record() && next == '[') return RecordInArray(column, depth);
    if ((type.is_record() || type.is_struct()) && next == '{') return Object(column, depth);
    if (type.is_array() && !type.is_record() && next == '[') return Array(column, depth);
    if (type.is(TypeKind::kJson)) return Json(column, depth);
    if (next == '{' || next == '[' || type.is_array() || type.is_struct()) return Other(column, depth);
    return Scalar(column);
  }

  // Something that is not of the column's type.
  absl::Status Other(ColumnBuilder& column, int depth) {
    LOGQUERY_RETURN_IF_ERROR(Skip(depth));
    column.AppendNull();
    return absl::OkStatus();
  }

  absl::Status Null(ColumnBuilder& column) {
    std::string_view word;
    LOGQUERY_RETURN_IF_ERROR(Word(&word));
    column.AppendNull();
    return word == "null" ? absl::OkStatus() : Wrong();
  }

  absl::Status RecordInArray(ColumnBuilder& column, int depth) {
    const char* const start = at_;
    ++at_;
    if (Peek() == '{') {
      const char* const object = at_;
      LOGQUERY_RETURN_IF_ERROR(Skip(depth + 1));
      if (TakeIf(']')) {
        const char* const after = at_;
        at_ = object;
        LOGQUERY_RETURN_IF_ERROR(Object(column, depth + 1));
        at_ = after;
        return absl::OkStatus();
      }
    }
    at_ = start;
    return Other(column, depth);
  }

  absl::Status Object(ColumnBuilder& column, int depth) {
    ++at_;
    const int64_t row = column.rows();
    column.AppendPresent();
    if (!TakeIf('}')) {
      do {
        std::string_view key;
        LOGQUERY_RETURN_IF_ERROR(String(&key));
        if (!TakeIf(':')) return Wrong();
        const int field = column.FindField(key);
        // If a key occurs twice, the first occurrence counts.
        const bool is_wanted = field >= 0 && column.child(static_cast<size_t>(field)).rows() == row;
        LOGQUERY_RETURN_IF_ERROR(is_wanted ? Value(column.child(static_cast<size_t>(field)), depth + 1)
                                           : Skip(depth + 1));
      } while (TakeIf(','));
      if (!TakeIf('}')) return Wrong();
    }
    for (size_t i = 0; i < column.child_count(); ++i) {
      if (column.child(i).rows() == row) column.child(i).AppendNull();
    }
    return absl::OkStatus();
  }

  absl::Status Array(ColumnBuilder& column, int depth) {
    ++at_;
    ColumnBuilder& elements = column.child(0);
    const auto begin = static_cast<uint64_t>(elements.rows());
    if (!TakeIf(']')) {
      do {
        LOGQUERY_RETURN_IF_ERROR(Value(elements, depth + 1));
      } while (TakeIf(','));
      if (!TakeIf(']')) return Wrong();
    }
    column.Append(ListSlice{begin, static_cast<uint64_t>(elements.rows()) - begin});
    return absl::OkStatus();
  }

  absl::Status Json(ColumnBuilder& column, int depth) {
    const char* const start = at_;
    LOGQUERY_RETURN_IF_ERROR(Skip(depth));
    column.Append(StringRef(texts_.Copy({start, static_cast<size_t>(at_ - start)})));
    return absl::OkStatus();
  }

  absl::Status Scalar(ColumnBuilder& column) {
    const bool is_string = Peek() == '"';
    std::string_view text;
    LOGQUERY_RETURN_IF_ERROR(is_string ? String(&text) : Word(&text));
    const bool is_bool = !is_string && (text == "true" || text == "false");
    if (!is_string && !is_bool && text[0] != '-' && !IsDigit(text[0])) return Wrong();
    int64_t integer = 0;
    double number = 0;
    switch (column.type().kind()) {
      case TypeKind::kString:
        column.Append(StringRef(texts_.Copy(text)));
        return absl::OkStatus();
      case TypeKind::kBool:
        if (!is_bool && !(is_string && (base::EqualsIgnoreCase(text, "true") || base::EqualsIgnoreCase(text, "false"))))
          break;
        column.Append(static_cast<uint8_t>(text[0] == 't' || text[0] == 'T' ? 1 : 0));
        return absl::OkStatus();
      case TypeKind::kInt64:
        if (is_bool || !(is_string ? Int64OfText(text, &integer) : Int64OfNumber(text, &integer))) break;
        column.Append(integer);
        return absl::OkStatus();
      case TypeKind::kFloat64:
        if (is_bool || !Float64Of(text, &number)) break;
        column.Append(number);
        return absl::OkStatus();
      case TypeKind::kTimestamp:
        if (is_bool || !MicrosOf(text, is_string, &integer)) break;
        column.Append(integer);
        return absl::OkStatus();
      default:
        break;
    }
    column.AppendNull();
    return absl::OkStatus();
  }

  // true, false, null, or a number.
  absl::Status Word(std::string_view* out) {
    Peek();
    const char* const start = at_;
    while (at_ != end_ && *at_ != ',' && *at_ != ']' && *at_ != '}' && *at_ != ' ' && *at_ != '\n' && *at_ != '\t' &&
           *at_ != '\r' && *at_ != ':' && *at_ != '"')
      ++at_;
    *out = {start, static_cast<size_t>(at_ - start)};
    return out->empty() ? Wrong() : absl::OkStatus();
  }

  // Sets `out` to the text that a string represents, valid until the next string with escapes.
  absl::Status String(std::string_view* out) {
    if (Peek() != '"') return Wrong();
    const char* const start = at_++;
    bool escaped = false;
    for (; at_ != end_ && *at_ != '"'; ++at_) {
      if (*at_ != '\\') continue;
      escaped = true;
      if (++at_ == end_) return Wrong();
    }
    if (at_ == end_) return Wrong();
    ++at_;
    const std::string_view quoted(start, static_cast<size_t>(at_ - start));
    *out = quoted.substr(1, quoted.size() - 2);
    if (escaped) {
      unescaped_ = base::JsonStringValue(quoted);
      *out = unescaped_;
    }
    return absl::OkStatus();
  }

  // Skips any value whose brackets match in number and kind.
  absl::Status Skip(int depth) {
    std::string open;
    do {
      std::string_view text;
      const char next = Peek();
      if (next == '"') {
        LOGQUERY_RETURN_IF_ERROR(String(&text));
      } else if (next == '{' || next == '[') {
        open += next == '{' ? '}' : ']';
        ++at_;
      } else if (next == '}' || next == ']') {
        if (open.empty() || open.back() != next) return Wrong();
        open.pop_back();
        ++at_;
      } else if (!open.empty() && (next == ',' || next == ':')) {
        ++at_;
      } else {
        LOGQUERY_RETURN_IF_ERROR(Word(&text));
      }
      if (open.size() + static_cast<size_t>(depth) > kMaxDepth) return Wrong();
    } while (!open.empty());
    return absl::OkStatus();
  }

  const char* at_;
  const char* const end_;
  TextBlocks& texts_;
  std::string unescaped_;
};

}  // namespace

bool ReadsFromJson(const Type& type) {
  if (type.is_record() || type.is_struct()) {
    for (const Field& field : type.fields()) {
      if (!ReadsFromJson(field.type)) return false;
    }
    return true;
  }
  switch (type.kind()) {
    case TypeKind::kArray:
      return ReadsFromJson(type.element());
    case TypeKind::kString:
    case TypeKind::kInt64:
    case TypeKind::kBool:
    case TypeKind::kFloat64:
    case TypeKind::kTimestamp:
    case TypeKind::kJson:
      return true;
    default:
      return false;
  }
}

absl::Status AppendJson(std::string_view json, ColumnBuilder& column, TextBlocks& texts) {
  return Reader(json, texts).Whole(column);
}

}  // namespace logquery::backend
