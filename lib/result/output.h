// A std::string that is written through a pointer, for encoding rows.
//
// Appending single bytes to a std::string checks and moves its end every time. Here the string is kept longer than its
// content, and a writer reserves room once and writes through a pointer. The Output's destructor sets the true length.
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
  // Appends to `text`, which is borrowed. Bytes beyond `limit` are dropped, so that memory stays bounded, and
  // overflowed() becomes true.
  explicit Output(std::string& text, size_t limit = std::numeric_limits<size_t>::max())
      : text_(text), size_(text.size()), limit_(limit) {}
  ~Output() { text_.resize(size_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  size_t size() const { return size_; }
  std::string_view content() const { return {text_.data(), size_}; }
  // Removes the content, which still counts towards the limit.
  void Drop() {
    limit_ -= std::min(limit_, size_);
    size_ = 0;
  }
  bool overflowed() const { return overflowed_ || size_ > limit_; }

  // Returns room for `bytes` bytes after the content; valid until the next call.
  char* Reserve(size_t bytes) {
    if (text_.size() - size_ < bytes) Grow(bytes);
    return text_.data() + size_;
  }
  // Sets the end of the content, within the reserved room.
  void SetEnd(const char* end) { size_ = static_cast<size_t>(end - text_.data()); }

  // Announces that about this many bytes will follow, so that they are allocated at once. Touching new memory costs
  // more than writing rows.
  void Expect(size_t bytes) {
    const size_t wanted = std::min(size_ + bytes, limit_);
    if (wanted > text_.size()) text_.resize(wanted);
  }

  void Append(std::string_view bytes) {
    std::memcpy(Reserve(bytes.size()), bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  // For constant sizes: copies without a function call.
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
