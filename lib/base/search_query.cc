// Maps a text's tokens once to indexes of the query's vocabulary, and then evaluates the query's terms on these. Finds
// phrases and exact terms with Knuth-Morris-Pratt, so that no text makes the search quadratic.
#include "lib/base/search_query.h"

#include <algorithm>

#include "lib/base/log_tokens.h"

namespace logquery::base {
namespace {

// Returns whether `accept(begin)` is true for some position at which `text` contains `pattern`.
template <typename Text, typename Pattern, typename Accept>
bool FindsMatch(const Text& text, const Pattern& pattern, const std::vector<size_t>& borders, Accept accept) {
  size_t matched = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    while (matched > 0 && (matched == pattern.size() || text[i] != pattern[matched])) matched = borders[matched - 1];
    if (text[i] == pattern[matched]) ++matched;
    if (matched == pattern.size() && accept(i + 1 - matched)) return true;
  }
  return false;
}

}  // namespace

// The tokens of the query's vocabulary that a text contains.
struct SearchQuery::TokensOfText {
  std::vector<bool> holds;         // by number
  std::vector<uint32_t> sequence;  // of the whole text where the query has phrases; 0: another token
};

uint32_t SearchQuery::NumberOf(std::string_view lower_case_token) {
  longest_token_ = std::max(longest_token_, lower_case_token.size());
  return vocabulary_.try_emplace(std::string(lower_case_token), static_cast<uint32_t>(vocabulary_.size() + 1))
      .first->second;
}

SearchQuery::TokensOfText SearchQuery::Tokenize(std::string_view text) const {
  TokensOfText tokens;
  tokens.holds.resize(vocabulary_.size() + 1);
  size_t missing = vocabulary_.size();
  TokenReader reader(text);
  std::string lower;
  std::string_view token;
  while ((missing > 0 || has_phrases_) && reader.Next(token)) {
    uint32_t number = 0;
    if (token.size() <= longest_token_) {
      lower = ToLower(token);
      if (const auto found = vocabulary_.find(lower); found != vocabulary_.end()) number = found->second;
    }
    if (number > 0 && !tokens.holds[number]) {
      tokens.holds[number] = true;
      --missing;
    }
    if (has_phrases_) tokens.sequence.push_back(number);
  }
  return tokens;
}

bool SearchQuery::Holds(const Node& node, const TokensOfText& tokens, std::string_view text) const {
  const auto child_holds = [&](const Node& child) { return Holds(child, tokens, text); };
  const auto is_there = [&](uint32_t number) { return tokens.holds[number]; };
  switch (node.kind) {
    case Node::Kind::kAnd:
      return std::all_of(node.children.begin(), node.children.end(), child_holds);
    case Node::Kind::kOr:
      return std::any_of(node.children.begin(), node.children.end(), child_holds);
    case Node::Kind::kTokens:
      return std::all_of(node.tokens.begin(), node.tokens.end(), is_there);
    case Node::Kind::kPhrase:
      return std::all_of(node.tokens.begin(), node.tokens.end(), is_there) &&
             FindsMatch(tokens.sequence, node.tokens, node.borders, [](size_t) { return true; });
    case Node::Kind::kExact:
      return FindsMatch(text, node.exact, node.borders, [&](size_t begin) {
        return IsBehindDelimiter(text, begin) && IsBeforeDelimiter(text, begin + node.exact.size());
      });
  }
  return false;
}

bool SearchQuery::Matches(std::string_view text) const {
  if (analyzer_ == SearchAnalyzer::kNoOp) return text == whole_;
  return Holds(root_, Tokenize(text), text);
}

}  // namespace logquery::base
