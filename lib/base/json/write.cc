// Writes JSON text byte for byte as nlohmann/json does, whose digits of FLOAT64 values are used: other shortest digits would change
// hashes of what was written before.
#include "lib/base/json/write.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lib/base/json/value.h"
#include "lib/base/utf8.h"

namespace logquery::base {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void AppendUnit(uint32_t unit, std::string& out) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 15];
}

// Appends a character that can't stand in a string as it is.
void AppendEscaped(char c, std::string& out) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  const size_t known = kShort.find(c);
  if (known == std::string_view::npos) return AppendUnit(static_cast<unsigned char>(c), out);
  out += '\\';
  out += kLetters[known];
}

bool IsPlain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

// Valid UTF-8.
void AppendInside(std::string_view text, std::string& out) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && IsPlain(text[end])) ++end;
    out += text.substr(at, end - at);
    if (end < text.size()) AppendEscaped(text[end], out);
    at = end + 1;
  }
}

template <typename Number>
void AppendWhole(Number number, std::string& out) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof(buffer), number).ptr);
}

void AppendDouble(double number, std::string& out) {
  if (!std::isfinite(number)) return void(out += "null");
  char buffer[64];
  out.append(buffer, nlohmann::detail::to_chars(buffer, buffer + sizeof(buffer), number));
}

template <typename Value>
class Writer {
 public:
  Writer(int indent, std::string& out) : indent_(indent), out_(out) {}

  void Write(const Value& value) {
    switch (value.kind()) {
      case JsonKind::kNull:
        out_ += "null";
        return;
      case JsonKind::kBool:
        out_ += value.template get<bool>() ? "true" : "false";
        return;
      case JsonKind::kSigned:
        return AppendWhole(value.template get<int64_t>(), out_);
      case JsonKind::kUnsigned:
        return AppendWhole(value.template get<uint64_t>(), out_);
      case JsonKind::kDouble:
        return AppendDouble(value.template get<double>(), out_);
      case JsonKind::kString:
        return AppendJsonString(value.text(), out_);
      case JsonKind::kArray:
        return WriteArray(value);
      case JsonKind::kObject:
        return WriteObject(value);
    }
  }

 private:
  void WriteArray(const Value& value) {
    if (value.empty()) return void(out_ += "[]");
    Open('[');
    bool is_first = true;
    for (const Value& element : value) {
      Next(is_first);
      Write(element);
    }
    Close(']');
  }

  void WriteObject(const Value& value) {
    if (value.empty()) return void(out_ += "{}");
    Open('{');
    bool is_first = true;
    for (const auto& [key, member] : value.items()) {
      Next(is_first);
      AppendJsonString(key, out_);
      out_ += indent_ >= 0 ? ": " : ":";
      Write(member);
    }
    Close('}');
  }

  void Open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void Next(bool& is_first) {
    if (!is_first) out_ += ',';
    is_first = false;
    Line();
  }

  void Close(char bracket) {
    --depth_;
    Line();
    out_ += bracket;
  }

  void Line() {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * depth_, ' ');
  }

  const int indent_;
  std::string& out_;
  size_t depth_ = 0;
};

}  // namespace

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  if (IsValidUtf8(text)) {
    AppendInside(text, out);
  } else {
    std::string valid;
    AppendValidUtf8(text, valid);
    AppendInside(valid, out);
  }
  out += '"';
}

std::string AsciiJsonString(std::string_view text) {
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    const std::string_view bytes = text.substr(at, static_cast<size_t>(point.bytes));
    at += bytes.size();
    if (point.value >= 0x10000) {
      AppendUnit(0xD800 + ((point.value - 0x10000) >> 10), out);
      AppendUnit(0xDC00 + ((point.value - 0x10000) & 0x3FF), out);
    } else if (point.value >= 0x7F) {
      AppendUnit(point.value, out);
    } else {
      AppendInside(bytes, out);
    }
  }
  return out + '"';
}

template <bool kSorted>
std::string BasicJson<kSorted>::ToString(int indent) const {
  std::string out;
  Writer<BasicJson>(indent, out).Write(*this);
  return out;
}

template std::string BasicJson<false>::ToString(int indent) const;
template std::string BasicJson<true>::ToString(int indent) const;

}  // namespace logquery::base
