// Sets of columns of one query.
#ifndef LOGQUERY_LIB_REWRITE_COLUMN_SET_H_
#define LOGQUERY_LIB_REWRITE_COLUMN_SET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/bits.h"

namespace logquery::rewrite {

using ColumnId = int;

// A bit set from the smallest to the largest id. A query numbers its columns consecutively, so those of one node have
// close ids, and passes create many small sets. Iterates in ascending order.
class ColumnSet {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = ColumnId;
    using difference_type = std::ptrdiff_t;
    using pointer = const ColumnId*;
    using reference = ColumnId;

    Iterator(const ColumnSet* set, size_t bit) : set_(set), bit_(set->NextFrom(bit)) {}
    ColumnId operator*() const { return set_->IdOf(bit_); }
    Iterator& operator++() {
      bit_ = set_->NextFrom(bit_ + 1);
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.bit_ == b.bit_; }

   private:
    const ColumnSet* set_;
    size_t bit_;
  };

  ColumnSet() = default;
  ColumnSet(std::initializer_list<ColumnId> ids) {
    for (const ColumnId id : ids) insert(id);
  }

  bool contains(ColumnId id) const {
    const size_t word = static_cast<size_t>(WordOf(id) - first_word_);
    return word < words_.size() && (words_[word] & MaskOf(id)) != 0;
  }

  // Returns whether the id was not in the set before.
  bool insert(ColumnId id) {
    uint64_t& word = Reach(WordOf(id));
    const bool is_new = (word & MaskOf(id)) == 0;
    word |= MaskOf(id);
    return is_new;
  }

  void erase(ColumnId id) {
    if (contains(id)) words_[static_cast<size_t>(WordOf(id) - first_word_)] &= ~MaskOf(id);
  }

  size_t size() const {
    size_t count = 0;
    for (const uint64_t word : words_) count += static_cast<size_t>(absl::popcount(word));
    return count;
  }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](uint64_t word) { return word == 0; });
  }

  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, words_.size() * kBits}; }

  friend bool operator==(const ColumnSet& a, const ColumnSet& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr size_t kBits = 64;

  // Rounds down, because ids may be negative.
  static int64_t WordOf(ColumnId id) { return id >> 6; }
  static uint64_t MaskOf(ColumnId id) { return uint64_t{1} << (static_cast<unsigned>(id) & 63U); }
  ColumnId IdOf(size_t bit) const { return static_cast<ColumnId>(first_word_ * 64 + static_cast<int64_t>(bit)); }

  uint64_t& Reach(int64_t word) {
    if (words_.empty()) first_word_ = word;
    if (word < first_word_) {
      words_.insert(words_.begin(), static_cast<size_t>(first_word_ - word), 0);
      first_word_ = word;
    }
    const size_t place = static_cast<size_t>(word - first_word_);
    if (place >= words_.size()) words_.resize(place + 1, 0);
    return words_[place];
  }

  size_t NextFrom(size_t bit) const {
    for (size_t word = bit / kBits; word < words_.size(); ++word, bit = word * kBits) {
      const uint64_t rest = words_[word] >> (bit % kBits);
      if (rest != 0) return bit + static_cast<size_t>(absl::countr_zero(rest));
    }
    return words_.size() * kBits;
  }

  int64_t first_word_ = 0;  // the index of words_[0], counted in words from id 0
  absl::InlinedVector<uint64_t, 6> words_;
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_COLUMN_SET_H_
