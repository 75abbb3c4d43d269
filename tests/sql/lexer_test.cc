#include "lib/sql/lexer.h"

#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "lib/sql/parser.h"

namespace logquery::sql {
namespace {

// The tokens' texts as written, with bars between.
std::string Split(std::string_view text) {
  const absl::StatusOr<TokenList> list = Lex(text, 200);
  if (!list.ok()) return std::string(base::Message(list.status()));
  std::string joined;
  for (const Token& token : list->tokens) {
    if (token.kind == TokenKind::kEnd) break;
    if (!joined.empty()) joined += " | ";
    joined += text.substr(token.span.begin, token.span.end - token.span.begin);
  }
  return joined;
}

// The content of the one literal that `text` is.
std::string Content(std::string_view text) {
  const absl::StatusOr<ExprPtr> expr = ParseExpression(text, {});
  if (!expr.ok()) return std::string(base::Message(expr.status()));
  const auto* const literal = If<Literal>(expr->get());
  return literal == nullptr ? "no literal" : literal->text;
}

TEST_CASE("a text is split into words, literals and symbols") {
  CHECK(Split("select a.b, 'x' from `my-table` where c>=@p -- end") ==
        "select | a | . | b | , | 'x' | from | `my-table` | where | c | >= | @p");
}

TEST_CASE("symbols are matched greedily, except that >> is two symbols") {
  struct Case {
    const char* text;
    const char* tokens;
  };
  const Case cases[] = {
      {"a||b|c|>d", "a | || | b | | | c | |> | d"},
      {"a<=b<>c!=d<<e", "a | <= | b | <> | c | != | d | << | e"},
      {"a>>b>=c", "a | > | > | b | >= | c"},
      {"a=>b->c=d", "a | => | b | -> | c | = | d"},
      {"x::y:z", "x | :: | y | : | z"},
      {"-+~*/&^()[].,;", "- | + | ~ | * | / | & | ^ | ( | ) | [ | ] | . | , | ;"},
      {"a<-1", "a | < | - | 1"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(Split(c.text) == c.tokens);
  }
}

TEST_CASE("numbers") {
  struct Case {
    const char* text;
    const char* tokens;
  };
  const Case cases[] = {
      {"12 0x1F 0XaB", "12 | 0x1F | 0XaB"},
      {"1.5 .5 5. 1e3 1E+3 1.e-3 .5e10", "1.5 | .5 | 5. | 1e3 | 1E+3 | 1.e-3 | .5e10"},
      {"1e 1e+ 0x", "1 | e | 1 | e | + | 0 | x"},
      {"a[1].b", "a | [ | 1 | ] | . | b"},
      {"1-2", "1 | - | 2"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(Split(c.text) == c.tokens);
  }
}

TEST_CASE("comments, hints and white space are left out") {
  struct Case {
    const char* text;
    const char* tokens;
  };
  const Case cases[] = {
      {"a -- b\nc", "a | c"},
      {"a # b\r\nc", "a | c"},
      {"a # b\rc", "a | c"},
      {"a /* b\n-- */ c", "a | c"},
      {"a/**/b", "a | b"},
      {"/* # */ a --", "a"},
      {"a -- /* not opened\nb", "a | b"},
      {"'-- no' \"# no\" `/* no`", "'-- no' | \"# no\" | `/* no`"},
      {"\tselect\f1\v\n", "select | 1"},
      {"a\u00A0b\u2003c\u3000d", "a | b | c | d"},
      {"\uFEFFselect", "select"},
      {"from @{force_index=\"}\", x=1} t", "from | t"},
      {"", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(Split(c.text) == c.tokens);
  }
}

TEST_CASE("strings: quotes, triple quotes, raw ones and escapes") {
  struct Case {
    const char* text;
    std::string content;
  };
  const Case cases[] = {
      {"'abc'", "abc"},
      {"\"abc\"", "abc"},
      {"'a\"b'", "a\"b"},
      {"\"a'b\"", "a'b"},
      {"''", ""},
      {"\"\"", ""},
      {"'''a'b''c'''", "a'b''c"},
      {"\"\"\"a\nb\"\"\"", "a\nb"},
      {"'''a\r\nb\rc'''", "a\nb\nc"},
      {"''''''", ""},
      {"r'a\\nb'", "a\\nb"},
      {"R\"a\\\"b\"", "a\\\"b"},
      {"r'''a\\''''", "a\\'"},
      {R"('\a\b\f\n\r\t\v\\\?\"\'\`')", "\a\b\f\n\r\t\v\\?\"'`"},
      {R"('\101\x42\X43\u0044\U00000045')", "ABCDE"},
      {R"('\000')", std::string(1, '\0')},
      {R"('\xe9\377\u20ac\U0001F642')", "é\u00FF€🙂"},
      {"'é€🙂'", "é€🙂"},
      {"'it''s'", "it's"},
      {"''''", "'"},
      {"'''x'", "'x"},  // never closed as '''…''': a doubled quote and x
      {"'x'''", "x'"},
      {"\"say \"\"hi\"\"\"", "say \"hi\""},
      {"r'^it''s$'", "^it's$"},
      {"'a' 'b'\n\"c\"", "abc"},
      {"'' ''", ""},
      {"b'a\\x00\\xff'", std::string("a\0\xFF", 3)},
      {"B\"x\"", "x"},
      {"rb'\\x'", "\\x"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(Content(c.text) == c.content);
  }
}

TEST_CASE("empty strings stand side by side in a list") {
  CHECK(Split("concat('','')") == "concat | ( | '' | , | '' | )");
  CHECK(Split("(\"\", '')") == "( | \"\" | , | '' | )");
}

TEST_CASE("quoted names hold any character") {
  const absl::StatusOr<TokenList> list = Lex("`a-b.c` `é` `x\\`y` @`p q` @plain", 200);
  REQUIRE(list.ok());
  CHECK(list->values == std::vector<std::string>{"a-b.c", "é", "x`y", "p q", "plain"});
}

TEST_CASE("invalid and unclosed tokens are syntax errors at their position") {
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"select 'a", "Syntax error: a string is not closed at line 1, column 8"},
      {"select 'a\nb'", "Syntax error: a string is not closed at line 1, column 8"},
      {"select r'a\\'", "Syntax error: a string is not closed at line 1, column 8"},
      {"select '''a", "Syntax error: a string is not closed at line 1, column 8"},
      {R"(select r'''\''')", "Syntax error: a string is not closed at line 1, column 8"},
      {"select b\"a", "Syntax error: a bytes literal is not closed at line 1, column 8"},
      {"select `a", "Syntax error: a back-quoted name is not closed at line 1, column 8"},
      {"select ``", "Syntax error: a back-quoted name is empty at line 1, column 8"},
      {R"(select `a\x00`)",
       "Syntax error: a back-quoted name has the character U+0000, which no name may have at line 1, column 8"},
      {R"(select @`\u0000`)",
       "Syntax error: a parameter's name has the character U+0000, which no name may have at line 1, column 8"},
      {"select 1 /* x", "Syntax error: a comment /* is not closed at line 1, column 10"},
      {"select @{a=1", "Syntax error: a hint @{ is not closed at line 1, column 8"},
      {"select 1 }", "Syntax error: unexpected character } at line 1, column 10"},
      {"select @ a", "Syntax error: expected a parameter's name after @ at line 1, column 8"},
      {"select @@version", "Syntax error: system variables (@@) are not supported at line 1, column 8"},
      {"select ?", "Syntax error: positional parameters (?) are not supported at line 1, column 8; use @name"},
      {"select $1", "Syntax error: unexpected character $ at line 1, column 8; a parameter is written @name"},
      {"select a % 2", "Syntax error: % is not an operator at line 1, column 10; use MOD(a, b)"},
      {"select a == 2", "Syntax error: == is not an operator at line 1, column 10; use = to compare"},
      {"select a && b", "Syntax error: && is not an operator at line 1, column 10; use AND"},
      {"select !a", "Syntax error: ! is not an operator at line 1, column 8; use NOT"},
      {"select “a”", "Syntax error: a curly quote at line 1, column 8; strings stand between straight quotes"},
      {"select é",
       "Syntax error: unexpected character é at line 1, column 8; names with such characters stand in back-quotes"},
      {"select \\a", "Syntax error: unexpected character \\ at line 1, column 8"},
      {std::string("select \0 1", 10), "Syntax error: a NUL character at line 1, column 8"},
      {"select '\xFF'", "Syntax error: the text is not valid UTF-8 at line 1, column 9"},
      {"select '\xC0\xAF'", "Syntax error: the text is not valid UTF-8 at line 1, column 9"},
      {"-- \xE2\x82\nselect 1", "Syntax error: the text is not valid UTF-8 at line 1, column 4"},
      {R"(select 'ab\q')",
       "Syntax error: illegal escape sequence: \\q at line 1, column 11; write \\\\ for a backslash, or a raw string "
       "r'…'"},
      {R"(select '\d+')",
       "Syntax error: illegal escape sequence: \\d at line 1, column 9; write \\\\ for a backslash, or a raw string "
       "r'…'"},
      {R"(select '\é')",
       "Syntax error: illegal escape sequence: \\é at line 1, column 9; write \\\\ for a backslash, or a raw string "
       "r'…'"},
      {R"(select '\x4')",
       "Syntax error: illegal escape sequence: \\x wants two hexadecimal digits at line 1, column 9"},
      {R"(select '\18x')",
       "Syntax error: illegal escape sequence: an octal escape wants three digits at line 1, column 9"},
      {R"(select '\u12')",
       "Syntax error: illegal escape sequence: \\u wants four hexadecimal digits at line 1, column 9"},
      {R"(select '\U0011FFFF')", "Syntax error: illegal escape sequence: not a Unicode character at line 1, column 9"},
      {R"(select '\ud800')", "Syntax error: illegal escape sequence: not a Unicode character at line 1, column 9"},
      {R"(select b'\u0041')", "Syntax error: illegal escape sequence: bytes have no \\u and \\U at line 1, column 10"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const absl::StatusOr<TokenList> list = Lex(c.text, 200);
    REQUIRE(!list.ok());
    CHECK(list.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(list.status()) == c.message);
  }
}

TEST_CASE("brackets know their partners, and how deep they are") {
  const absl::StatusOr<TokenList> list = Lex("([)]", 200);
  REQUIRE(list.ok());
  CHECK(list->partners[0] == 2);
  CHECK(list->partners[1] == TokenList::kNoPartner);

  CHECK(Lex(std::string(200, '('), 200).ok());
  CHECK(base::Message(Lex(std::string(201, '('), 200).status()) ==
        "more than 200 levels of nesting at line 1, column 201");
}

}  // namespace
}  // namespace logquery::sql
