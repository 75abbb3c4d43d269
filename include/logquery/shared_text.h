// Immutable bytes that all copies share: the body of an answer, which a cache keeps and many callers get.
//
//     logquery::SharedText body = answer.body;    // no byte is copied
//     std::string_view bytes = body;              // valid as long as a copy exists
//     std::string own = body;                     // a copy of the bytes
//
// Thread-safe.
#ifndef LOGQUERY_SHARED_TEXT_H_
#define LOGQUERY_SHARED_TEXT_H_

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace logquery {

class SharedText {
 public:
  SharedText() = default;
  explicit SharedText(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}  // NOLINT(google-explicit-constructor): a literal
  SharedText& operator=(const char* text) { return *this = SharedText(text); }
  SharedText& operator=(std::string text) { return *this = SharedText(std::move(text)); }

  const std::string& text() const { return text_ != nullptr ? *text_ : Empty(); }
  operator const std::string&() const { return text(); }  // NOLINT(google-explicit-constructor): it is read as a text
  operator std::string_view() const { return text(); }    // NOLINT(google-explicit-constructor): as above

  bool empty() const { return text_ == nullptr; }
  size_t size() const { return text().size(); }
  const char* data() const { return text().data(); }
  const char* c_str() const { return text().c_str(); }
  auto begin() const { return text().begin(); }
  auto end() const { return text().end(); }
  std::string substr(size_t position, size_t count = std::string::npos) const { return text().substr(position, count); }
  size_t find(std::string_view part, size_t position = 0) const { return text().find(part, position); }
  bool starts_with(std::string_view part) const { return text().starts_with(part); }

  template <typename T>
  requires std::convertible_to<const T&, std::string_view>
  friend bool operator==(const SharedText& a, const T& b) { return std::string_view(a) == std::string_view(b); }
  friend std::ostream& operator<<(std::ostream& out, const SharedText& text);

 private:
  static const std::string& Empty();

  std::shared_ptr<const std::string> text_;  // nullptr: empty
};

}  // namespace logquery

#endif  // LOGQUERY_SHARED_TEXT_H_
