// Finds the lines and columns of notes.
#include "lib/tools/rewrite_sql/notes.h"

#include <algorithm>

namespace logquery::tools {

void Notes::Add(sql::Span place, std::string_view text) {
  const auto same = [&](const auto& note) { return note.second == text; };
  const auto found = std::find_if(notes_.begin(), notes_.end(), same);
  if (found != notes_.end()) {
    found->first = std::min(found->first, place.begin);
    return;
  }
  notes_.emplace_back(place.begin, std::string(text));
}

std::vector<RewriteNote> Notes::Take() {
  std::stable_sort(notes_.begin(), notes_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<RewriteNote> placed;
  for (auto& [offset, text] : notes_) {
    RewriteNote note;
    note.text = std::move(text);
    const std::string_view before = text_.substr(0, offset);
    note.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    const size_t line_begin = before.rfind('\n');
    const std::string_view in_line = line_begin == std::string_view::npos ? before : before.substr(line_begin + 1);
    // Columns count characters, as in errors.
    note.column = 1 + static_cast<int>(std::count_if(in_line.begin(), in_line.end(), [](char c) {
                    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                  }));
    placed.push_back(std::move(note));
  }
  notes_.clear();
  return placed;
}

}  // namespace logquery::tools
