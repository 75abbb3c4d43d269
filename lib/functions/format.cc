// FORMAT: builds a text from a format and values. For each value, lq_format gets its kind as one letter and three
// texts: its plain digits or characters, the output of %t and the output of %T. Texts that the format does not use may
// be NULL.
//
// Kinds: i INT64, f FLOAT64, n NUMERIC and BIGNUMERIC, s STRING, j JSON, x any other.
#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/json_text.h"
#include "lib/functions/number_format.h"
#include "lib/functions/quoted_literal.h"

namespace logquery::functions {
namespace {

using base::StrCat;

constexpr size_t kTextsAValue = 3;

absl::Status BadFormat(std::string_view why) { return absl::InvalidArgumentError(StrCat("FORMAT: ", why)); }

class Formatter {
 public:
  Formatter(std::string_view format, std::string_view kinds, const TextList& texts, const Output& out)
      : format_(format), kinds_(kinds), texts_(texts), out_(out) {}

  // The text; nullopt: a value is NULL.
  absl::StatusOr<std::optional<std::string>> Run() {
    while (offset_ < format_.size()) {
      const size_t end = std::min(format_.find('%', offset_), format_.size());
      text_ += format_.substr(offset_, end - offset_);
      offset_ = end;
      if (offset_ < format_.size()) LOGQUERY_RETURN_IF_ERROR(AppendSpecifier());
      LOGQUERY_RETURN_IF_ERROR(out_.CheckBytes(text_.size()));
    }
    if (next_ < kinds_.size()) return BadFormat("more arguments than specifiers");
    return is_null_ ? std::nullopt : std::optional(std::move(text_));
  }

 private:
  absl::Status AppendSpecifier() {
    ++offset_;
    if (offset_ < format_.size() && format_[offset_] == '%') {
      ++offset_;
      text_ += '%';
      return absl::OkStatus();
    }
    Specifier specifier;
    ReadFlags(specifier);
    LOGQUERY_RETURN_IF_ERROR(ReadNumber(specifier.width));
    if (specifier.width.value_or(0) < 0) {
      specifier.left = true;
      specifier.width = -*specifier.width;
    }
    if (offset_ < format_.size() && format_[offset_] == '.') {
      ++offset_;
      specifier.precision = 0;
      LOGQUERY_RETURN_IF_ERROR(ReadNumber(specifier.precision));
      if (*specifier.precision < 0) specifier.precision.reset();
    }
    if (offset_ >= format_.size()) return BadFormat("a % without a specifier");
    specifier.conversion = format_[offset_++];
    if (next_ >= kinds_.size()) return BadFormat("more specifiers than arguments");
    LOGQUERY_RETURN_IF_ERROR(AppendValue(specifier));
    ++next_;
    return absl::OkStatus();
  }

  void ReadFlags(Specifier& specifier) {
    for (; offset_ < format_.size(); ++offset_) {
      switch (format_[offset_]) {
        case '-':
          specifier.left = true;
          break;
        case '+':
          specifier.plus = true;
          break;
        case ' ':
          specifier.space = true;
          break;
        case '#':
          specifier.alternate = true;
          break;
        case '0':
          specifier.zero = true;
          break;
        case '\'':
          specifier.grouped = true;
          break;
        default:
          return;
      }
    }
  }

  // A width or precision: digits, or `*` for the next argument. Left as it is where there is none.
  absl::Status ReadNumber(std::optional<int>& number) {
    if (offset_ < format_.size() && format_[offset_] == '*') {
      ++offset_;
      if (next_ >= kinds_.size()) return BadFormat("more specifiers than arguments");
      if (kinds_[next_] != 'i') return BadFormat("* takes an INT64");
      const auto& digits = texts_[next_++ * kTextsAValue];
      if (!digits.has_value()) {
        is_null_ = true;
        return absl::OkStatus();
      }
      return SetNumber(*digits, number);
    }
    const size_t end = std::min(format_.find_first_not_of("0123456789", offset_), format_.size());
    if (end == offset_) return absl::OkStatus();
    const std::string_view digits = format_.substr(offset_, end - offset_);
    offset_ = end;
    return SetNumber(digits, number);
  }

  static absl::Status SetNumber(std::string_view digits, std::optional<int>& number) {
    int value = 0;
    if (!absl::SimpleAtoi(base::ToAbsl(digits), &value) || value > kMaxFormatWidth || value < -kMaxFormatWidth) {
      return BadFormat(StrCat("the width or precision ", digits.substr(0, 20), " is too large"));
    }
    number = value;
    return absl::OkStatus();
  }

