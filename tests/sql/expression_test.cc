#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "lib/sql/parser.h"
#include "lib/sql/printer.h"

namespace logquery::sql {
namespace {

ExprPtr Parse(std::string_view text) {
  absl::StatusOr<ExprPtr> expr = ParseExpression(text, {});
  INFO(text);
  REQUIRE(expr.status() == absl::OkStatus());
  return *std::move(expr);
}

std::string Canonical(std::string_view text) {
  absl::StatusOr<ExprPtr> expr = ParseExpression(text, {});
  return expr.ok() ? Print(**expr) : std::string(base::Message(expr.status()));
}

TEST_CASE("an expression becomes a tree, and is printed with the parentheses that it needs") {
  const ExprPtr expr = Parse("(a.b + 1) * count(*) over (order by c desc)");

  const auto* const product = If<Binary>(expr.get());
  REQUIRE(product != nullptr);
  CHECK(product->op == Binary::Op::kMultiply);
  CHECK(product->left->kind == ExprKind::kBinary);
  CHECK(product->span.begin == 0);
  CHECK(product->span.end == 43);
  const auto* const call = If<Call>(product->right.get());
  REQUIRE(call != nullptr);
  CHECK(call->name[0].text == "count");
  CHECK(call->arguments[0].value == nullptr);
  REQUIRE(call->over != nullptr);
  CHECK(call->over->order_by[0].descending);
  CHECK(Print(*expr) == "(a.b + 1) * count(*) OVER (ORDER BY c DESC)");
}

// The parser drops parentheses and the printer puts back those that change the meaning, so that what is left of them
// tells how operators group.
TEST_CASE("operators have GoogleSQL's precedence") {
  struct Case {
    const char* text;
    const char* canonical;
  };
  const Case cases[] = {
      // Every level is looser than the next.
      {"a or (b and c)", "a OR b AND c"},
      {"(a or b) and c", "(a OR b) AND c"},
      {"(not a) and b", "NOT a AND b"},
      {"not (a and b)", "NOT (a AND b)"},
      {"not (a = b)", "NOT a = b"},
      {"(not a) = b", "(NOT a) = b"},
      {"not (a is null)", "NOT a IS NULL"},
      {"not (a in (1))", "NOT a IN (1)"},
      {"(a | b) = c", "a | b = c"},
      {"a | (b = c)", "a | (b = c)"},
      {"a | (b ^ c)", "a | b ^ c"},
      {"(a | b) ^ c", "(a | b) ^ c"},
      {"a ^ (b & c)", "a ^ b & c"},
      {"(a ^ b) & c", "(a ^ b) & c"},
      {"a & (b << c)", "a & b << c"},
      {"(a & b) >> c", "(a & b) >> c"},
      {"a << (b + c)", "a << b + c"},
      {"(a << b) - c", "(a << b) - c"},
      {"a + (b || c)", "a + b || c"},
      {"(a + b) || c", "(a + b) || c"},
      {"a || (b * c)", "a || b * c"},
      {"(a || b) / c", "(a || b) / c"},
      {"a * (-b)", "a * -b"},
      {"-(a * b)", "-(a * b)"},
      {"-(a.b)", "-a.b"},
      {"(-a).b", "(-a).b"},
      {"-(a[0])", "-a[0]"},
      {"(-a)[0]", "(-a)[0]"},
      {"-(x::int64)", "-CAST(x AS INT64)"},
      {"-x::int64", "-CAST(x AS INT64)"},
      // Operators of one level group from the left.
      {"(a - b) - c", "a - b - c"},
      {"a - (b - c)", "a - (b - c)"},
      {"(a / b) * c", "a / b * c"},
      {"a / (b * c)", "a / (b * c)"},
      {"(a << b) >> c", "a << b >> c"},
      // Chains are one node.
      {"(a and b) and c", "(a AND b) AND c"},
      {"a and b and c", "a AND b AND c"},
      {"a || (b || c)", "a || (b || c)"},
      // Comparisons do not group.
      {"(a = b) = c", "(a = b) = c"},
      {"a = (b < c)", "a = (b < c)"},
      {"(a = b) is true", "(a = b) IS TRUE"},
      {"(a between b and c) = d", "(a BETWEEN b AND c) = d"},
      {"a between b + 1 and c and d", "a BETWEEN b + 1 AND c AND d"},
      {"a between (b and c) and d", "a BETWEEN (b AND c) AND d"},
      {"a like b || c", "a LIKE b || c"},
      {"a in (1, 2) and b", "a IN (1, 2) AND b"},
      {"a = b or c = d and not e", "a = b OR c = d AND NOT e"},
      {"a is distinct from b + 1", "a IS DISTINCT FROM b + 1"},
      // NOT where an operand stands.
      {"a = not b", "a = (NOT b)"},
      {"- - a", "- -a"},
      {"-+~a", "-+~a"},
      {"not not a", "NOT NOT a"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(Canonical(c.text) == c.canonical);
    CHECK(Canonical(c.canonical) == c.canonical);
  }
}

TEST_CASE("AND, OR and || are one node of many operands") {
  const ExprPtr expr = Parse("a and b and c and (d or e or f)");
  const auto* const conjunction = If<Nary>(expr.get());
  REQUIRE(conjunction != nullptr);
  CHECK(conjunction->operands.size() == 4);
  CHECK(As<Nary>(*conjunction->operands[3]).operands.size() == 3);
}

TEST_CASE("comparisons do not chain") {
  for (const char* text :
       {"a = b = c", "a < b < c", "a is null = b", "a in (1) is true", "a like b like c", "a between b and c = d"}) {
    CAPTURE(text);
    CHECK(Canonical(text).find("comparisons do not chain") != std::string::npos);
  }
}

TEST_CASE("paths, fields and subscripts") {
  CHECK(As<PathExpr>(*Parse("a.b.c")).names.size() == 3);
  CHECK(As<PathExpr>(*Parse("(a).b")).names.size() == 2);
  CHECK(As<PathExpr>(*Parse("a.select.from")).names[1].text == "select");
  CHECK(Parse("f(x).b")->kind == ExprKind::kFieldAccess);

  const ExprPtr indexed = Parse("approx_quantiles(x, 100)[offset(95)]");
  CHECK(As<Subscript>(*indexed).mode == Subscript::Mode::kOffset);
  CHECK(As<Subscript>(*Parse("a[0]")).mode == Subscript::Mode::kPlain);
  CHECK(As<Subscript>(*Parse("a[safe_ordinal(1)]")).mode == Subscript::Mode::kSafeOrdinal);
  CHECK(As<Subscript>(*Parse("a[offset]")).mode == Subscript::Mode::kPlain);
}

TEST_CASE("a chained call takes the expression before the dot as its first argument") {
  CHECK(Canonical("(key).upper().substr(1, 3)") == "substr(upper(key), 1, 3)");
  CHECK(Canonical("f(x).(safe.sqrt)()") == "SAFE.sqrt(f(x))");
  CHECK(Canonical("a.b.f(x)") == "a.b.f(x)");
}

TEST_CASE("non-reserved keywords can be names") {
  for (const char* word :
       {"timestamp", "date",    "count", "offset", "value",  "level", "time",      "json",  "key", "week",
        "pivot",     "safe",    "ilike", "max",    "format", "zone",  "replace",   "first", "row", "datetime",
        "numeric",   "ordinal", "table", "name",   "type",   "path",  "safe_cast", "model"}) {
    CAPTURE(word);
    const ExprPtr expr = Parse(word);
    REQUIRE(expr->kind == ExprKind::kPath);
    CHECK(As<PathExpr>(*expr).names[0].text == word);
    CHECK(Canonical(base::StrCat(word, ".", word, " = 1")) == base::StrCat(word, ".", word, " = 1"));
  }
}

TEST_CASE("CURRENT_DATE and other clock functions need no parentheses") {
  const ExprPtr clock = Parse("Current_Timestamp");
  REQUIRE(clock->kind == ExprKind::kCall);
  CHECK(As<Call>(*clock).arguments.empty());
  CHECK(Parse("`current_timestamp`")->kind == ExprKind::kPath);
  CHECK(Parse("t.current_timestamp")->kind == ExprKind::kPath);
  CHECK(Canonical("`current_date` - current_date") == "`current_date` - current_date()");
}

TEST_CASE("the operator :: takes a type by its GoogleSQL or PostgreSQL name") {
  struct Case {
    const char* type;
    const char* canonical;
  };
  const Case cases[] = {
      {"text", "STRING"},
      {"varchar(10)", "STRING(10)"},
      {"int", "INT64"},
      {"bigint", "INT64"},
      {"int8", "INT64"},
      {"float", "FLOAT64"},
      {"double precision", "FLOAT64"},
      {"boolean", "BOOL"},
      {"decimal(10, 2)", "NUMERIC(10, 2)"},
      {"timestamptz", "TIMESTAMP"},
      {"jsonb", "JSON"},
      {"bytea", "BYTES"},
      {"date", "DATE"},
      {"interval", "INTERVAL"},
      {"array<struct<a int64, b array<string(3)>>>", "ARRAY<STRUCT<a INT64, b ARRAY<STRING(3)>>>"},
      {"struct<int64, string>", "STRUCT<INT64, STRING>"},
      {"struct<>", "STRUCT<>"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.type);
    CHECK(Canonical(base::StrCat("x::", c.type)) == base::StrCat("CAST(x AS ", c.canonical, ")"));
  }
}

TEST_CASE("a long number is kept as it was written") {
  CHECK(As<Literal>(*Parse("99999999999999999999")).text == "99999999999999999999");
  CHECK(As<Literal>(*Parse("0x1F")).form == Literal::Form::kInteger);
  CHECK(As<Literal>(*Parse("1e3")).form == Literal::Form::kFloat);
}

TEST_CASE("spans cover the source text of their expressions") {
  const std::string text = "f(a) + (b.c * [1, 2][0])";
  const ExprPtr expr = Parse(text);
  const auto& sum = As<Binary>(*expr);
  const auto covered = [&text](const Expr& node) {
    return text.substr(node.span.begin, node.span.end - node.span.begin);
  };
  CHECK(covered(sum) == text);
  CHECK(covered(*sum.left) == "f(a)");
  CHECK(covered(*sum.right) == "b.c * [1, 2][0]");
  CHECK(covered(*As<Binary>(*sum.right).right) == "[1, 2][0]");
}

}  // namespace
}  // namespace logquery::sql
