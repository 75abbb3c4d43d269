// A recursive-descent parser for names, numbers, quoted text and parentheses.
#include "lib/engines/clickhouse/backend/wire_type.h"

#include <charconv>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;
using Kind = WireType::Kind;

constexpr int kMaxDepth = 100;

struct Simple {
  Kind kind;
  int width;
};

const Simple* FindSimple(std::string_view name) {
  static const auto& types = *new std::map<std::string, Simple, std::less<>>{
      {"Bool", {Kind::kBool, 1}},         {"Int8", {Kind::kInt, 1}},       {"Int16", {Kind::kInt, 2}},
      {"Int32", {Kind::kInt, 4}},         {"Int64", {Kind::kInt, 8}},      {"UInt8", {Kind::kUint, 1}},
      {"UInt16", {Kind::kUint, 2}},       {"UInt32", {Kind::kUint, 4}},    {"UInt64", {Kind::kUint, 8}},
      {"Float32", {Kind::kFloat, 4}},     {"Float64", {Kind::kFloat, 8}},  {"String", {Kind::kString, 0}},
      {"Date", {Kind::kDate, 2}},         {"Date32", {Kind::kDate32, 4}},  {"UUID", {Kind::kUuid, 16}},
      {"Enum8", {Kind::kEnum, 1}},        {"Enum16", {Kind::kEnum, 2}},    {"JSON", {Kind::kJson, 0}},
      {"DateTime", {Kind::kDateTime, 4}}, {"Nothing", {Kind::kNothing, 0}}};
  const auto found = types.find(name);
  return found == types.end() ? nullptr : &found->second;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  absl::StatusOr<WireType> Whole() {
    LOGQUERY_ASSIGN_OR_RETURN(WireType type, Type(0));
    SkipSpace();
    if (at_ != text_.size()) return Wrong();
    return type;
  }

 private:
  absl::Status Wrong() const {
    return absl::InvalidArgumentError(StrCat("ClickHouse names a type that can't be read: ", text_.substr(0, 200)));
  }
  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool TakeIf(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // A word, or a name in backquotes.
  std::string Word() {
    SkipSpace();
    std::string word;
    if (at_ < text_.size() && (text_[at_] == '`' || text_[at_] == '"')) {
      const char quote = text_[at_++];
      while (at_ < text_.size() && text_[at_] != quote) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        word += text_[at_++];
      }
      ++at_;
      return word;
    }
    while (at_ < text_.size() &&
           (absl::ascii_isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.')) {
      word += text_[at_++];
    }
    return word;
  }

  // Reads a parenthesized argument that is not a type: a number, a text or an assignment.
  absl::StatusOr<std::string> Raw() {
    std::string raw;
    for (int open = 1; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\'' || c == '`') {
        const size_t begin = at_++;
        while (at_ < text_.size() && text_[at_] != c) at_ += text_[at_] == '\\' ? 2 : 1;
        if (at_ >= text_.size()) return Wrong();
        raw += text_.substr(begin, at_ - begin + 1);
        continue;
      }
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (open == 0) return ++at_, raw;
      raw += c;
    }
    return Wrong();
  }

  absl::StatusOr<WireType> Type(int depth) {
    if (depth > kMaxDepth) return Wrong();
    SkipSpace();
    const size_t begin = at_;
    const std::string name = Word();
    if (name.empty()) return Wrong();
    WireType type;
    if (name == "Nullable" || name == "LowCardinality" || name == "Array" || name == "Map" || name == "Tuple") {
      LOGQUERY_RETURN_IF_ERROR(Children(name, type, depth));
    } else {
      std::string raw;
      if (TakeIf('(')) {
        LOGQUERY_ASSIGN_OR_RETURN(raw, Raw());
      }
      LOGQUERY_RETURN_IF_ERROR(Plain(name, raw, type));
    }
    type.text = std::string(text_.substr(begin, at_ - begin));
    return type;
  }

  absl::Status Plain(const std::string& name, const std::string& raw, WireType& type) const {
    if (const Simple* const simple = FindSimple(name)) {
      type.kind = simple->kind;
      type.width = simple->width;
    } else if (name == "FixedString" || name == "DateTime64") {
      type.kind = name == "FixedString" ? Kind::kFixedString : Kind::kDateTime64;
      int number = -1;
      const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), number);
      const bool is_text = type.kind == Kind::kFixedString;
      if (error != std::errc() || number < 0 || number > (is_text ? 1 << 24 : 9) || (is_text && number == 0))
        return Wrong();
      type.width = is_text ? number : 8;
      type.scale = is_text ? 0 : number;
    }
    return absl::OkStatus();
  }

  absl::Status Children(const std::string& name, WireType& type, int depth) {
    type.kind = name == "Nullable"         ? Kind::kNullable
                : name == "LowCardinality" ? Kind::kLowCardinality
                : name == "Array"          ? Kind::kArray
                : name == "Map"            ? Kind::kMap
                                           : Kind::kTuple;
    if (!TakeIf('(')) return Wrong();
    if (type.kind == Kind::kTuple && TakeIf(')')) return absl::OkStatus();
    do {
      if (type.kind == Kind::kTuple) type.names.push_back(ElementName());
      LOGQUERY_ASSIGN_OR_RETURN(WireType child, Type(depth + 1));
      type.children.push_back(std::move(child));
    } while (TakeIf(','));
    const size_t wanted = type.kind == Kind::kMap ? 2 : 1;
    const bool fits = type.kind == Kind::kTuple || type.children.size() == wanted;
    return TakeIf(')') && fits ? absl::OkStatus() : Wrong();
  }

  // Returns the name of a tuple's element if a type follows it; empty: the element has no name.
  std::string ElementName() {
    const size_t before = at_;
    std::string name = Word();
    SkipSpace();
    const bool is_name = at_ < text_.size() && text_[at_] != '(' && text_[at_] != ',' && text_[at_] != ')';
    if (!is_name) at_ = before;
    return is_name ? name : "";
  }

  const std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

const WireType& WireType::plain() const {
  const WireType* type = this;
  while (type->kind == Kind::kNullable || type->kind == Kind::kLowCardinality) type = type->children.data();
  return *type;
}

bool WireType::is_nullable() const {
  return kind == Kind::kNullable || (kind == Kind::kLowCardinality && children[0].is_nullable());
}

absl::StatusOr<WireType> ParseWireType(std::string_view text) { return Parser(text).Whole(); }

}  // namespace logquery::clickhouse
