// Functions that run as ours in DuckDB (lib/functions): values, edges, and what they refuse.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/emit/duckdb_function_cases.h"

namespace logquery::emit {
namespace {

Value S(const char* text) { return Value::String(text); }
Value I(int64_t number) { return Value::Int64(number); }
Value B(std::string bytes) { return Value::Bytes(std::move(bytes)); }
Value Strings(std::vector<Value> values) { return Value::Array(Type::String(), std::move(values)); }
Value BytesList(std::vector<Value> values) { return Value::Array(Type(TypeKind::kBytes), std::move(values)); }

const Value kNullString = Value::Null(Type::String());
const Value kNullBytes = Value::Null(Type(TypeKind::kBytes));

TEST_CASE("BYTES have the functions that STRINGs have, by bytes") {
  CheckCall("UPPER", {B("a\xC3\xA9")}, B("A\xC3\xA9"));
  CheckCall("SUBSTR", {B("abc"), I(-2), I(1)}, B("b"));
  CheckCall("SUBSTR", {B("abc"), I(INT64_MAX), I(INT64_MAX)}, B(""));
  CheckCall("SUBSTR", {B("abc"), I(INT64_MIN), I(2)}, B("ab"));
  CheckCall("RIGHT", {B("abc"), I(2)}, B("bc"));
  CheckCall("LTRIM", {B(" a b "), B("")}, B(" a b "));
  CheckCall("RTRIM", {B(" a b "), B(" b")}, B(" a"));
  CheckCall("LTRIM", {B(" a"), kNullBytes}, kNullBytes);
  CheckCall("LPAD", {B("abc"), I(10), B("-*=")}, B("-*=-*=-abc"));
  CheckCall("REPLACE", {B("abcabc"), B("b"), B("xy")}, B("axycaxyc"));
  CheckCall("INSTR", {B("banana"), B("an"), I(-1)}, I(4));
  CheckCall("SPLIT", {B(std::string("\0\2", 2)), B("")}, BytesList({B(std::string(1, '\0')), B("\2")}));
  CheckCall("SPLIT", {B(""), B("foo")}, BytesList({B("")}));
  CheckCall("ASCII", {B("\xFFz")}, I(255));
  CheckCall("TRANSLATE", {B("abcd"), B("abc"), B("xy")}, B("xyd"));
  CheckCall("$shift_left", {B("\x01\x80"), I(1)}, B(std::string("\x03\x00", 2)));
  CheckCall("$shift_right", {B("\x01\x80"), I(9)}, B(std::string("\0\0", 2)));
  CheckError("$shift_left", {B("a"), I(-1)}, "negative");
  CheckError("LEFT", {B("abc"), I(-1)}, "negative");
}

TEST_CASE("INSTR counts places from both ends") {
  CheckCall("INSTR", {S("bañana"), S("an"), I(1), I(1)}, I(4));
  CheckCall("INSTR", {S("banana"), S("an"), I(1), I(2)}, I(4));
  CheckCall("INSTR", {S("banana"), S("an"), I(-1), I(2)}, I(2));
  CheckCall("INSTR", {S("banana"), S("an"), I(-3), I(1)}, I(4));
  CheckCall("INSTR", {S("banana"), S("an"), I(20)}, I(0));
  CheckCall("INSTR", {S("aaaa"), S("aa"), I(1), I(3)}, I(3));
  CheckCall("INSTR", {S("aaaa"), S("aa"), I(-1), I(2)}, I(2));
  CheckCall("INSTR", {S("banana"), S("an"), I(-7)}, I(0));
  CheckCall("INSTR", {S("banana"), S("banana"), I(-1)}, I(1));
  // An empty text occurs before each character, and at the end.
  CheckCall("INSTR", {S("añb"), S(""), I(1)}, I(1));
  CheckCall("INSTR", {S("añb"), S(""), I(1), I(4)}, I(4));
  CheckCall("INSTR", {S("añb"), S(""), I(1), I(5)}, I(0));
  CheckCall("INSTR", {S("añb"), S(""), I(4)}, I(4));
  CheckCall("INSTR", {S("añb"), S(""), I(5)}, I(0));
  CheckCall("INSTR", {S("añb"), S(""), I(-1)}, I(4));
  CheckCall("INSTR", {S("añb"), S(""), I(-1), I(4)}, I(1));
  CheckCall("INSTR", {S("añb"), S(""), I(-4)}, I(1));
  CheckCall("INSTR", {S("añb"), S(""), I(-5)}, I(0));
  CheckCall("INSTR", {S(""), S("")}, I(1));
  CheckCall("INSTR", {S(""), S("a")}, I(0));
  CheckCall("INSTR", {B("ab"), B(""), I(1), I(3)}, I(3));
  CheckCall("STRPOS", {S("ab"), S("")}, I(1));
  CheckCall("STRPOS", {S("bañana"), S("ana")}, I(4));
  CheckCall("STRPOS", {B(""), B("")}, I(1));
  CheckError("INSTR", {S("banana"), S("an"), I(0)}, "must not be 0");
  CheckError("INSTR", {S("banana"), S("an"), I(1), I(0)}, "positive");
}

TEST_CASE("regular expressions: places, occurrences, groups and BYTES") {
  CheckCall("REGEXP_EXTRACT", {S("a1b22c333"), S("[0-9]+"), I(1), I(2)}, S("22"));
  CheckCall("REGEXP_EXTRACT", {S("éa1"), S("[a-z]([0-9])"), I(2)}, S("1"));
  CheckCall("REGEXP_EXTRACT", {S("abc"), S("x")}, kNullString);
  CheckCall("REGEXP_EXTRACT", {S("ab"), S("a|(b)")}, kNullString);
  CheckCall("REGEXP_EXTRACT_ALL", {S("abc"), S("")}, Strings({S(""), S(""), S("")}));
  CheckCall("REGEXP_EXTRACT_ALL", {S(""), S("a*")}, Strings({S("")}));
  CheckCall("REGEXP_EXTRACT_ALL", {S("a=1 b=2"), S("(\\w)=")}, Strings({S("a"), S("b")}));
  CheckCall("REGEXP_INSTR", {S("ab@gmail.com ñ@x"), S("@[^.]*")}, I(3));
  CheckCall("REGEXP_INSTR", {S("a@b ñ@x"), S("@"), I(1), I(2), I(1)}, I(7));
  CheckCall("REGEXP_INSTR", {B("abcabc"), B("a(b)c"), I(2), I(1), I(1)}, I(6));
  CheckCall("REGEXP_INSTR", {S("abc"), S("x")}, I(0));
  CheckCall("REGEXP_REPLACE", {S("abc"), S("b(.)"), S("X\\1")}, S("aXc"));
  CheckCall("REGEXP_REPLACE", {S("abcabc"), S(""), S("-")}, S("-a-b-c-a-b-c-"));
  CheckCall("REGEXP_REPLACE", {S("aaa"), S("a*"), S("x")}, S("x"));
  CheckCall("REGEXP_REPLACE", {B("a\xFF"), B("\xFF"), B("z")}, B("az"));
  CheckCall("REGEXP_CONTAINS", {B("a\xFF"), B("\xFF$")}, Value::Bool(true));
  CheckError("REGEXP_CONTAINS", {S("a"), S("(")}, "missing )");
  CheckError("REGEXP_CONTAINS", {S("a"), S("a**b")}, "bad repetition operator at '**'");
  CheckError("REGEXP_EXTRACT", {S("a"), S("(a)(b)")}, "more than one capturing group");
  CheckError("REGEXP_EXTRACT", {S("a"), S("a"), I(0)}, "positive");
  CheckError("REGEXP_REPLACE", {S("a"), S("a"), S("\\1")}, "");
}

TEST_CASE("FORMAT of numbers") {
  CheckCall("FORMAT", {S("%d|%5d|%-5d|%05d|%+d|% d"), I(7), I(7), I(7), I(7), I(7), I(7)},
            S("7|    7|7    |00007|+7| 7"));
  CheckCall("FORMAT", {S("%'d %'x"), I(-1234567), I(0xABCDE)}, S("-1,234,567 a,bcde"));
  CheckCall("FORMAT", {S("%x %X %o %#x"), I(-255), I(255), I(8), I(255)}, S("-ff FF 10 0xff"));
  CheckCall("FORMAT", {S("%d"), I(INT64_MIN)}, S("-9223372036854775808"));
  CheckCall("FORMAT", {S("%*d|%.*f"), I(-4), I(7), I(2), Value::Float64(2.5)}, S("7   |2.50"));
  CheckCall(
      "FORMAT",
      {S("%f %.2f %e %g"), Value::Float64(1.5), Value::Float64(2.345), Value::Float64(1e10), Value::Float64(1e-5)},
      S("1.500000 2.35 1.000000e+10 1e-05"));
  CheckCall("FORMAT", {S("%f %F %5.1f"), Value::Float64(HUGE_VAL), Value::Float64(-HUGE_VAL), Value::Float64(NAN)},
            S("inf -INF   nan"));
  CheckCall("FORMAT",
            {S("%.2f %'.1f %e %g"), Value::Numeric("2.345"), Value::Numeric("-1234567.25"), Value::Numeric("0.00125"),
             Value::Numeric("100")},
            S("2.35 -1,234,567.3 1.250000e-03 100"));
  CheckCall("FORMAT", {S("%.0f %.1f"), Value::Numeric("9.5"), Value::Numeric("9.99")}, S("10 10.0"));
}

TEST_CASE("FORMAT of any value") {
  CheckCall("FORMAT", {S("%t %T"), S("it's"), S("a\"b\n")}, S("it's 'a\"b\\n'"));
  CheckCall("FORMAT", {S("%t %T"), Value::Float64(1), Value::Float64(NAN)}, S("1.0 CAST(\"nan\" AS FLOAT64)"));
  CheckCall("FORMAT", {S("%T %T"), Strings({S("a"), kNullString}), B("a\xFF")}, S("[\"a\", NULL] b\"a\\xff\""));
  CheckCall("FORMAT", {S("%T"), Value::Date(0)}, S("DATE \"1970-01-01\""));
  CheckCall("FORMAT", {S("%5t|%-5s|%.1s"), S("ñ"), S("ab"), S("ñx")}, S("    ñ|ab   |ñ"));
  CheckCall("FORMAT", {S("%t %s"), kNullString, S("a")}, S("NULL a"));
  CheckCall("FORMAT", {S("%s"), kNullString}, kNullString);
  CheckCall("FORMAT", {kNullString, I(1)}, kNullString);
  CheckCall("FORMAT", {S("100%%")}, S("100%"));
  CheckCall("FORMAT", {S("%p %T"), Value::Json("{\"a\": [1, 2]}"), Value::Json("1")}, S("{\"a\":[1,2]} JSON \"1\""));
  CheckError("FORMAT", {S("%d"), S("a")}, "%d does not take");
  CheckError("FORMAT", {S("%d")}, "more specifiers");
  CheckError("FORMAT", {S("x"), I(1)}, "more arguments");
  CheckError("FORMAT", {S("%")}, "without a specifier");
  CheckError("FORMAT", {S("%9999999999d"), I(1)}, "too large");
}

TEST_CASE("functions that grow values check the size limit before they allocate") {
  CheckError("REPEAT", {S("a"), I(1'000'000'000)}, "at most 1048576 bytes");
  CheckError("REPEAT", {S("ab"), I(INT64_MAX)}, "at most 1048576 bytes");
  CheckError("LPAD", {S("a"), I(1'000'000'000'000), S("xy")}, "at most 1048576 bytes");
  CheckError("RPAD", {B("a"), I(INT64_MAX), B("xy")}, "at most 1048576 bytes");
  CheckError("FORMAT", {S("%*d%1048576d%1048576d"), I(1'000'000), I(1), I(1), I(1)}, "at most 1048576 bytes");
  const Value half = Value::String(std::string(600'000, 'x'));
  // Literals are bounded by the query's own length.
  const auto joined = Evaluate("CONCAT", {half, half}, ArgumentForm::kColumns);
  CHECK(absl::IsInvalidArgument(joined.status()));
  CHECK(joined.status().ToString().find("at most 1048576 bytes") != std::string::npos);
  CheckError("REPLACE", {half, S("x"), S("yy")}, "at most 1048576 bytes");
  CheckError("REGEXP_REPLACE", {half, S("x"), S("\\0\\0")}, "at most 1048576 bytes");
  CheckCall("BYTE_LENGTH", {half}, I(600'000));
}

TEST_CASE("encodings") {
  CheckCall("TO_BASE32", {B("abcde\xFF")}, S("MFRGGZDF74======"));
  CheckCall("FROM_BASE32", {S("MFRGGZDF74======")}, B("abcde\xFF"));
  CheckCall("FROM_BASE64", {S("YW\nJj")}, B("abc"));
  CheckCall("FROM_HEX", {S("abc")}, B("\x0A\xBC"));
  CheckCall("SAFE_CONVERT_BYTES_TO_STRING", {B("a\xC2z")}, S("a\uFFFDz"));
  CheckError("FROM_BASE32", {S("1")}, "not base32");
  CheckError("FROM_BASE64", {S("YQ")}, "not base64");
  CheckError("FROM_HEX", {S("xy")}, "not base16");
}

TEST_CASE("EDIT_DISTANCE") {
  CheckCall("EDIT_DISTANCE", {S("kitten"), S("sitting")}, I(3));
  CheckCall("EDIT_DISTANCE", {S("añb"), S("ab")}, I(1));
  CheckCall("EDIT_DISTANCE",
            {B("a\xC3\xB1"
               "b"),
             B("ab")},
            I(2));
  CheckCall("EDIT_DISTANCE", {S("kitten"), S("sitting"), I(2)}, I(2));
  CheckCall("EDIT_DISTANCE", {S(""), S("abc")}, I(3));
  CheckError("EDIT_DISTANCE", {S("a"), S("b"), I(-1)}, "negative");
  CheckError("EDIT_DISTANCE", {Value::String(std::string(5000, 'a')), Value::String(std::string(5000, 'b'))},
             "too long");
}

}  // namespace
}  // namespace logquery::emit
