// Reads a pattern character by character: escapes and classes hide parentheses.
#include "lib/clickhouse_sql/pattern_groups.h"

#include <algorithm>

namespace logquery::clickhouse_sql {

std::string WithGroups(const std::string& pattern, int most) {
  std::string made;
  bool in_class = false;
  int groups = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    made += c;
    if (c == '\\' && i + 1 < pattern.size()) {
      made += pattern[++i];
    } else if (c == '[' && !in_class) {
      in_class = true;
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') made += pattern[++i];
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') made += pattern[++i];
    } else if (c == ']' && in_class) {
      in_class = false;
    } else if (c == '(' && !in_class) {
      const bool named = pattern.compare(i + 1, 3, "?P<") == 0;
      if (!named && pattern.compare(i + 1, 1, "?") == 0) continue;
      if (++groups <= most) continue;
      made += "?:";
      if (named) i = std::min(pattern.find('>', i), pattern.size() - 1);
    }
  }
  return made;
}

int CountGroups(const std::string& pattern) {
  int groups = 0;
  while (groups < 20 && WithGroups(pattern, groups) != WithGroups(pattern, groups + 1)) ++groups;
  return groups;
}

std::string ReplacementAfterPrefix(const std::string& replacement) {
  std::string moved = "\\1";
  for (size_t i = 0; i < replacement.size(); ++i) {
    moved += replacement[i];
    if (replacement[i] != '\\' || i + 1 == replacement.size()) continue;
    ++i;
    const bool group = replacement[i] >= '0' && replacement[i] <= '7';
    moved += group ? static_cast<char>(replacement[i] + 2) : replacement[i];
  }
  return moved;
}

}  // namespace logquery::clickhouse_sql
