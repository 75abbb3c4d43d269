// RE2 regular expressions on STRING and BYTES, with GoogleSQL's rules for matches, groups and positions.
#include <memory>
#include <utility>

#include "lib/base/pattern_problem.h"
#include "lib/base/plain_pattern.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/characters.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/text_search.h"
#include "re2/re2.h"

namespace logquery::functions {
namespace {

using base::StrCat;

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }
std::string_view View(re2::StringPiece piece) { return {piece.data(), piece.size()}; }

RE2::Options OptionsOf(bool bytes) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(bytes ? RE2::Options::EncodingLatin1 : RE2::Options::EncodingUTF8);
  return options;
}

// The steps that a search may take: where the automaton of its pattern outgrows RE2's memory, RE2 simulates the pattern, in up to
// 10 ns for each byte of the text and each instruction of the pattern, and can't be interrupted.
constexpr double kMaxSteps = 1 << 26;

bool IsFound(const base::PlainPattern& plain, std::string_view text) {
  if (plain.at_beginning) return plain.at_end ? text == plain.text : text.starts_with(plain.text);
  return plain.at_end ? text.ends_with(plain.text) : FindText(text, plain.text) != std::string_view::npos;
}

class Pattern {
 public:
  Pattern(std::string_view pattern, const RE2::Options& options)
      : re2_(Piece(pattern), options), plain_(base::PlainPatternOf(pattern)) {}

  const RE2& re2() const { return re2_; }

  // ResourceExhausted: a search in this text could exceed kMaxSteps. RE2::Set, which only ever uses the automaton, is no way out:
  // it builds a state for each byte of the text, each as large as the pattern.
  absl::Status Check(std::string_view text) const {
    if (static_cast<double>(text.size()) * re2_.ProgramSize() <= kMaxSteps) return absl::OkStatus();
    return absl::ResourceExhaustedError(StrCat("the regular expression '", pattern_start(),
                                               "' is too large for a text of ", text.size(),
                                               " bytes; search for less, or in shorter texts"));
  }

  absl::StatusOr<bool> Contains(std::string_view text) const {
    if (plain_.has_value()) return IsFound(*plain_, text);
    LOGQUERY_RETURN_IF_ERROR(Check(text));
    return RE2::PartialMatch(Piece(text), re2_);
  }

  // For messages.
  std::string_view pattern_start() const { return std::string_view(re2_.pattern()).substr(0, 100); }

 private:
  const RE2 re2_;
  const std::optional<base::PlainPattern> plain_;
};

// The patterns that this thread compiled last. A query has few patterns; one that computes them does not profit from a
// larger cache.
constexpr size_t kKept = 8;

struct KeptPatterns {
  base::StringMap<std::unique_ptr<Pattern>> by_text;
  const Pattern* last = nullptr;  // one of them: most queries have one pattern for all rows
};

absl::StatusOr<const Pattern*> Compiled(std::string_view pattern, bool bytes) {
  thread_local KeptPatterns kept_by_encoding[2];
  KeptPatterns& kept = kept_by_encoding[bytes ? 1 : 0];
  if (kept.last != nullptr && kept.last->re2().pattern() == pattern) return kept.last;
  if (const auto found = kept.by_text.find(pattern); found != kept.by_text.end()) {
    return kept.last = found->second.get();
  }
  auto compiled = std::make_unique<Pattern>(pattern, OptionsOf(bytes));
  if (!compiled->re2().ok()) {
    return absl::InvalidArgumentError(
        StrCat("invalid regular expression '", pattern.substr(0, 100), "': ", base::PatternProblem(compiled->re2())));
  }
  if (kept.by_text.size() >= kKept) kept.by_text.clear();
  kept.last = compiled.get();
  kept.by_text[pattern] = std::move(compiled);
  return kept.last;
}

// The same, of at most one group.
absl::StatusOr<const Pattern*> CompiledOfOneGroup(std::string_view pattern, bool bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const Pattern* compiled, Compiled(pattern, bytes));
  if (compiled->re2().NumberOfCapturingGroups() > 1) {
    return absl::InvalidArgumentError(
        StrCat("the regular expression '", pattern.substr(0, 100), "' has more than one capturing group"));
  }
  return compiled;
}

struct Match {
  re2::StringPiece whole;
  re2::StringPiece group;  // the whole where there is none; no data where it took no part
};

// The matches of a text one after the other, none of them overlapping.
class Matches {
 public:
  Matches(const RE2& pattern, std::string_view text, size_t begin) : pattern_(pattern), text_(text), next_(begin) {}

  // The bytes that the next match may look at.
  size_t left() const { return text_.size() - std::min(next_, text_.size()); }

