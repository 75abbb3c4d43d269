// A std::string that is written to by pointer: what the row path appends to.
//
// Appending byte by byte to a std::string checks and moves its end every time. Here the string is kept longer than its
// content, a writer reserves room once and then writes through a pointer. The string has its true length again when the
// Output is gone.
#ifndef LOGQUERY_LIB_RESULT_OUTPUT_H_
#define LOGQUERY_LIB_RESULT_OUTPUT_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace logquery::result {

class Output {
 public:
  // Appends to `text`, which is borrowed. When more than `limit` bytes are in it, what follows is dropped, so that
  // memory stays bounded, and overflowed() tells.
  explicit Output(std::string& text, size_t limit = std::numeric_limits<size_t>::max())
      : text_(text), size_(text.size()), limit_(limit) {}
  ~Output() { text_.resize(size_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  size_t size() const { return size_; }
  std::string_view content() const { return {text_.data(), size_}; }
  // Lets the content go; it still counts for the limit.
  void Drop() {
    limit_ -= std::min(limit_, size_);
    size_ = 0;
  }
  bool overflowed() const { return overflowed_ || size_ > limit_; }

  // Room for `bytes` bytes behind the content; valid until the next call.
  char* Reserve(size_t bytes) {
    if (text_.size() - size_ < bytes) Grow(bytes);
    return text_.data() + size_;
  }
  // Says that the content goes up to `end`, within what was reserved.
  void SetEnd(const char* end) { size_ = static_cast<size_t>(end - text_.data()); }

  // Says that about so many bytes will follow, so that they are made room for at once. Touching memory for the first
  // time costs more than writing rows does.
  void Expect(size_t bytes) {
    const size_t wanted = std::min(size_ + bytes, limit_);
    if (wanted > text_.size()) text_.resize(wanted);
  }

  void Append(std::string_view bytes) {
    std::memcpy(Reserve(bytes.size()), bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  // Bytes known when compiling: no call is made for the copy.
  template <size_t kSize>
  void AppendLiteral(const char (&literal)[kSize]) {
    std::memcpy(Reserve(kSize - 1), literal, kSize - 1);
    size_ += kSize - 1;
  }
  void Append(char byte) {
    *Reserve(1) = byte;
    ++size_;
  }

 private:
  void Grow(size_t bytes) {
    if (size_ > limit_) {
      overflowed_ = true;
      size_ = 0;
    }
    const size_t wanted = size_ + bytes;
    if (wanted > text_.size()) text_.resize(2 * wanted + 64);
  }

  std::string& text_;
  size_t size_;
  size_t limit_;
  bool overflowed_ = false;
};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_OUTPUT_H_
