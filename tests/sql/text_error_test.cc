#include "lib/sql/text_error.h"

#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"
#include "logquery/error.h"

namespace logquery::sql {
namespace {

TEST_CASE("an error names its position and shows it") {
  const std::string text = "select id\nfrom edge_logs\nwhere nope = 1";
  const absl::Status status = TextError(text, {31, 35}, "no column nope", {"note", "node"});

  CHECK(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(base::Message(status) == "no column nope at line 3, column 7; did you mean note or node?");
  const ErrorDetails details = GetErrorDetails(status);
  CHECK(details.line == 3);
  CHECK(details.column == 7);
  CHECK(details.snippet == "where nope = 1\n      ^");
  CHECK(details.nearest == std::vector<std::string>{"note", "node"});
}

TEST_CASE("a message with a suggestion gets no second one") {
  const absl::Status status = TextError("select a", {7, 8}, "no column a; did you mean b?", {"b"});
  CHECK(base::Message(status) == "no column a at line 1, column 8; did you mean b?");
}

TEST_CASE("the position precedes the advice, whatever is quoted before it") {
  const auto message = [](std::string_view text) {
    return std::string(base::Message(TextError("select a", {7, 8}, text)));
  };
  CHECK(message("% is no operator; use MOD") == "% is no operator at line 1, column 8; use MOD");
  CHECK(message("can't read \"a; b\" here; write c; or d") ==
        "can't read \"a; b\" here at line 1, column 8; write c; or d");
  CHECK(message("'a; b' and `c; d`") == "'a; b' and `c; d` at line 1, column 8");
  CHECK(message("found ; after ;") == "found ; after ; at line 1, column 8");
}

TEST_CASE("an error of another kind keeps its code") {
  const absl::Status status = TextErrorWithCode(absl::StatusCode::kUnimplemented, "select 1", {0, 6}, "not yet");
  CHECK(status.code() == absl::StatusCode::kUnimplemented);
}

TEST_CASE("lines and columns are counted as people count") {
  struct Case {
    const char* text;
    size_t offset;
    int line;
    int column;
  };
  const Case cases[] = {
      {"", 0, 1, 1},          {"abc", 0, 1, 1},    {"abc", 2, 1, 3},   {"abc", 3, 1, 4},
      {"abc", 99, 1, 4},      {"a\nb", 1, 1, 2},   {"a\nb", 2, 2, 1},  {"a\r\nb", 3, 2, 1},
      {"a\rb", 2, 2, 1},      {"a\n\nb", 3, 3, 1}, {"'é' x", 5, 1, 5},  // é has two bytes
      {"'🙂' x", 7, 1, 5},                                            // and the face four
      {"a\n'é', b", 8, 2, 6}, {"a\n", 2, 2, 1},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text, c.offset);
    const base::TextPlace place = base::FindPlace(c.text, c.offset);
    CHECK(place.line == c.line);
    CHECK(place.column == c.column);
  }
}

TEST_CASE("a long line is cut around the place, at whole characters") {
  const std::string text = std::string(200, 'a') + "X" + std::string(200, 'b');
  const std::string snippet = GetErrorDetails(TextError(text, {200, 201}, "here")).snippet;

  std::string expected = "…";  // appended to: gcc 12 warns of its own operator+ in a longer chain
  expected.append(60, 'a').append("X").append(59, 'b').append("…\n").append(61, ' ').append("^");
  CHECK(snippet == expected);

  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "é";
  const std::string cut = GetErrorDetails(TextError(accents, {140, 142}, "here")).snippet;
  CHECK(cut.substr(0, 5) == "…é");
}

TEST_CASE("a snippet is printable, whatever the text contains") {
  CHECK(GetErrorDetails(TextError("a\tb c", {4, 5}, "here")).snippet == "a b c\n    ^");
  CHECK(GetErrorDetails(TextError("a\xFF c", {3, 4}, "here")).snippet == "a\uFFFD c\n   ^");
}

TEST_CASE("nearest names: the closest first, three at most") {
  struct Case {
    const char* wanted;
    std::vector<std::string> names;
    std::vector<std::string> nearest;
  };
  const Case cases[] = {
      {"event_mesage", {"id", "event_message", "timestamp"}, {"event_message"}},
      {"methd", {"path", "method", "host", "methods"}, {"method", "methods"}},
      {"METHOD", {"method"}, {"method"}},
      {"form", {"from"}, {"from"}},  // a swap is one edit
      {"ab", {"cd", "abc", "ab"}, {"ab"}},
      {"id", {"ts"}, {}},
      {"path", {"pith", "bath", "math", "oath", "lath"}, {"pith", "bath", "math"}},
      {"status", {"statuses", "stat", "state"}, {"statuses", "stat", "state"}},
      {"count", {"count", "count"}, {"count"}},
      {"", {"a"}, {}},
      {"something_entirely_different", {"id"}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.wanted);
    CHECK(NearestNames(c.wanted, c.names) == c.nearest);
  }
}

TEST_CASE("nearest names: where no edit leads to one, what the name abbreviates, and what abbreviates it") {
  struct Case {
    const char* wanted;
    std::vector<std::string> names;
    std::vector<std::string> nearest;
  };
  const Case cases[] = {
      {"lvl", {"id", "label", "level"}, {"level"}},
      {"msg", {"ts", "message", "marginal_song"}, {"message"}},
      {"MSG", {"message"}, {"message"}},
      {"req", {"request", "required"}, {"request"}},
      {"cnt", {"count", "chant", "current_time"}, {"count", "chant"}},
      {"timestamp", {"id", "ts", "tenant"}, {"ts"}},
      {"message", {"msg", "m"}, {"msg"}},
      {"usr", {"user", "user", "USER"}, {"user", "USER"}},
      {"id_of_it", {"ids"}, {}},
      {"l", {"level"}, {}},                  // one letter is none
      {"vl", {"level"}, {}},                 // another first letter
      {"lev", {"level", "lev1"}, {"lev1"}},  // an edit comes first
      {"--tu", {"--data", "--timestamp-unit"}, {"--timestamp-unit"}},
      {"--ab", {"--data-base"}, {}},
      {"/stat", {"/api/status", "/statistics"}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.wanted);
    CHECK(NearestNames(c.wanted, c.names) == c.nearest);
  }
}

TEST_CASE("an error ends with a suggestion of similar names") {
  CHECK(DidYouMean({}).empty());
  CHECK(DidYouMean({"a"}) == "; did you mean a?");
  CHECK(DidYouMean({"a", "b"}) == "; did you mean a or b?");
  CHECK(DidYouMean({"a", "b", "c"}) == "; did you mean a, b or c?");
}

}  // namespace
}  // namespace logquery::sql
