// Gets the literals of patterns from RE2, and searches for each by its byte that is rarest in logs.
#include "lib/base/pattern_filter.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "re2/filtered_re2.h"

namespace logquery::base {
namespace {

constexpr int kShortestLiteral = 2;
// Each literal is searched for separately. With more literals RE2 is no slower.
constexpr size_t kMostLiterals = 16;

// The characters of typical logs, the most frequent first. Any other character is rarer than all of these.
constexpr std::string_view kFrequent = " eta\"oinsr0lcdu1/:.m2hp-5g,3467890fybw_v=kxTS()jqz";

size_t Rarity(char c) { return std::min(kFrequent.find(c), kFrequent.size()); }

bool StartsIgnoringCase(const char* text, const std::string& lower) {
  return std::equal(lower.begin(), lower.end(), text, [](char a, char b) { return a == absl::ascii_tolower(b); });
}

}  // namespace

PatternFilter::PatternFilter(const std::vector<std::string>& patterns) : all_(patterns.size()) {
  std::iota(all_.begin(), all_.end(), size_t{0});
  re2::FilteredRE2 filtered(kShortestLiteral);
  RE2::Options options;
  options.set_log_errors(false);
  std::vector<std::string> literals;
  std::vector<int> without;
  bool known = !patterns.empty();
  for (const std::string& pattern : patterns) {
    int number = 0;
    known = filtered.Add(pattern, options, &number) == RE2::NoError && known;
  }
  if (known) {
    filtered.Compile(&literals);
    filtered.AllPotentials({}, &without);
    known = literals.size() <= kMostLiterals &&
            std::all_of(literals.begin(), literals.end(), [](const std::string& text) { return IsAscii(text); });
  }
  if (!known) {
    unfiltered_ = all_;
    return;
  }
  unfiltered_.assign(without.begin(), without.end());
  for (std::string& text : literals) {
    const auto rarest =
        std::max_element(text.begin(), text.end(), [](char a, char b) { return Rarity(a) < Rarity(b); });
    const auto rare = static_cast<size_t>(rarest - text.begin());
    literals_.push_back({std::move(text), rare});
  }
}

bool PatternFilter::HasLiteral(std::string_view text, const Literal& literal) {
  if (text.size() < literal.text.size()) return false;
  const char lower = literal.text[literal.rare];
  const char upper = absl::ascii_toupper(lower);
  // The rarest byte stands somewhere in here.
  const std::string_view places = text.substr(literal.rare, text.size() - literal.text.size() + 1);
  for (const char c : {lower, upper}) {
    for (size_t at = 0; (at = places.find(c, at)) != std::string_view::npos; ++at) {
      if (StartsIgnoringCase(text.data() + at, literal.text)) return true;
    }
    if (lower == upper) break;
  }
  return false;
}

const std::vector<size_t>& PatternFilter::MayMatch(std::string_view text) const {
  if (literals_.empty()) return unfiltered_;
  // Non-ASCII letters may be case variants of a literal's letters: the Kelvin sign is a k.
  if (!IsAscii(text)) return all_;
  const auto there = [&](const Literal& literal) { return HasLiteral(text, literal); };
  return std::any_of(literals_.begin(), literals_.end(), there) ? all_ : unfiltered_;
}

}  // namespace logquery::base