  std::optional<Match> Next(bool bytes) {
    if (next_ > text_.size()) return std::nullopt;
    re2::StringPiece found[2];
    const int wanted = 1 + pattern_.NumberOfCapturingGroups();
    if (!pattern_.Match(Piece(text_), next_, text_.size(), RE2::UNANCHORED, found, std::min(wanted, 2))) {
      next_ = text_.size() + 1;
      return std::nullopt;
    }
    const auto end = static_cast<size_t>(found[0].data() + found[0].size() - text_.data());
    next_ = end;
    if (found[0].empty()) {
      const bool at_end = end >= text_.size();
      next_ += at_end || bytes ? 1 : static_cast<size_t>(base::DecodeUtf8(text_, end).bytes);
    }
    return Match{found[0], wanted > 1 ? found[1] : found[0]};
  }

 private:
  const RE2& pattern_;
  std::string_view text_;
  size_t next_;
};

absl::Status Contains(const Row& in, Output& out, bool bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const Pattern* pattern, Compiled(in.Text(1), bytes));
  LOGQUERY_ASSIGN_OR_RETURN(const bool contains, pattern->Contains(in.Text(0)));
  return out.Bool(contains);
}

// The byte at which a search from `position`, from 1, begins; none where that is behind the text. Position 1 of an empty
// text is its end.
absl::StatusOr<std::optional<size_t>> Begin(std::string_view text, int64_t position, int64_t occurrence, bool bytes) {
  if (position < 1) return absl::InvalidArgumentError("the position of a search must be positive");
  if (occurrence < 1) return absl::InvalidArgumentError("the occurrence that is searched for must be positive");
  if (position == 1) return std::optional<size_t>(0);
  if (bytes) {
    const auto begin = static_cast<uint64_t>(position) - 1;
    return begin < text.size() ? std::optional<size_t>(begin) : std::nullopt;
  }
  const Characters characters(text);
  const auto begin = static_cast<uint64_t>(position) - 1;
  return begin < characters.size() ? std::optional(characters.OffsetOf(begin)) : std::nullopt;
}

// Searches the text from the position on as a text of its own: ^ matches at its beginning.
absl::StatusOr<std::optional<Match>> FindMatch(const Row& in, std::string_view& text, int64_t position,
                                               int64_t occurrence, const Pattern& pattern, bool bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<size_t> begin, Begin(in.Text(0), position, occurrence, bytes));
  if (!begin.has_value()) return std::optional<Match>();
  text = in.Text(0).substr(*begin);
  LOGQUERY_RETURN_IF_ERROR(pattern.Check(text));
  Matches matches(pattern.re2(), text, 0);
  std::optional<Match> match;
  for (int64_t i = 0; i < occurrence; ++i) {
    LOGQUERY_RETURN_IF_ERROR(in.Spend(matches.left()));
    match = matches.Next(bytes);
    if (!match.has_value()) break;
  }
  return match;
}

absl::Status Extract(const Row& in, Output& out, bool bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const Pattern* pattern, CompiledOfOneGroup(in.Text(1), bytes));
  std::string_view text;
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<Match> match,
                            FindMatch(in, text, in.Int(2), in.Int(3), *pattern, bytes));
  if (!match.has_value() || match->group.data() == nullptr) return absl::OkStatus();
  return out.Text(View(match->group));
}

// A group that took no part in a match is NULL in its place.
absl::Status ExtractAll(const Row& in, Output& out, bool bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const Pattern* pattern, CompiledOfOneGroup(in.Text(1), bytes));
  const std::string_view text = in.Text(0);
  TextList values;
  LOGQUERY_RETURN_IF_ERROR(pattern->Check(text));
  Matches matches(pattern->re2(), text, 0);
  size_t spent = 0;
  for (std::optional<Match> match; (match = matches.Next(bytes)).has_value();) {
    LOGQUERY_RETURN_IF_ERROR(in.Spend(matches.left()));
    // After the last character there are no more matches, except in an empty text.
    if (match->whole.empty() && !text.empty() && match->whole.data() == text.data() + text.size()) break;
    spent += sizeof(StringRef) + match->group.size();
    LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(spent));
    values.emplace_back(match->group.data() == nullptr ? std::nullopt : std::optional(View(match->group)));
  }
  return out.Texts(values);
}

