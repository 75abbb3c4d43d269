// The query of BigQuery's SEARCH: terms joined by AND, OR, parentheses and spaces (which mean AND), matched against a
// text.
//
//     StatusOr<SearchQuery> query = SearchQuery::Parse(R"(timeout `10.0.0.1` "connection reset")", SearchAnalyzer::kLog);
//     query->Matches("Connection reset by 10.0.0.1 after timeout");   // true
//
// A plain term matches if each of its tokens occurs in the text, in any case. A term in double quotes requires its
// tokens to be adjacent and in order. A term in backticks must occur literally, between delimiters.
//
// Immutable after Parse; any number of threads may use it at once.
#ifndef LOGQUERY_LIB_BASE_SEARCH_QUERY_H_
#define LOGQUERY_LIB_BASE_SEARCH_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "lib/base/strings.h"

namespace logquery::base {

inline constexpr size_t kMaxSearchQueryBytes = 10'000;
inline constexpr size_t kMaxSearchTerms = 100;
inline constexpr int kMaxSearchNesting = 50;

enum class SearchAnalyzer {
  kLog,   // splits text into tokens
  kNoOp,  // matches a text that equals the query
};

class SearchQuery {
 public:
  // InvalidArgument, with the offset: the query breaks the rules above, has no token, or exceeds a limit.
  static absl::StatusOr<SearchQuery> Parse(std::string_view query, SearchAnalyzer analyzer);

  // Takes time linear in the text's length times the number of terms.
  bool Matches(std::string_view text) const;

 private:
  friend class SearchQueryParser;

  struct Node {
    enum class Kind { kAnd, kOr, kTokens, kPhrase, kExact };
    Kind kind = Kind::kAnd;
    std::vector<Node> children;    // kAnd, kOr
    std::vector<uint32_t> tokens;  // kTokens, kPhrase: indexes into the vocabulary
    std::string exact;             // kExact
    std::vector<size_t> borders;   // kPhrase, kExact: the Knuth-Morris-Pratt table
  };
  struct TokensOfText;

  uint32_t NumberOf(std::string_view lower_case_token);
  bool Holds(const Node& node, const TokensOfText& tokens, std::string_view text) const;
  TokensOfText Tokenize(std::string_view text) const;

  SearchAnalyzer analyzer_ = SearchAnalyzer::kLog;
  std::string whole_;  // kNoOp
  Node root_;
  StringMap<uint32_t> vocabulary_;  // tokens in lower case, numbered from 1
  size_t longest_token_ = 0;
  bool has_phrases_ = false;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_SEARCH_QUERY_H_
