// Logic, comparisons and texts; the list of all calls.
#include "lib/engines/clickhouse/dialect/calls.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/emit/table_powers.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::FunctionCall;
using Args = std::vector<std::string>;
using WhyNotText = std::optional<std::string>;

bool IsListOfConstants(const FunctionCall& call) {
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    if (rewrite::ConstantArgument(call, i) == nullptr) return false;
  }
  return true;
}

WhyNotText NoIn(const FunctionCall& call) {
  if (IsListOfConstants(call) || IsPlain(*call.arguments[0])) return std::nullopt;
  return NotPlain(call);
}

// IN with a NULL in its list, or a column, has another meaning there.
std::string In(const FunctionCall& call, const Args& args) {
  const Args list(args.begin() + 1, args.end());
  if (IsListOfConstants(call)) return StrCat("(", args[0], " IN (", base::Join(list, ", "), "))");
  Args equalities;
  for (const std::string& text : list) equalities.push_back(StrCat("(", args[0], " = ", text, ")"));
  return BalancedText(equalities, " OR ");
}

// ClickHouse represents a constant DATE as a number of days, which has no common type with a column of dates.
WhyNotText NoExtreme(const FunctionCall& call) {
  if (call.type.is(TypeKind::kDate) || call.type.is(TypeKind::kBool)) return DoesNotCompare(call.type);
  return NotPlain(call);
}

// GREATEST and LEAST skip NULLs there.
std::string Extreme(const FunctionCall& call, const Args& args) {
  Args nulls;
  for (const std::string& arg : args) nulls.push_back(StrCat("isNull(", arg, ")"));
  const std::string_view name = call.overload->row->name == std::string_view("LEAST") ? "least(" : "greatest(";
  return StrCat("if(", BalancedText(nulls, " OR "), ", NULL, ", name, base::Join(args, ", "), "))");
}

// A count from the end has another meaning there.
WhyNotText NoSubstring(const FunctionCall& call) {
  const bool fits = CountArgument(call, 1, 0) && (call.arguments.size() == 2 || CountArgument(call, 2, 0));
  return fits ? std::nullopt : WhyNotText("it is given places from 0 and lengths that are constants alone");
}

std::string Substring(const FunctionCall& call, const Args& args) {
  const std::string rest = call.arguments.size() == 2 ? "" : StrCat(", ", *CountArgument(call, 2, 0));
  return StrCat("substringUTF8(", args[0], ", ", std::max<int64_t>(*CountArgument(call, 1, 0), 1), rest, ")");
}

std::string Left(const FunctionCall& call, const Args& args) {
  return StrCat("leftUTF8(", args[0], ", ", *CountArgument(call, 1, 0), ")");
}

std::string Right(const FunctionCall& call, const Args& args) {
  return StrCat("rightUTF8(", args[0], ", ", *CountArgument(call, 1, 0), ")");
}

// Spaces of all kinds are trimmed here where no set is given.
WhyNotText NoSet(const FunctionCall& call) {
  const Value* const set = rewrite::ConstantArgument(call, 1);
  if (set != nullptr && !set->string_value().empty() && base::IsAscii(set->string_value()) &&
      set->string_value().find('\0') == std::string::npos) {
    return std::nullopt;
  }
  return "it is given sets of ASCII characters that are constants alone";
}

std::string Trim(const FunctionCall& call, const Args& args) {
  const std::string_view name = call.overload->row->name;
  return StrCat(name == "TRIM"    ? "trimBoth("
                : name == "LTRIM" ? "trimLeft("
                                  : "trimRight(",
                args[0], ", ", args[1], ")");
}

// The functions that read a text as an integer of a type, by the type's range.
struct IntReader {
  int64_t low;
  int64_t high;
  const char* function;
};
constexpr IntReader kIntReaders[] = {
    {INT8_MIN, INT8_MAX, "toInt8OrNull"},    {INT16_MIN, INT16_MAX, "toInt16OrNull"},
    {INT32_MIN, INT32_MAX, "toInt32OrNull"}, {INT64_MIN, INT64_MAX, "toInt64OrNull"},
    {0, UINT8_MAX, "toUInt8OrNull"},         {0, UINT16_MAX, "toUInt16OrNull"},
    {0, UINT32_MAX, "toUInt32OrNull"},
};

const IntReader* IntReaderOf(const FunctionCall& call) {
  const Value* const low = rewrite::ConstantArgument(call, 1);
  const Value* const high = rewrite::ConstantArgument(call, 2);
  if (low == nullptr || high == nullptr) return nullptr;
  const auto* const found = std::find_if(std::begin(kIntReaders), std::end(kIntReaders), [&](const IntReader& reader) {
    return reader.low == low->int64_value() && reader.high == high->int64_value();
  });
  return found == std::end(kIntReaders) ? nullptr : found;
}

WhyNotText NoIntReader(const FunctionCall& call) {
  return IntReaderOf(call) != nullptr ? std::nullopt : WhyNotText("it reads integers of up to 64 bits alone");
}

std::string ReadInt(const FunctionCall& call, const Args& args) {
  return StrCat("toInt64(", IntReaderOf(call)->function, "(", args[0], "))");
}

constexpr SpecialCall kCalls[] = {
    {"@int_or_null", NoIntReader, ReadInt},
    {"@and", nullptr, AndText},
    {"@or", nullptr, OrText},
    {"@in", NoIn, In},
    {"@greatest", NoExtreme, Extreme},
    {"@substr", NoSubstring, Substring},
    {"@left", NoConstantCount, Left},
    {"@right", NoConstantCount, Right},
    {"@trim", NoSet, Trim},
};

}  // namespace

const SpecialCall* FindClickHouseCall(std::string_view spelling) {
  return FindSpecialCall(spelling, {kCalls, ClickHouseTimeCalls(), ClickHousePatternCalls()});
}

}  // namespace logquery::emit
