// Matches a dialect's spellings with the rows of the function table once, and fills templates.
#include "lib/emit/spellings.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::emit {
namespace {

struct Entry {
  std::string_view text;
  bool used = false;
};

}  // namespace

Spellings::Spellings(std::initializer_list<SpellingList> lists, Otherwise otherwise) {
  base::StringMap<Entry> entries;
  for (const SpellingList list : lists) {
    for (const Spelling& spelling : list) {
      const bool is_new = entries.emplace(spelling.function, Entry{spelling.text}).second;
      if (!is_new) problems_.push_back(base::StrCat(spelling.function, " stands twice"));
    }
  }
  for (const rewrite::FunctionRow* row : rewrite::AllFunctionRows()) {
    auto found = entries.find(rewrite::NameWithParameters(*row));
    if (found == entries.end()) found = entries.find(row->name);
    if (found != entries.end()) {
      found->second.used = true;
      texts_.push_back(found->second.text);
    } else if (otherwise != nullptr) {
      texts_.push_back(made_.emplace_back(otherwise(*row)));
    } else {
      texts_.emplace_back();
    }
  }
  for (const auto& [name, entry] : entries) {
    if (!entry.used) problems_.push_back(base::StrCat("the function table has no ", name));
  }
  std::sort(problems_.begin(), problems_.end());
}

bool Spellings::Has(const rewrite::Function& function) const {
  return std::any_of(function.overloads.begin(), function.overloads.end(),
                     [this](const rewrite::Overload& overload) { return !Of(overload).empty(); });
}

namespace {

// Hands the template's own text, and its arguments, to `out`, from left to right.
template <typename Args, typename Out>
void Fill(std::string_view spelling, const Args& args, Out out) {
  for (size_t i = 0; i < spelling.size(); ++i) {
    const size_t next = std::min(spelling.find('$', i), spelling.size() - 1);
    if (spelling[next] != '$' || next + 1 == spelling.size() || spelling[next + 1] == '$') {
      // Copies up to the end, or to the first of two `$`.
      out(spelling.substr(i, next + 1 - i));
      i = spelling[next] == '$' ? next + 1 : next;
      continue;
    }
    if (next > i) out(spelling.substr(i, next - i));
    i = next + 1;
    size_t first = 0;
    const bool numbered = absl::ascii_isdigit(static_cast<unsigned char>(spelling[i]));
    if (numbered) first = static_cast<size_t>(spelling[i] - '1');
    const bool rest = !numbered || (i + 1 < spelling.size() && spelling[i + 1] == '*');
    if (numbered && rest) ++i;
    const size_t last = rest ? args.size() : first + 1;
    for (size_t arg = first; arg < last && arg < args.size(); ++arg) {
      if (arg > first) out(std::string_view(", "));
      out(args[arg]);
    }
  }
}

}  // namespace

int CountInTemplate(std::string_view spelling, size_t i) {
  // Arguments of their own indexes, so that those that Fill hands over can be told.
  struct Argument {
    size_t index;
  };
  std::vector<Argument> args;
  for (size_t index = 0; index <= i; ++index) args.push_back({index});
  int count = 0;
  Fill(spelling, args, [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Argument>) count += part.index == i ? 1 : 0;
  });
  return count;
}

std::string FillTemplate(std::string_view spelling, const std::vector<std::string>& args) {
  std::string text;
  Fill(spelling, args, [&](std::string_view part) { text += part; });
  return text;
}

Sql FillTemplate(std::string_view spelling, const Texts& args) {
  if (spelling == "$1" && args.size() == 1) return args[0];
  Sql text;
  Fill(spelling, args, [&](const auto& part) { text.Append(part); });
  // The template is a cast of its argument: `CAST($1 AS BIGINT)`.
  constexpr std::string_view kCast = "CAST($1 AS ";
  const bool is_cast = spelling.starts_with(kCast) && spelling.find('$', kCast.size()) == std::string_view::npos;
  if (is_cast && spelling.find(')') == spelling.size() - 1 && args[0].facts().simple) text.facts().simple = true;
  return text;
}

}  // namespace logquery::emit
