// Calls of every function and operator with values that functions fail on, as literals and as columns, in several places.
// Each has a value or an error of our own words: never INTERNAL, and never a word of the engine's.
//
// LOGQUERY_HOSTILE_CALLS=N tries N queries, LOGQUERY_HOSTILE_SEED=N others than usual.
#include <catch2/catch_all.hpp>
#include <cstdlib>
#include <limits>
#include <random>

#include "lib/base/strings.h"
#include "lib/emit/explain/googlesql_literals.h"
#include "lib/emit/explain/spellings.h"
#include "lib/rewrite/functions/functions.h"
#include "re2/re2.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kFirstDay = -719'162, kLastDay = 2'932'896, kDay = 86'400'000'000;
constexpr int kRows = 60;

const char* const kTexts[] = {"a",
                              "",
                              "'",
                              "\"",
                              "\\",
                              "a\\",
                              "%",
                              "%E",
                              "%Z",
                              "%W",
                              "[",
                              "(",
                              "*",
                              "(a)(b)",
                              "$",
                              "$.a",
                              "$.\"\"",
                              "$['']",
                              "$.a[",
                              "$['a\"b']",
                              "$[-1]",
                              "{\"a\": 1",
                              "[1, nan]",
                              "null",
                              "1e999",
                              "12",
                              "1.5",
                              "2026-02-30",
                              "2026-01-31",
                              "12:61:00",
                              "infinity",
                              "epoch",
                              "nan",
                              "-inf",
                              "0x1F",
                              "1_0",
                              "UTC",
                              "+25:00",
                              "No/Where",
                              "é😀",
                              "DAY",
                              "YYYY-MM-DD",
                              "%Y-%m-%d",
                              "%d",
                              "%s%s",
                              "%*d",
                              "BASE64",
                              "NFKC",
                              "1-2 3 4:5:6",
                              "P1Y2M3DT4H5M6S",
                              "http://[::1",
                              "10.0.0.1",
                              "\xef\xbf\xbd",
                              "9223372036854775808",
                              "{\"a\": [1.50, 1e400]}",
                              "\\1",
                              "(?P<a",
                              "%5000d",
                              "2026-01-31 12:00:00+99"};

Value TextOf(std::mt19937& random) {
  if (random() % 16 == 0) return Value::String(std::string("a\0b", 3));
  if (random() % 40 == 0) return Value::String(std::string(2000, 'x'));
  return Value::String(kTexts[random() % std::size(kTexts)]);
}

template <typename T>
T OneOf(std::mt19937& random, std::initializer_list<T> values) {
  return values.begin()[random() % values.size()];
}