// An empty pattern is found nowhere.
absl::Status InStr(const Row& in, Output& out, bool bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const Pattern* pattern, CompiledOfOneGroup(in.Text(1), bytes));
  const int64_t which = in.Int(4);
  if (which != 0 && which != 1) {
    return absl::InvalidArgumentError(
        "REGEXP_INSTR: the fifth argument is 0, for the place of the match, or 1, for that behind it");
  }
  if (in.Text(1).empty() || in.Text(0).empty()) return out.Int(0);
  std::string_view text;
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<Match> match,
                            FindMatch(in, text, in.Int(2), in.Int(3), *pattern, bytes));
  if (!match.has_value() || match->group.data() == nullptr) return out.Int(0);
  const char* const place = match->group.data() + (which == 1 ? match->group.size() : 0);
  const std::string_view before(in.Text(0).data(), static_cast<size_t>(place - in.Text(0).data()));
  return out.Int((bytes ? static_cast<int64_t>(before.size()) : base::CountCodePoints(before)) + 1);
}

// Appends the replacement for a match; `\0` to `\9` are its groups.
void AppendRewrite(std::string_view rewrite, const std::vector<re2::StringPiece>& groups, std::string& value) {
  for (size_t i = 0; i < rewrite.size(); ++i) {
    if (rewrite[i] != '\\') {
      value += rewrite[i];
      continue;
    }
    ++i;
    if (rewrite[i] == '\\') {
      value += '\\';
    } else {
      value += View(groups[static_cast<size_t>(rewrite[i] - '0')]);
    }
  }
}

absl::Status Replace(const Row& in, Output& out, bool bytes) {
  LOGQUERY_ASSIGN_OR_RETURN(const Pattern* pattern, Compiled(in.Text(1), bytes));
  std::string error;
  if (!pattern->re2().CheckRewriteString(Piece(in.Text(2)), &error)) {
    return absl::InvalidArgumentError(StrCat("REGEXP_REPLACE: invalid replacement: ", error));
  }
  const std::string_view text = in.Text(0);
  LOGQUERY_RETURN_IF_ERROR(pattern->Check(text));
  std::vector<re2::StringPiece> groups(static_cast<size_t>(1 + RE2::MaxSubmatch(Piece(in.Text(2)))));
  std::string value;
  size_t copied = 0;
  size_t begin = 0;
  // An empty match right behind another one does not count.
  std::optional<size_t> last_end;
  while (begin <= text.size() && pattern->re2().Match(Piece(text), begin, text.size(), RE2::UNANCHORED, groups.data(),
                                                      static_cast<int>(groups.size()))) {
    LOGQUERY_RETURN_IF_ERROR(in.Spend(text.size() - begin + 1));
    const auto at = static_cast<size_t>(groups[0].data() - text.data());
    const size_t end = at + groups[0].size();
    if (!groups[0].empty() || last_end != at) {
      value += text.substr(copied, at - copied);
      AppendRewrite(in.Text(2), groups, value);
      copied = end;
      LOGQUERY_RETURN_IF_ERROR(out.CheckBytes(value.size()));
    }
    last_end = end;
    begin = end;
    if (groups[0].empty()) {
      begin += end >= text.size() || bytes ? 1 : static_cast<size_t>(base::DecodeUtf8(text, end).bytes);
    }
  }
  if (copied < text.size()) value += text.substr(copied);
  return out.Text(value);
}

template <absl::Status (*Function)(const Row&, Output&, bool), bool kBytes>
absl::Status Of(const Row& in, Output& out) {
  return Function(in, out, kBytes);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_regexp_contains", "(STRING, STRING) -> BOOL", Of<Contains, false>, "REGEXP_CONTAINS"},
    {"lq_regexp_extract", "(STRING, STRING, INT64, INT64) -> STRING", Of<Extract, false>},
    {"lq_regexp_extract_all", "(STRING, STRING) -> ARRAY<STRING>", Of<ExtractAll, false>},
    {"lq_regexp_instr", "(STRING, STRING, INT64, INT64, INT64) -> INT64", Of<InStr, false>},
    {"lq_regexp_replace", "(STRING, STRING, STRING) -> STRING", Of<Replace, false>},
    {"lq_bytes_regexp_contains", "(BYTES, BYTES) -> BOOL", Of<Contains, true>},
    {"lq_bytes_regexp_extract", "(BYTES, BYTES, INT64, INT64) -> BYTES", Of<Extract, true>},
    {"lq_bytes_regexp_extract_all", "(BYTES, BYTES) -> ARRAY<BYTES>", Of<ExtractAll, true>},
    {"lq_bytes_regexp_instr", "(BYTES, BYTES, INT64, INT64, INT64) -> INT64", Of<InStr, true>},
    {"lq_bytes_regexp_replace", "(BYTES, BYTES, BYTES) -> BYTES", Of<Replace, true>},
};

}  // namespace

FunctionEntries RegexpFunctions() { return kEntries; }

}  // namespace logquery::functions
