// Copies text token by token for layout; builds trees from the tokens of nlohmann's parser, whose offsets are in error messages,
// with checks for depth and exact numbers.
#include "lib/functions/json_text.h"

#include <charconv>
#include <cstdio>
#include <deque>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::functions {
namespace {

using base::StrCat;
absl::Status TooDeep() { return absl::InvalidArgumentError(StrCat("JSON is nested deeper than ", kMaxJsonDepth)); }

// The offset behind the string that begins at `offset`.
size_t SkipString(std::string_view text, size_t offset) {
  for (++offset; offset < text.size() && text[offset] != '"'; ++offset) {
    if (text[offset] == '\\') ++offset;
  }
  return std::min(offset + 1, text.size());
}

// The significant digits of a number as it is written, without zeros around them, and its power of ten.
std::pair<std::string, int64_t> Significant(std::string_view number) {
  std::string digits;
  int64_t exponent = 0;
  bool after_point = false;
  for (size_t i = 0; i < number.size(); ++i) {
    const char c = number[i];
    if (c == 'e' || c == 'E') {
      const size_t sign = number.substr(i + 1, 1) == "+" ? 2 : 1;
      int64_t power = 0;
      std::from_chars(number.data() + i + sign, number.data() + number.size(), power);
      exponent += power;
      break;
    }
    if (c == '.') after_point = true;
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) continue;
    if (after_point) --exponent;
    digits += c;
  }
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return {digits, digits.empty() ? 0 : exponent};
}

// Returns whether the FLOAT64 nearest to the number prints as the number does.
bool IsExact(std::string_view text, double number) {
  const auto wanted = Significant(text);
  if (wanted.first.size() > 17) return false;
  char buffer[64];
  const int places = std::max<int>(static_cast<int>(wanted.first.size()), 1) - 1;
  const int size = std::snprintf(buffer, sizeof(buffer), "%.*e", places, number);
  return Significant(std::string_view(buffer, static_cast<size_t>(size))) == wanted;
}

// Builds the tree. A value whose key comes a second time goes nowhere where members are sorted, and is added where they keep
// their order.
template <typename Tree>
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(bool exact) : exact_(exact) {}

  Tree TakeRoot() { return std::move(root_); }
  const absl::Status& status() const { return status_; }

  bool null() override { return Put(nullptr) != nullptr; }
  bool boolean(bool value) override { return Put(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return Put(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return Put(value) != nullptr; }
  bool number_float(number_float_t value, const string_t& text) override {
    if (exact_ && !IsExact(text, value)) {
      return Fail(StrCat("the number ", std::string_view(text).substr(0, 60),
                         " can't be kept as it is written; "
                         "wide_number_mode => 'round' rounds it"));
    }
    return Put(value) != nullptr;
  }
  bool string(string_t& value) override { return Put(std::move(value)) != nullptr; }
  bool binary(binary_t&) override { return Fail("no JSON"); }
  bool start_object(std::size_t) override { return Open(Tree::object()); }
  bool start_array(std::size_t) override { return Open(Tree::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return Fail(StrCat("not JSON, at offset ", position));
  }

 private:
  bool Fail(std::string_view why) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(base::ToAbsl(why));
    return false;
  }

  template <typename T>
  Tree* Put(T&& value) {
    if (open_.empty()) {
      root_ = std::forward<T>(value);
      return &root_;
    }
    Tree& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::forward<T>(value));
      return &parent.back();
    }
    Tree* target = nullptr;
    if constexpr (std::is_same_v<Tree, base::Json>) {
      target = &parent.items().emplace_back(key_, nullptr).second;
    } else {
      const auto [place, added] = parent.emplace(key_, nullptr);
      target = added ? &*place : &ignored_.emplace_back();
    }
    *target = std::forward<T>(value);
    return target;
  }

  bool Open(Tree container) {
    if (open_.size() >= kMaxJsonDepth) {
      status_ = TooDeep();
      return false;
    }
    open_.push_back(Put(std::move(container)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  const bool exact_;
  Tree root_;
  std::vector<Tree*> open_;
  std::string key_;
  std::deque<Tree> ignored_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::string> JsonTextIn(std::string_view text, bool pretty) {
  std::string out;
  int depth = 0;
  const auto line = [&] {
    if (!pretty) return;
    out += '\n';
    out.append(2 * static_cast<size_t>(depth), ' ');
  };
  for (size_t offset = 0; offset < text.size();) {
    const char c = text[offset];
    if (c == '"') {
      const size_t end = SkipString(text, offset);
      out += text.substr(offset, end - offset);
      offset = end;
      continue;
    }
    ++offset;
    if (absl::ascii_isspace(static_cast<unsigned char>(c))) continue;
    if (c == '{' || c == '[') {
      out += c;
      const size_t next = std::min(text.find_first_not_of(" \t\r\n", offset), text.size());
      if (next < text.size() && text[next] == (c == '{' ? '}' : ']')) {
        out += text[next];
        offset = next + 1;
        continue;
      }
      if (++depth > kMaxJsonDepth) return TooDeep();
      line();
    } else if (c == '}' || c == ']') {
      --depth;
      line();
      out += c;
    } else if (c == ',') {
      out += c;
      line();
    } else {
      out += c;
      if (c == ':' && pretty) out += ' ';
    }
  }
  return out;
}

namespace {

template <typename Tree>
absl::StatusOr<Tree> ReadTree(std::string_view text, bool exact) {
  Builder<Tree> builder(exact);
  nlohmann::json::sax_parse(text, &builder);
  if (!builder.status().ok()) return builder.status();
  return builder.TakeRoot();
}

}  // namespace

absl::StatusOr<base::SortedJson> ReadJson(std::string_view text, bool exact) {
  return ReadTree<base::SortedJson>(text, exact);
}

absl::StatusOr<base::Json> ReadJsonInOrder(std::string_view text) { return ReadTree<base::Json>(text, false); }

std::string WriteJson(const base::SortedJson& value) { return value.ToString(); }

}  // namespace logquery::functions