// A value of the type, seldom a harmless one.
Value ValueOf(const Type& type, std::mt19937& random) {
  if (random() % 12 == 0) return Value::Null(type);
  switch (type.kind()) {
    case TypeKind::kBool:
      return Value::Bool(random() % 2 == 0);
    case TypeKind::kInt64:
      return Value::Int64(OneOf<int64_t>(
          random, {0, 1, 2, -1, 60, 1000, 100'000, 2'000'000'000, kMost, kLeast, kMost - 1, 4'294'967'296}));
    case TypeKind::kFloat64:
      return Value::Float64(OneOf<double>(
          random, {0.0, -0.0, 0.5, -1.5, 3.0, 1e19, 1e308, -1e308, 5e-324, std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}));
    case TypeKind::kNumeric:
      return Value::Numeric(
          OneOf<const char*>(random, {"0", "1", "-0.000000001", "99999999999999999999999999999.999999999",
                                      "-99999999999999999999999999999.999999999"}));
    case TypeKind::kBigNumeric:
      return Value::BigNumeric(OneOf<const char*>(random, {"0", "1", "5e38", "-5e38", "1e-38"}));
    case TypeKind::kString:
      return TextOf(random);
    case TypeKind::kBytes:
      return Value::Bytes(
          OneOf<std::string>(random, {"", "a", "\\", "(", "\xff\xfe", std::string("\0a", 2), "%\\", "12"}));
    case TypeKind::kDate:
      return Value::Date(OneOf<int64_t>(random, {0, kFirstDay, kLastDay, 20'000}));
    case TypeKind::kTime:
      return Value::Time(OneOf<int64_t>(random, {0, 1, kDay - 1}));
    case TypeKind::kDatetime:
      return Value::Datetime(OneOf<int64_t>(random, {0, kFirstDay * kDay, (kLastDay + 1) * kDay - 1, 1}));
    case TypeKind::kTimestamp:
      return Value::TimestampMicros(OneOf<int64_t>(random, {0, kFirstDay * kDay, (kLastDay + 1) * kDay - 1, 1}));
    case TypeKind::kInterval:
      return Value::IntervalOf(OneOf<Interval>(
          random,
          {{.months = 120'000}, {.months = -120'000}, {.days = 3'660'000}, {.micros = 316'224'000'000'000'000}, {}}));
    case TypeKind::kJson:
      return Value::Json(
          OneOf<const char*>(random, {"\"a\"", "{}", "[1e400, \"a\"]", "null", "{\"\": {\"a\\\"b\": 1.50}}",
                                      "9223372036854775808", "-0.0", "[[]]", "\"\\u0000\""}));
    case TypeKind::kArray: {
      std::vector<Value> elements;
      for (size_t count = random() % 4; count > 0; --count) elements.push_back(ValueOf(type.element(), random));
      return Value::Array(type.element(), std::move(elements));
    }
    default:
      return Value::Null(type);
  }
}

const std::vector<Type>& ScalarTypes() {
  static const auto& types =
      *new std::vector<Type>{Type::Bool(),      Type::Int64(),    Type::Float64(), Type::Numeric(), Type::BigNumeric(),
                             Type::String(),    Type::Bytes(),    Type::Date(),    Type::Time(),    Type::Datetime(),
                             Type::Timestamp(), Type::Interval(), Type::Json()};
  return types;
}

std::vector<Type> ColumnTypes() {
  std::vector<Type> types = ScalarTypes();
  for (const Type& type : ScalarTypes()) types.push_back(Type::Array(type));
  return types;
}

// The table of hostile rows: two columns of each type, and the row's number.
class HostileCalls {
 public:
  explicit HostileCalls(uint32_t seed) : random_(seed) {
    Schema columns = {{"id", Type::Int64()}};
    for (const Type& type : ColumnTypes()) {
      for (int i = 0; i < 2; ++i) {
        columns.push_back({StrCat("c", columns.size()), type});
        columns_[type.ToString()].push_back(columns.back().name);
      }
    }
    std::vector<std::vector<Value>> rows;
    for (int id = 0; id < kRows; ++id) {
      std::vector<Value> row = {Value::Int64(id)};
      for (size_t i = 1; i < columns.size(); ++i) row.push_back(ValueOf(columns[i].type, random_));
      rows.push_back(std::move(row));
    }
    runner_.AddTable("t", columns, rows);
  }

  // A query of one call. Empty: no literal could be made.
  std::string Query(const rewrite::Overload& overload) {
    types_.clear();
    as_columns_ = random_() % 2 == 0;
    std::vector<std::string> arguments;
    for (const rewrite::ParameterPattern& parameter : overload.parameters) {
      if (parameter.optional && random_() % 3 == 0) break;
      for (size_t times = parameter.repeated ? 1 + random_() % 3 : 1; times > 0; --times) {
        const std::string name = parameter.name.empty() ? "" : StrCat(parameter.name, " => ");
        arguments.push_back(StrCat(name, Argument(parameter.type)));
      }
    }
    return InPlace(overload.function->kind, CallText(overload, arguments));
  }

  std::string CastQuery() {
    as_columns_ = random_() % 2 == 0;
    const std::string value = ValueText(AnyType());
    std::string cast = StrCat(random_() % 4 == 0 ? "SAFE_CAST(" : "CAST(", value, " AS ", AnyType().ToString());
    if (random_() % 4 == 0) StrAppend(&cast, " FORMAT ", ValueText(Type::String()));
    if (random_() % 8 == 0) StrAppend(&cast, " AT TIME ZONE ", ValueText(Type::String()));
    return InPlace(rewrite::FunctionKind::kScalar, StrCat(cast, ")"));
  }

  absl::Status Run(const std::string& sql) { return runner_.Run(sql).status(); }

 private:
  Type AnyType() { return ScalarTypes()[random_() % ScalarTypes().size()]; }

  std::string ValueText(const Type& type) {
    const auto found = columns_.find(type.ToString());
    if (as_columns_ && found != columns_.end() && random_() % 4 != 0) return found->second[random_() % 2];
    for (int tries = 0; tries < 10; ++tries) {
      absl::StatusOr<std::string> text = emit::GoogleSqlLiteral(ValueOf(type, random_));
      if (text.ok()) return *text;
    }
    return "NULL";
  }

  Type TypeOf(const rewrite::TypePattern& pattern) {
    using Kind = rewrite::TypePattern::Kind;
    const std::string key = StrCat(static_cast<int>(pattern.kind), ".", pattern.index);
    switch (pattern.kind) {
      case Kind::kExact:
        return pattern.exact;
      case Kind::kArray:
        return Type::Array(TypeOf(pattern.element[0]));
      case Kind::kNumber:
        return types_.try_emplace(key, ScalarTypes()[1 + random_() % 4]).first->second;
      default:
        return types_.try_emplace(key, AnyType()).first->second;
    }
  }

  std::string Argument(const rewrite::TypePattern& pattern) {
    if (pattern.kind == rewrite::TypePattern::Kind::kPart) {
      return OneOf<const char*>(random_,
                                {"DAY", "MONTH", "HOUR", "WEEK(MONDAY)", "ISOYEAR", "MICROSECOND", "YEAR", "QUARTER"});
    }
    if (pattern.kind == rewrite::TypePattern::Kind::kLambda) return "e -> e IS NULL";
    return ValueText(TypeOf(pattern));
  }

  std::string CallText(const rewrite::Overload& overload, const std::vector<std::string>& arguments) {
    const std::string_view spelling = emit::GoogleSqlSpellings().Of(overload);
    if (spelling.empty()) {
      const bool ordered = overload.function->name == "ARRAY_AGG" || overload.function->name == "STRING_AGG";
      const char* safe = random_() % 8 == 0 ? "SAFE." : "";
      return StrCat(safe, overload.function->name, "(", base::Join(arguments, ", "),
                    ordered && random_() % 2 == 0 ? StrCat(" ORDER BY ", ValueText(AnyType())) : "", ")");
    }
    std::string text;
    for (size_t i = 0; i < spelling.size(); ++i) {
      if (spelling[i] != '$' || i + 1 == spelling.size()) {
        text += spelling[i];
        continue;
      }
      const char c = spelling[++i];
      const size_t first = c == '*' ? 0 : static_cast<size_t>(c - '1');
      const bool rest = c == '*' || (i + 1 < spelling.size() && spelling[i + 1] == '*');
      if (c != '*' && rest) ++i;
      for (size_t k = first; k < (rest ? arguments.size() : std::min(first + 1, arguments.size())); ++k) {
        StrAppend(&text, k == first ? "" : ", ", arguments[k]);
      }
    }
    return text;
  }

  std::string InPlace(rewrite::FunctionKind kind, const std::string& call) {
    const std::string row = StrCat(" FROM t WHERE id = ", random_() % kRows);
    if (kind == rewrite::FunctionKind::kWindow) {
      return StrCat("SELECT ", call, " OVER (ORDER BY id) FROM t WHERE id < ", random_() % kRows);
    }
    if (kind == rewrite::FunctionKind::kAggregate) {
      switch (random_() % 3) {
        case 0:
          return StrCat("SELECT ", call, " OVER (ORDER BY id) FROM t WHERE id < ", random_() % kRows);
        case 1:
          return StrCat("SELECT (SELECT ", call, " FROM UNNEST([o.id, 1]) AS u) FROM t AS o WHERE id < 3");
        default:
          return StrCat("SELECT ", call, " FROM t WHERE id < ", random_() % kRows);
      }
    }
    switch (random_() % 5) {
      case 0:
        return StrCat("SELECT id", row, " AND ", call, " IS NOT NULL");
      case 1:
        return StrCat("SELECT MAX(id) OVER (ORDER BY FORMAT('%T', ", call, "))", row);
      case 2:
        return StrCat("SELECT ARRAY_AGG(id ORDER BY FORMAT('%T', ", call, "))", row);
      case 3:
        return StrCat("SELECT (SELECT MAX(FORMAT('%T', ", call,
                      ")) FROM UNNEST([o.id]) AS u) FROM t AS o WHERE id = ", random_() % kRows);
      default:
        return StrCat("SELECT ", call, row);
    }
  }

  SqlRunner runner_;
  std::mt19937 random_;
  bool as_columns_ = false;
  std::map<std::string, std::vector<std::string>> columns_;
  std::map<std::string, Type> types_;
};

// Returns whether the message has words that only the engine uses.
bool HasEngineWords(std::string_view message) {
  static const RE2& words = *new RE2(
      "\\b(BIGINT|VARCHAR|DOUBLE|U?INT(8|16|32|128)|HUGEINT|UHUGEINT|INTEGER|DECIMAL|BLOB|BOOLEAN|TIMESTAMPTZ|"
      "TIMESTAMP_NS|"
      "TRY_CAST|try_strptime|strptime|LIST|lq_[a-z_]+|__[a-z]+|list_[a-z]+|operand\\d+_)\\b|\\bSET \\w|Error: |Could "
      "not convert|Could not cast|expected format is|log database can't|casting|[Cc]ast from|range of type|\\[\\]|"
      "Like pattern|No function matches|explicit type casts");
  return RE2::PartialMatch(message, words);
}

std::vector<const rewrite::Overload*> AllOverloads() {
  std::vector<const rewrite::Overload*> overloads;
  const rewrite::Function* last = nullptr;
  for (const rewrite::FunctionRow* row : rewrite::AllFunctionRows()) {
    const rewrite::Function* function = rewrite::FindFunction(row->name);
    if (function == nullptr || function == last || function->Has(rewrite::kInternal)) continue;
    // Evaluated before the engine sees it, from a call's now, which SqlRunner does not have.
    if (function->name == "GENERATE_TIMESTAMP_TRUNC_ARRAY") continue;
    last = function;
    for (const rewrite::Overload& overload : function->overloads) {
      if (function->name[0] != '$' || !emit::GoogleSqlSpellings().Of(overload).empty()) overloads.push_back(&overload);
    }
  }
  return overloads;
}

int Setting(const char* name, int usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::atoi(text);
}

TEST_CASE("a call with random values returns a value or one of our own errors") {
  HostileCalls calls(static_cast<uint32_t>(Setting("LOGQUERY_HOSTILE_SEED", 1)));
  const std::vector<const rewrite::Overload*> overloads = AllOverloads();
  REQUIRE(overloads.size() > 300);
  int answered = 0, refused = 0;
  for (int i = Setting("LOGQUERY_HOSTILE_CALLS", 1200); i > 0; --i) {
    const size_t which = static_cast<size_t>(i) % (overloads.size() + 60);
    const std::string sql = which < overloads.size() ? calls.Query(*overloads[which]) : calls.CastQuery();
    const absl::Status status = calls.Run(sql);
    ++(status.ok() ? answered : refused);
    INFO(sql << "\n" << status);
    CHECK_FALSE(absl::IsInternal(status));
    CHECK_FALSE(absl::IsUnknown(status));
    CHECK_FALSE(HasEngineWords(base::Message(status)));
  }
  // Most calls get as far as the engine.
  CHECK(answered > 100);
  CHECK(refused > 100);
}

}  // namespace
}  // namespace logquery::testing
