// The grammar of SearchQuery: expressions of AND, OR and spaces, where AND and spaces bind more tightly; terms are
// plain, in double quotes, or in backticks. A term without tokens is dropped, because it does not restrict the text.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/log_tokens.h"
#include "lib/base/search_query.h"
#include "lib/base/status_macros.h"

namespace logquery::base {
namespace {

constexpr std::string_view kReserved = "[]<>(){}|!'\"*&?+/:=-\\~^";
constexpr std::array<std::string_view, 5> kWords = {"AND", "IN", "NEAR", "NOT", "OR"};

bool IsSpace(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }
bool IsReserved(char c) { return kReserved.find(c) != std::string_view::npos; }

// For each prefix, the size of the longest other prefix that it ends with.
template <typename Pattern>
std::vector<size_t> BordersOf(const Pattern& pattern) {
  std::vector<size_t> borders(pattern.size());
  for (size_t i = 1, size = 0; i < pattern.size(); ++i) {
    while (size > 0 && pattern[i] != pattern[size]) size = borders[size - 1];
    if (pattern[i] == pattern[size]) ++size;
    borders[i] = size;
  }
  return borders;
}

}  // namespace

class SearchQueryParser {
 public:
  explicit SearchQueryParser(std::string_view text) : text_(text) {}

  absl::StatusOr<SearchQuery> Parse() {
    if (text_.size() > kMaxSearchQueryBytes) {
      return absl::InvalidArgumentError(
          StrCat("a search query has at most ", kMaxSearchQueryBytes, " bytes, and this one has ", text_.size()));
    }
    LOGQUERY_ASSIGN_OR_RETURN(std::optional<Node> root, Or(0));
    if (offset_ < text_.size()) return Error("a ) closes nothing");
    if (!root.has_value()) return Error("there is no word to search for");
    query_.root_ = *std::move(root);
    return std::move(query_);
  }

 private:
  using Node = SearchQuery::Node;
  using Kind = Node::Kind;
  using MaybeNode = absl::StatusOr<std::optional<Node>>;

  MaybeNode Or(int depth) {
    std::vector<Node> children;
    do {
      LOGQUERY_ASSIGN_OR_RETURN(std::optional<Node> child, And(depth));
      if (child.has_value()) children.push_back(*std::move(child));
    } while (TakeWord("OR"));
    return Joined(Kind::kOr, std::move(children));
  }

  MaybeNode And(int depth) {
    std::vector<Node> children;
    for (bool more = true; more;) {
      LOGQUERY_ASSIGN_OR_RETURN(std::optional<Node> child, Operand(depth));
      if (child.has_value()) children.push_back(*std::move(child));
      LOGQUERY_ASSIGN_OR_RETURN(more, MoreFollows());
    }
    return Joined(Kind::kAnd, std::move(children));
  }

  // Returns whether another operand of AND follows, and moves to it.
  absl::StatusOr<bool> MoreFollows() {
    const size_t before = offset_;
    SkipSpaces();
    if (AtEnd() || text_[offset_] == ')' || Word() == "OR") return false;
    if (!TakeWord("AND") && offset_ == before) return Error("expected a space between two terms");
    return true;
  }

  MaybeNode Operand(int depth) {
    SkipSpaces();
    if (AtEnd()) return Error(IsBlank() ? "there is no word to search for" : "a term is missing");
    const std::string_view word = Word();
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) {
      return Error(StrCat(word, " is a reserved word; put it in backticks to search for it"));
    }
    if (text_[offset_] == '(') return Parenthesized(depth);
    if (++terms_ > kMaxSearchTerms) return Error(StrCat("a search query has at most ", kMaxSearchTerms, " terms"));
    if (text_[offset_] == '`') return ExactTerm();
    return text_[offset_] == '"' ? PhraseTerm() : PlainTerm();
  }

  MaybeNode Parenthesized(int depth) {
    if (depth >= kMaxSearchNesting) return Error(StrCat("parentheses nest at most ", kMaxSearchNesting, " deep"));
    const size_t begin = offset_++;
    LOGQUERY_ASSIGN_OR_RETURN(std::optional<Node> inner, Or(depth + 1));
    if (AtEnd()) return ErrorAt(begin, "a ( is not closed");
    ++offset_;
    return inner;
  }

