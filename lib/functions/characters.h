// Access to text by characters, for functions with character positions.
#ifndef LOGQUERY_LIB_FUNCTIONS_CHARACTERS_H_
#define LOGQUERY_LIB_FUNCTIONS_CHARACTERS_H_

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/base/utf8.h"

namespace logquery::functions {

// The start offsets of a text's characters. Borrows the text.
class Characters {
 public:
  explicit Characters(std::string_view text) : text_(text) {
    offsets_.reserve(text.size() + 1);
    for (size_t at = 0; at < text.size(); at += static_cast<size_t>(base::DecodeUtf8(text, at).bytes)) {
      offsets_.push_back(at);
    }
    offsets_.push_back(text.size());
  }

  std::string_view text() const { return text_; }
  size_t size() const { return offsets_.size() - 1; }
  // Returns the byte offset of character `i`; for i = size(), the end of the text.
  size_t OffsetOf(size_t i) const { return offsets_[i]; }
  // Returns the index of the character that starts at this byte.
  size_t IndexOf(size_t offset) const {
    return static_cast<size_t>(std::lower_bound(offsets_.begin(), offsets_.end(), offset) - offsets_.begin());
  }
  std::string_view operator[](size_t i) const { return Range(i, 1); }
  // Returns up to `count` characters, starting at `begin`.
  std::string_view Range(size_t begin, size_t count) const {
    const size_t end = begin + std::min(count, size() - begin);
    return text_.substr(offsets_[begin], offsets_[end] - offsets_[begin]);
  }

 private:
  std::string_view text_;
  std::vector<size_t> offsets_;
};

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_CHARACTERS_H_
