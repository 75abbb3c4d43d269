// Values of functions over text, bytes, numbers and arrays, as GoogleSQL's documentation has them.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "tests/emit/duckdb_function_cases.h"

namespace logquery::emit {
namespace {

Value S(const char* text) { return Value::String(text); }
Value I(int64_t number) { return Value::Int64(number); }
Value F(double number) { return Value::Float64(number); }
Value N(const char* digits) { return Value::Numeric(digits); }
Value B(std::string bytes) { return Value::Bytes(std::move(bytes)); }
Value Yes() { return Value::Bool(true); }
Value No() { return Value::Bool(false); }
Value Null(Type type) { return Value::Null(std::move(type)); }

Value Strings(std::vector<Value> values) { return Value::Array(Type::String(), std::move(values)); }
Value Ints(std::vector<Value> values) { return Value::Array(Type::Int64(), std::move(values)); }

const Value kNullString = Null(Type::String());
const Value kNullInt = Null(Type::Int64());
const Value kNullFloat = Null(Type::Float64());

TEST_CASE("text by code points") {
  CheckAll({
      {"LENGTH", {S("añ👨‍👩‍👧")}, I(7)},
      {"BYTE_LENGTH", {S("añ")}, I(3)},
      {"SUBSTR", {S("abcdef"), I(2), I(3)}, S("bcd")},
      {"SUBSTR", {S("abcdef"), I(0), I(3)}, S("abc")},
      {"SUBSTR", {S("abcdef"), I(-2), I(1)}, S("e")},
      {"SUBSTR", {S("abcdef"), I(-10), I(6)}, S("abcdef")},
      {"SUBSTR", {S("añb"), I(2)}, S("ñb")},
      {"SUBSTR", {S("abc"), I(7)}, S("")},
      {"SUBSTR", {S("abc"), I(2), I(5'000'000'000)}, S("bc")},
      {"SUBSTR", {kNullString, I(2), I(1)}, kNullString},
      {"SUBSTR", {S("abc"), kNullInt}, kNullString},
      {"LEFT", {S("añb"), I(2)}, S("añ")},
      {"RIGHT", {S("añb"), I(9)}, S("añb")},
      {"REVERSE", {S("añ")}, S("ña")},
      {"REVERSE", {S("")}, S("")},
      {"STRPOS", {S("añb"), S("b")}, I(3)},
      {"STRPOS", {S("abc"), S("x")}, I(0)},
      {"INSTR", {S("banana"), S("an"), I(3)}, I(4)},
      {"LPAD", {S("abc"), I(5), S("xy")}, S("xyabc")},
      {"LPAD", {S("abc"), I(2)}, S("ab")},
      {"RPAD", {S("ñ"), I(3)}, S("ñ  ")},
      {"TRIM", {S("\t \u00A0abc\n")}, S("abc")},
      {"LTRIM", {S("xyxabc"), S("xy")}, S("abc")},
      {"RTRIM", {S("abc  ")}, S("abc")},
      {"UPPER", {S("straße")}, S("STRASSE")},
      {"INITCAP", {S("hello wORLD-x")}, S("Hello World-X")},
      {"INITCAP", {S("abcd e"), S(" c")}, S("AbcD E")},
      {"REPEAT", {S("ab"), I(3)}, S("ababab")},
      {"REPLACE", {S("aaa"), S(""), S("b")}, S("aaa")},
      {"TRANSLATE", {S("abcd"), S("abc"), S("xy")}, S("xyd")},
      {"SOUNDEX", {S("Ashcraft")}, S("A261")},
      {"SOUNDEX", {S("")}, S("")},
      {"CONCAT", {S("a"), S("b"), S("c")}, S("abc")},
      {"CONCAT", {S("a"), kNullString}, kNullString},
  });
  CheckErrors({
      {"SUBSTR", {S("abc"), I(1), I(-1)}, "length is negative"},
      {"LPAD", {S("abc"), I(-1)}, "negative"},
      {"LPAD", {S("abc"), I(5), S("")}, "empty"},
      {"REPEAT", {S("abc"), I(-15)}, "negative"},
      {"LEFT", {S("abc"), I(-2)}, "negative"},
      {"TRANSLATE", {S("abc"), S("aa"), S("xy")}, "twice"},
  });
}

TEST_CASE("splitting") {
  CheckAll({
      {"SPLIT", {S("a,b,")}, Strings({S("a"), S("b"), S("")})},
      {"SPLIT", {S("")}, Strings({S("")})},
      {"SPLIT", {S(""), S("")}, Strings({})},
      {"SPLIT", {S("añ"), S("")}, Strings({S("a"), S("ñ")})},
      {"SPLIT", {S("a"), kNullString}, Null(Type::Array(Type::String()))},
  });
}

TEST_CASE("searching") {
  CheckAll({
      {"SEARCH", {S("Connection reset by 10.0.0.1"), S("reset connection")}, Yes()},
      {"SEARCH", {S("Connection reset by 10.0.0.1"), S("`10.0.0.1` \"reset by\"")}, Yes()},
      {"SEARCH", {S("Connection reset"), S("conn OR timeout")}, No()},
      {"SEARCH", {S(""), S("a")}, No()},
      {"SEARCH", {kNullString, S("a")}, Null(Type::Bool())},
      {"SEARCH", {Strings({S("foobar"), S("example")}), S("foobar example")}, No()},
      {"SEARCH", {Strings({S("foobar"), S("foobar-example")}), S("foobar example")}, Yes()},
      {"SEARCH", {Strings({S("foobar"), kNullString}), S("example")}, Null(Type::Bool())},
      {"SEARCH", {I(42), S("42")}, No()},
  });
  CheckErrors({
      {"SEARCH", {S("a"), S("")}, "there is no word to search for"},
      {"SEARCH", {S("a"), kNullString}, "the search query is NULL"},
      {"SEARCH", {S("a"), S("foo-bar")}, "the character - is reserved"},
      {"SEARCH", {kNullString, S("(a")}, "a ( is not closed, at offset 0"},
  });
}

TEST_CASE("LIKE escapes with a backslash") {
  CheckAll({
      {"$like", {S("a%c"), S("a\\%c")}, Yes()},
      {"$like", {S("abc"), S("a\\%c")}, No()},
      {"$like", {S("a\nb"), S("a%b")}, Yes()},
      {"$like", {S("abc"), kNullString}, Null(Type::Bool())},
      {"$like_any", {S("abc"), S("x"), S("a%")}, Yes()},
      {"$like_any", {S("abc"), S("x"), kNullString}, Null(Type::Bool())},
      {"$like_all", {S("abc"), S("%c"), S("a%")}, Yes()},
      {"$ilike", {S("ABC"), S("a_c")}, Yes()},
  });
  // Several `%` beside `_` or a backslash, and each `%` at its first place, at the next, and at none.
  CheckAll({
      {"$like", {S("añbñc"), S("%a_b%_c")}, Yes()},
      {"$like", {S("añbc"), S("%a_b%_c")}, No()},
      {"$like", {S("xaxb%c"), S("%a%\\%_%")}, Yes()},
      {"$like", {S("xaxbc"), S("%a%\\%_%")}, No()},
      {"$like", {S("aab"), S("%a_%_b")}, No()},
      {"$like", {S("aaab"), S("%a_%b")}, Yes()},
      {"$like", {S(""), S("%%_")}, No()},
      {"$like", {S(""), S("%%")}, Yes()},
      {"$like", {S("ñ"), S("__")}, No()},
      {"$like", {S("€x"), S("%_%_%")}, Yes()},
      {"$like", {S("€"), S("%_%_%")}, No()},
      {"$ilike", {S("xAyBz"), S("%a%_B%")}, Yes()},
      {"$ilike", {S("xABz"), S("%a%_B%")}, No()},
      {"$like", {B("\xC3\xB1"), B("__")}, Yes()},
  });
  CheckErrors({{"$like", {S("abc"), S("abc\\")}, "LIKE pattern ends with a backslash: 'abc\\'"}});
  CHECK_FALSE(Evaluate("$like", {S("abc"), S("abc\\")}, ArgumentForm::kLiterals).ok());
}

TEST_CASE("code points, bytes and digests") {
  CheckAll({
      {"ASCII", {S("")}, I(0)},
      {"UNICODE", {S("ñ")}, I(241)},
      {"CHR", {I(241)}, S("ñ")},
      {"CHR", {I(0)}, Value::String(std::string(1, '\0'))},
      {"CODE_POINTS_TO_STRING", {Ints({I(97), I(0)})}, Value::String(std::string("a\0", 2))},
      {"TO_CODE_POINTS", {S("añ")}, Ints({I(97), I(241)})},
      {"TO_CODE_POINTS", {S("")}, Ints({})},
      {"TO_CODE_POINTS", {B("\xC3\xFF")}, Ints({I(195), I(255)})},
      {"CODE_POINTS_TO_STRING", {Ints({I(97), I(241)})}, S("añ")},
      {"CODE_POINTS_TO_STRING", {Ints({I(97), kNullInt})}, kNullString},
      {"CODE_POINTS_TO_BYTES", {Ints({I(195), I(255)})}, B("\xC3\xFF")},
      {"LENGTH", {B("\xC3\xB1")}, I(2)},
      {"SUBSTR", {B("\xE2\x82\xAC"), I(-2), I(1)}, B("\x82")},
      {"SUBSTR", {B("abc"), I(0), I(2)}, B("ab")},
      {"LEFT", {B("abc"), I(5)}, B("abc")},
      {"RIGHT", {B("abc"), I(2)}, B("bc")},
      {"LPAD", {B("abc"), I(5), B("*")}, B("**abc")},
      {"REVERSE", {B("abc")}, B("cba")},
      {"REVERSE", {B("")}, B("")},
      {"REPEAT", {B("ab"), I(2)}, B("abab")},
      {"STRPOS", {B("\x12\x34\x41"), B("\x34")}, I(2)},
      {"STRPOS", {B("\x12\x34"), B("\x23")}, I(0)},
      {"TO_HEX", {B("\xAB\x01")}, S("ab01")},
      {"FROM_HEX", {S("616")}, B("\x06\x16")},
      {"TO_BASE64", {B("abc")}, S("YWJj")},
      {"MD5", {S("abc")}, B("\x90\x01\x50\x98\x3c\xd2\x4f\xb0\xd6\x96\x3f\x7d\x28\xe1\x7f\x72")},
      {"SHA512",
       {S("abc")},
       B("\xdd\xaf\x35\xa1\x93\x61\x7a\xba\xcc\x41\x73\x49\xae\x20\x41\x31\x12\xe6\xfa\x4e\x89\xa9\x7e\xa2"
         "\x0a\x9e\xee\xe6\x4b\x55\xd3\x9a\x21\x92\x99\x2a\x27\x4f\xc1\xa8\x36\xba\x3c\x23\xa3\xfe\xeb\xbd"
         "\x45\x4d\x44\x23\x64\x3c\xe8\x0e\x2a\x9a\xc9\x4f\xa5\x4c\xa4\x9f")},
      {"$bit_and", {B("\xF0\x0F"), B("\xFF\x01")}, B("\xF0\x01")},
      {"$bit_not", {B("\xF0")}, B("\x0F")},
      {"$bit_or", {B(""), B("")}, B("")},
      {"BIT_COUNT", {I(-1)}, I(64)},
  });
  CheckErrors({
      {"ASCII", {S("ñ")}, "not ASCII"},
      {"CHR", {I(0xD800)}, "Invalid codepoint"},
      {"CODE_POINTS_TO_BYTES", {Ints({I(256)})}, "Invalid extended ASCII"},
      {"$bit_and", {B("ab"), B("a")}, "BYTES of one length, not of 2 and 1"},
  });
}

TEST_CASE("hosts and addresses") {
  CheckAll({
      {"NET.HOST", {S("https://user:pw@www.example.com:8080/p?q=@x")}, S("www.example.com")},
      {"NET.HOST", {S("//foo.bar")}, S("foo.bar")},
      {"NET.HOST", {S("mailto:?to=")}, S("mailto")},
      {"NET.HOST", {S("  www.Example.Co.UK  ")}, S("www.Example.Co.UK")},
      {"NET.HOST", {S("http://[::1]:80/")}, S("[::1]")},
      {"NET.HOST", {S("..a.b..")}, S("a.b.")},
      {"NET.HOST", {S("")}, kNullString},
      {"NET.HOST", {S("///path")}, kNullString},
      {"NET.IPV4_FROM_INT64", {I(-1)}, B("\xFF\xFF\xFF\xFF")},
      {"NET.IPV4_TO_INT64", {B("\x01\x02\x03\x04")}, I(0x01020304)},
      {"NET.IP_NET_MASK", {I(4), I(20)}, B(std::string("\xFF\xFF\xF0\x00", 4))},
      {"NET.IP_TRUNC", {B("\xAA\xBB\xCC\xDD"), I(11)}, B(std::string("\xAA\xA0\x00\x00", 4))},
  });
}

TEST_CASE("FORMAT") {
  CheckAll({
      {"FORMAT", {S("%s/%05d"), S("eu"), I(42)}, S("eu/00042")},
      {"FORMAT", {S("%.1f%%"), F(54.54)}, S("54.5%")},
      {"FORMAT", {S("%'d"), I(-1234567)}, S("-1,234,567")},
      {"FORMAT", {S("%x"), I(-255)}, S("-ff")},
      {"FORMAT", {S("[%5s|%-5s|%.1s]"), S("é"), S("b"), S("cd")}, S("[    é|b    |c]")},
      {"FORMAT", {S("%t %t"), Yes(), F(1)}, S("true 1.0")},
      {"FORMAT", {S("%t"), kNullInt}, S("NULL")},
      {"FORMAT", {S("%d"), kNullInt}, kNullString},
      {"FORMAT", {S("%t"), Value::Date(0)}, S("1970-01-01")},
      {"FORMAT", {S("%T"), Value::Date(0)}, S("DATE \"1970-01-01\"")},
      {"FORMAT", {S("plain")}, S("plain")},
  });
  CHECK(absl::IsInvalidArgument(Evaluate("FORMAT", {S("%d")}, ArgumentForm::kLiterals).status()));
  CHECK(absl::IsInvalidArgument(Evaluate("FORMAT", {S("x"), I(1)}, ArgumentForm::kLiterals).status()));
}

TEST_CASE("numbers") {
  const double inf = INFINITY, nan = NAN;
  CheckAll({
      {"DIV", {I(-7), I(2)}, I(-3)},
      {"MOD", {I(-7), I(2)}, I(-1)},
      {"DIV", {N("7.5"), N("2")}, N("3")},
      {"MOD", {N("-7.5"), N("2")}, N("-1.5")},
      {"SAFE_DIVIDE", {F(1), F(0)}, kNullFloat},
      {"SAFE_DIVIDE", {F(1e300), F(1e-300)}, kNullFloat},
      {"SAFE_DIVIDE", {I(1), I(4)}, F(0.25)},
      {"SAFE_DIVIDE", {N("1"), N("0")}, Null(Type::Numeric())},
      {"IEEE_DIVIDE", {F(1), F(0)}, F(inf)},
      {"SAFE_ADD", {I(INT64_MAX), I(1)}, kNullInt},
      {"SAFE_MULTIPLY", {F(1e300), F(1e300)}, kNullFloat},
      {"SAFE_NEGATE", {I(INT64_MIN)}, kNullInt},
      {"ROUND", {F(2.5)}, F(3)},
      {"ROUND", {F(-2.5)}, F(-3)},
      {"ROUND", {F(1235), I(-1)}, F(1240)},
      {"ROUND", {N("2.45"), I(1)}, N("2.5")},
      {"ROUND", {N("2.45"), I(1), S("ROUND_HALF_EVEN")}, N("2.4")},
      {"ROUND", {N("2.35"), I(1), S("ROUND_HALF_EVEN")}, N("2.4")},
      {"ROUND", {N("2.45"), I(12)}, N("2.45")},
      {"TRUNC", {F(-1.9)}, F(-1)},
      {"TRUNC", {N("1.239"), I(2)}, N("1.23")},
      {"CEIL", {N("1.2")}, N("2")},
      {"SIGN", {F(-2.5)}, F(-1)},
      {"SIGN", {I(0)}, I(0)},
      {"GREATEST", {I(1), I(3), I(2)}, I(3)},
      {"GREATEST", {I(1), kNullInt}, kNullInt},
      {"GREATEST", {F(nan), F(1)}, F(nan)},
      {"LEAST", {F(nan), F(1)}, F(nan)},
      {"LEAST", {S("b"), S("a")}, S("a")},
      {"LOG", {F(8), F(2)}, F(3)},
      {"SIN", {F(inf)}, F(nan)},
      {"$multiply", {N("1.5"), N("2.5")}, N("3.75")},
      {"$multiply",
       {Value::BigNumeric("123456789.123456789"), Value::BigNumeric("2")},
       Value::BigNumeric("246913578.246913578")},
      {"$divide",
       {Value::BigNumeric("2"), Value::BigNumeric("3")},
       Value::BigNumeric("0.66666666666666666666666666666666666667")},
      {"RANGE_BUCKET", {I(20), Ints({I(0), I(10), I(20), I(30)})}, I(3)},
      {"RANGE_BUCKET", {I(-1), Ints({I(0), I(10)})}, I(0)},
      {"PARSE_NUMERIC", {S(" - 1,2.34 ")}, N("-12.34")},
      {"PARSE_NUMERIC", {S("12.34e-1  +")}, N("1.234")},
  });
  CheckErrors({
      {"DIV", {I(1), I(0)}, "division by zero"},
      {"MOD", {I(1), I(0)}, "division by zero"},
      {"$divide", {N("1"), N("0")}, "division by zero"},
      {"POW", {F(-8), F(0.5)}, "POW"},
      {"EXP", {F(1000)}, "EXP"},
      {"LN", {F(0)}, "the logarithm of 0 is undefined"},
      {"SQRT", {F(-1)}, "the square root of a negative number is undefined"},
      {"ABS", {I(INT64_MIN)}, "abs"},
      {"PARSE_NUMERIC", {S("1 2")}, "Invalid input"},
  });
}

TEST_CASE("NaN equals and orders with nothing") {
  const Value nan = F(NAN);
  for (const char* op : {"$equal", "$less", "$less_or_equal", "$greater", "$greater_or_equal"}) {
    CheckCall(op, {nan, F(5)}, No());
    CheckCall(op, {F(5), nan}, No());
    CheckCall(op, {nan, nan}, No());
    CheckCall(op, {nan, kNullFloat}, Null(Type::Bool()));
    CheckCall(op, {kNullFloat, F(5)}, Null(Type::Bool()));
  }
  CheckCall("$not_equal", {nan, nan}, Yes());
  CheckCall("$between", {nan, F(1), F(INFINITY)}, No());
  CheckCall("$in", {nan, F(1), nan}, No());
  CheckCall("$in", {F(1), nan, F(1)}, Yes());
  CheckCall("NULLIF", {nan, nan}, nan);
  CheckCall("$greater", {F(INFINITY), F(5)}, Yes());
}

TEST_CASE("STRUCTs are equal field by field") {
  const Type type = Type::Struct({{"a", Type::Int64()}, {"b", Type::String()}});
  const auto pair = [&](Value a, Value b) { return Value::Struct(type, {std::move(a), std::move(b)}); };
  CheckCall("$equal", {pair(I(1), S("x")), pair(I(1), S("x"))}, Yes());
  CheckCall("$equal", {pair(I(1), kNullString), pair(I(1), S("x"))}, Null(Type::Bool()));
  CheckCall("$equal", {pair(I(2), kNullString), pair(I(1), S("x"))}, No());
  CheckCall("$not_equal", {pair(I(2), S("x")), pair(I(1), S("x"))}, Yes());
}

TEST_CASE("arrays") {
  const Value numbers = Ints({I(10), I(20), I(30)});
  CheckAll({
      {"$at_offset", {numbers, I(2)}, I(30)},
      {"$at_ordinal", {numbers, I(1)}, I(10)},
      {"$safe_at_offset", {numbers, I(3)}, kNullInt},
      {"$safe_at_offset", {numbers, I(-1)}, kNullInt},
      {"$safe_at_offset", {numbers, I(std::numeric_limits<int64_t>::max())}, kNullInt},
      {"$safe_at_ordinal", {numbers, I(std::numeric_limits<int64_t>::max())}, kNullInt},
      {"$safe_at_ordinal", {numbers, I(std::numeric_limits<int64_t>::min())}, kNullInt},
      {"$safe_at_offset", {numbers, I(-2)}, kNullInt},
      {"$safe_at_ordinal", {numbers, I(0)}, kNullInt},
      {"$at_offset", {Null(Type::Array(Type::Int64())), I(0)}, kNullInt},
      {"ARRAY_LENGTH", {numbers}, I(3)},
      {"ARRAY_CONCAT", {Ints({I(1)}), Ints({kNullInt})}, Ints({I(1), kNullInt})},
      {"ARRAY_CONCAT", {Ints({I(1)}), Null(Type::Array(Type::Int64()))}, Null(Type::Array(Type::Int64()))},
      {"ARRAY_REVERSE", {numbers}, Ints({I(30), I(20), I(10)})},
      {"ARRAY_FIRST", {numbers}, I(10)},
      {"ARRAY_LAST", {numbers}, I(30)},
      {"ARRAY_SLICE", {numbers, I(1), I(2)}, Ints({I(20), I(30)})},
      {"ARRAY_SLICE", {numbers, I(-2), I(-2)}, Ints({I(20)})},
      {"ARRAY_SLICE", {numbers, I(-99), I(-4)}, Ints({})},
      {"ARRAY_SLICE", {numbers, I(1), I(99)}, Ints({I(20), I(30)})},
      {"ARRAY_TO_STRING", {Strings({S("a"), kNullString, S("b")}), S("-")}, S("a-b")},
      {"ARRAY_TO_STRING", {Strings({S("a"), kNullString}), S("-"), S("N")}, S("a-N")},
      {"ARRAY_TO_STRING", {Strings({}), S("-")}, S("")},
      {"ARRAY_IS_DISTINCT", {Ints({I(1), kNullInt})}, Yes()},
      {"ARRAY_IS_DISTINCT", {Ints({kNullInt, kNullInt})}, No()},
      {"$in_array", {I(1), Ints({I(1), kNullInt})}, Yes()},
      {"$in_array", {I(2), Ints({I(1), kNullInt})}, Null(Type::Bool())},
      {"$in_array", {kNullInt, Ints({})}, No()},
      {"$in_array", {I(1), Null(Type::Array(Type::Int64()))}, No()},
      {"GENERATE_ARRAY", {I(1), I(10), I(3)}, Ints({I(1), I(4), I(7), I(10)})},
      {"GENERATE_ARRAY", {I(3), I(1)}, Ints({})},
      {"GENERATE_ARRAY", {I(3), I(1), I(-2)}, Ints({I(3), I(1)})},
      {"GENERATE_ARRAY", {N("0"), N("1"), N("0.4")}, Value::Array(Type::Numeric(), {N("0"), N("0.4"), N("0.8")})},
  });
  CheckErrors({
      {"$at_offset", {numbers, I(3)}, "Array index 3 is out of bounds"},
      {"$at_ordinal", {numbers, I(-1)}, "Array index -1 is out of bounds"},
      {"ARRAY_FIRST", {Ints({})}, "empty array"},
      {"GENERATE_ARRAY", {I(1), I(5), I(0)}, "step is 0"},
  });
}

}  // namespace
}  // namespace logquery::emit