  MaybeNode ExactTerm() {
    LOGQUERY_ASSIGN_OR_RETURN(std::string inside, Quoted('`'));
    Node node{Kind::kExact, {}, {}, std::move(inside), {}};
    node.borders = BordersOf(node.exact);
    return std::optional(std::move(node));
  }

  MaybeNode PhraseTerm() {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string inside, Quoted('"'));
    std::optional<Node> node = TokensOf(inside);
    if (!node.has_value() || node->tokens.size() < 2) return node;
    node->kind = Kind::kPhrase;
    node->borders = BordersOf(node->tokens);
    query_.has_phrases_ = true;
    return node;
  }

  // Returns the text inside the quotes at the offset. A backslash escapes the quote and stands for itself elsewhere.
  absl::StatusOr<std::string> Quoted(char quote) {
    const size_t begin = offset_;
    std::string inside;
    for (++offset_; !AtEnd() && text_[offset_] != quote; ++offset_) {
      if (text_[offset_] == '\\' && text_.substr(offset_ + 1, 1) == std::string_view(&quote, 1)) ++offset_;
      inside += text_[offset_];
    }
    if (AtEnd()) return ErrorAt(begin, StrCat("a ", std::string_view(&quote, 1), " is not closed"));
    ++offset_;
    if (inside.empty()) return ErrorAt(begin, "the quotes hold nothing");
    return inside;
  }

  MaybeNode PlainTerm() {
    std::string term;
    for (; !AtEnd() && !IsSpace(text_[offset_]); ++offset_) {
      const char c = text_[offset_];
      if (c == '\\') {
        const char next = offset_ + 1 < text_.size() ? text_[offset_ + 1] : ' ';
        if (!IsReserved(next) && next != '`') return Error("a backslash stands before no reserved character");
        term += next;
        ++offset_;
      } else if (c == '(' || c == ')' || c == '"' || c == '`') {
        break;
      } else if (IsReserved(c)) {
        return Error(StrCat("the character ", std::string_view(&c, 1), " is reserved; write \\",
                            std::string_view(&c, 1), ", or put the text in backticks"));
      } else {
        term += c;
      }
    }
    if (term.empty()) return Error("a term is missing");
    return TokensOf(term);
  }

  // A node that wants the tokens of the term; none where it has none.
  std::optional<Node> TokensOf(std::string_view term) {
    Node node{Kind::kTokens, {}, {}, {}, {}};
    TokenReader reader(term);
    for (std::string_view token; reader.Next(token);) node.tokens.push_back(query_.NumberOf(ToLower(token)));
    return node.tokens.empty() ? std::nullopt : std::optional(std::move(node));
  }

  static std::optional<Node> Joined(Kind kind, std::vector<Node> children) {
    if (children.empty()) return std::nullopt;
    if (children.size() == 1) return std::move(children[0]);
    return Node{kind, std::move(children), {}, {}, {}};
  }

  bool AtEnd() const { return offset_ >= text_.size(); }
  bool IsBlank() const { return std::all_of(text_.begin(), text_.end(), IsSpace); }
  void SkipSpaces() {
    while (!AtEnd() && IsSpace(text_[offset_])) ++offset_;
  }

  // The word of letters that begins at the offset.
  std::string_view Word() const {
    size_t end = offset_;
    while (end < text_.size() && !IsSpace(text_[end]) && !IsReserved(text_[end]) && text_[end] != '`') ++end;
    return text_.substr(offset_, end - offset_);
  }

  bool TakeWord(std::string_view word) {
    if (Word() != word) return false;
    offset_ += word.size();
    return true;
  }

  absl::Status Error(std::string_view why) const { return ErrorAt(offset_, why); }
  absl::Status ErrorAt(size_t offset, std::string_view why) const {
    return absl::InvalidArgumentError(
        StrCat("search query '", text_.substr(0, 200), "': ", why, ", at offset ", offset));
  }

  std::string_view text_;
  size_t offset_ = 0;
  size_t terms_ = 0;
  SearchQuery query_;
};

absl::StatusOr<SearchQuery> SearchQuery::Parse(std::string_view query, SearchAnalyzer analyzer) {
  if (analyzer == SearchAnalyzer::kLog) return SearchQueryParser(query).Parse();
  SearchQuery whole;
  whole.analyzer_ = analyzer;
  whole.whole_ = std::string(query);
  return whole;
}

}  // namespace logquery::base
