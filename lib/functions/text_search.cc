// Searches by the ends of a text and by memmem, whose two-way algorithm takes linear time, and by the algorithm of
// Knuth, Morris and Pratt.
#include "lib/functions/text_search.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>

namespace logquery::functions {

namespace {

size_t FindByMemmem(std::string_view text, std::string_view part, size_t begin) {
  const void* const found = memmem(text.data() + begin, text.size() - begin, part.data(), part.size());
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

#ifdef __SSE2__

constexpr size_t kPlaces = 16;  // that are looked at together

__m128i Load(const char* bytes) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)); }

// Looks for the first and the last byte of the part at their distance, at 16 places at once, and compares only where both are. What
// it may compare is bounded by the size of the text; where a text has more such places, memmem goes on.
size_t FindByEnds(std::string_view text, std::string_view part, size_t begin) {
  const size_t to_last = part.size() - 1;
  const size_t end = text.size() - to_last;  // of the places that the part can begin at
  const __m128i first = _mm_set1_epi8(part.front());
  const __m128i last = _mm_set1_epi8(part.back());
  size_t budget = text.size();
  for (size_t next = begin; next < end; next += kPlaces) {
    // The last places overlap those before.
    const size_t at = std::min(next, end - kPlaces);
    const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(Load(text.data() + at), first),
                                       _mm_cmpeq_epi8(Load(text.data() + at + to_last), last));
    for (auto mask = static_cast<unsigned>(_mm_movemask_epi8(both)); mask != 0; mask &= mask - 1) {
      const size_t place = at + static_cast<size_t>(std::countr_zero(mask));
      if (std::memcmp(text.data() + place, part.data(), part.size()) == 0) return place;
      if (budget < part.size()) return FindByMemmem(text, part, place + 1);
      budget -= part.size();
    }
  }
  return std::string_view::npos;
}

#endif

}  // namespace

size_t FindText(std::string_view text, std::string_view part, size_t begin) {
  if (part.empty()) return begin;
  const size_t rest = text.size() - begin;
  if (rest < part.size()) return std::string_view::npos;
#ifdef __SSE2__
  if (part.size() > 1 && rest - part.size() + 1 >= kPlaces) return FindByEnds(text, part, begin);
#endif
  return FindByMemmem(text, part, begin);
}

TextList PartsBetween(std::string_view text, std::string_view delimiter) {
  TextList parts;
  size_t begin = 0;
  for (size_t at = FindText(text, delimiter); at != std::string_view::npos; at = FindText(text, delimiter, begin)) {
    parts.emplace_back(text.substr(begin, at - begin));
    begin = at + delimiter.size();
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

Occurrences::Occurrences(std::string_view text, std::string_view part) : text_(text), part_(part) {
  borders_.reserve(part.size());
  borders_.push_back(0);
  for (size_t i = 1, border = 0; i < part.size(); ++i) {
    while (border > 0 && part[i] != part[border]) border = borders_[border - 1];
    if (part[i] == part[border]) ++border;
    borders_.push_back(border);
  }
}

std::optional<size_t> Occurrences::Next() {
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    while (matched_ > 0 && c != part_[matched_]) matched_ = borders_[matched_ - 1];
    if (c == part_[matched_]) ++matched_;
    if (matched_ < part_.size()) continue;
    matched_ = borders_[matched_ - 1];
    return at_ - part_.size();
  }
  return std::nullopt;
}

}  // namespace logquery::functions
