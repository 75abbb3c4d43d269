// Memory that is freed all at once: holds text that is created while rows are parsed, until the engine has copied it.
#ifndef LOGQUERY_LIB_STORE_ROWS_ARENA_H_
#define LOGQUERY_LIB_STORE_ROWS_ARENA_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace logquery::store {

// Not thread-safe.
class Arena {
 public:
  char* Allocate(size_t bytes) {
    if (bytes > left_) Grow(bytes);
    char* const result = next_;
    next_ += bytes;
    left_ -= bytes;
    return result;
  }
  std::string_view Copy(std::string_view text) {
    char* const copy = Allocate(text.size());
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }
  // Frees everything; keeps one block for reuse.
  void Clear() {
    if (blocks_.empty()) return;
    blocks_.resize(1);
    next_ = blocks_[0].get();
    left_ = first_bytes_;
  }

 private:
  static constexpr size_t kBlockBytes = 256 << 10;

  void Grow(size_t bytes) {
    const size_t size = bytes > kBlockBytes ? bytes : kBlockBytes;
    blocks_.emplace_back(new char[size]);
    if (blocks_.size() == 1) first_bytes_ = size;
    next_ = blocks_.back().get();
    left_ = size;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t first_bytes_ = 0;
  char* next_ = nullptr;
  size_t left_ = 0;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_ARENA_H_