  absl::Status AppendValue(const Specifier& specifier) {
    const char kind = kinds_[next_];
    const char conversion = specifier.conversion;
    if (conversion == 't' || conversion == 'T') {
      const auto& text = texts_[next_ * kTextsAValue + (conversion == 't' ? 1 : 2)];
      text_ += Spread(specifier, text.value_or("NULL"));
      return absl::OkStatus();
    }
    if (!Takes(conversion, kind)) {
      return BadFormat(StrCat("%", std::string(1, conversion), " does not take the type of argument ", next_ + 2));
    }
    const auto& raw = texts_[next_ * kTextsAValue];
    if (!raw.has_value()) {
      is_null_ = true;
      return absl::OkStatus();
    }
    LOGQUERY_ASSIGN_OR_RETURN(const std::string value, Formatted(specifier, kind, *raw));
    text_ += value;
    return absl::OkStatus();
  }

  static bool Takes(char conversion, char kind) {
    switch (conversion) {
      case 'd':
      case 'i':
      case 'o':
      case 'x':
      case 'X':
        return kind == 'i';
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
        return kind == 'f' || kind == 'n';
      case 's':
        return kind == 's';
      case 'p':
      case 'P':
        return kind == 'j';
      default:
        return false;
    }
  }

  static absl::StatusOr<std::string> Formatted(const Specifier& specifier, char kind, std::string_view raw) {
    switch (kind) {
      case 'i': {
        int64_t number = 0;
        if (!absl::SimpleAtoi(base::ToAbsl(raw), &number)) return absl::InternalError("FORMAT: not an INT64");
        return FormattedInteger(specifier, number);
      }
      case 'f': {
        double number = 0;
        if (!absl::SimpleAtod(base::ToAbsl(raw), &number)) return absl::InternalError("FORMAT: not a FLOAT64");
        return FormattedFloat(specifier, number);
      }
      case 'n':
        return FormattedDecimal(specifier, raw);
      case 'j': {
        LOGQUERY_ASSIGN_OR_RETURN(const std::string text, JsonTextIn(raw, specifier.conversion == 'P'));
        return Spread(specifier, text);
      }
      default:
        return Spread(specifier, Cut(specifier, raw));
    }
  }

  // Cuts the text to as many characters as the precision says.
  static std::string_view Cut(const Specifier& specifier, std::string_view text) {
    if (!specifier.precision.has_value()) return text;
    size_t end = 0;
    for (int i = 0; i < *specifier.precision && end < text.size(); ++i) {
      end += static_cast<size_t>(base::DecodeUtf8(text, end).bytes);
    }
    return text.substr(0, end);
  }

  const std::string_view format_;
  const std::string_view kinds_;
  const TextList& texts_;
  const Output& out_;
  size_t offset_ = 0;
  size_t next_ = 0;
  bool is_null_ = false;
  std::string text_;
};

absl::Status Format(const Row& in, Output& out) {
  const TextList texts = in.Texts(2);
  const std::string_view kinds = in.Text(1);
  if (texts.size() != kinds.size() * kTextsAValue)
    return absl::InternalError("FORMAT: three texts belong to each value");
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<std::string> text, Formatter(in.Text(0), kinds, texts, out).Run());
  return text.has_value() ? out.Text(*text) : absl::OkStatus();
}

absl::Status StringLiteral(const Row& in, Output& out) { return out.Text(QuotedString(in.Text(0))); }
absl::Status BytesLiteral(const Row& in, Output& out) { return out.Text(StrCat("b", QuotedBytes(in.Text(0)))); }
absl::Status EscapedBytes(const Row& in, Output& out) { return out.Text(EscapedBytesText(in.Text(0))); }

constexpr FunctionEntry kEntries[] = {
    {"lq_format", "(STRING, STRING, ARRAY<STRING>) -> STRING", Format},
    {"lq_string_literal", "(STRING) -> STRING", StringLiteral},
    {"lq_bytes_literal", "(BYTES) -> STRING", BytesLiteral},
    {"lq_bytes_escaped", "(BYTES) -> STRING", EscapedBytes},
};

}  // namespace

FunctionEntries FormatFunctions() { return kEntries; }

}  // namespace logquery::functions
