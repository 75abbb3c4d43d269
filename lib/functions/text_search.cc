// Searches by memmem, whose two-way algorithm takes linear time, and by that of Knuth, Morris and Pratt.
#include "lib/functions/text_search.h"

#include <cstring>

namespace logquery::functions {

size_t FindText(std::string_view text, std::string_view part, size_t begin) {
  if (part.empty()) return begin;
  const std::string_view rest = text.substr(begin);
  const void* const found = memmem(rest.data(), rest.size(), part.data(), part.size());
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
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
