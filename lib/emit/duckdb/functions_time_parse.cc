// PARSE_TIMESTAMP and its like: GoogleSQL's elements in DuckDB's strptime, formats being literals; and the plain casts that
// are also functions.
#include "lib/emit/duckdb/casts.h"
#include "lib/emit/duckdb/function_texts.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

enum class ElementOf { kDate, kTime, kOffset };

struct ParsedElement {
  std::string_view element;
  std::string_view strptime;
  ElementOf of;
};

constexpr ParsedElement kElements[] = {
    {"%A", "%A", ElementOf::kDate},       {"%a", "%a", ElementOf::kDate},       {"%B", "%B", ElementOf::kDate},
    {"%b", "%b", ElementOf::kDate},       {"%h", "%b", ElementOf::kDate},       {"%D", "%m/%d/%y", ElementOf::kDate},
    {"%x", "%m/%d/%y", ElementOf::kDate}, {"%d", "%d", ElementOf::kDate},       {"%e", "%d", ElementOf::kDate},
    {"%F", "%Y-%m-%d", ElementOf::kDate}, {"%j", "%j", ElementOf::kDate},       {"%m", "%m", ElementOf::kDate},
    {"%Y", "%Y", ElementOf::kDate},       {"%E4Y", "%Y", ElementOf::kDate},     {"%y", "%y", ElementOf::kDate},
    {"%H", "%H", ElementOf::kTime},       {"%k", "%H", ElementOf::kTime},       {"%I", "%I", ElementOf::kTime},
    {"%l", "%I", ElementOf::kTime},       {"%M", "%M", ElementOf::kTime},       {"%S", "%S", ElementOf::kTime},
    {"%p", "%p", ElementOf::kTime},       {"%P", "%p", ElementOf::kTime},       {"%R", "%H:%M", ElementOf::kTime},
    {"%T", "%H:%M:%S", ElementOf::kTime}, {"%X", "%H:%M:%S", ElementOf::kTime}, {"%r", "%I:%M:%S %p", ElementOf::kTime},
    {"%z", "%z", ElementOf::kOffset},     {"%Ez", "%z", ElementOf::kOffset},
};

bool NamesYear(std::string_view element) {
  for (std::string_view name : {"%Y", "%y", "%E4Y", "%F", "%D", "%x"}) {
    if (element == name) return true;
  }
  return false;
}

// A format in strptime's terms, and what it says of the text.
struct ParseFormat {
  std::string with_fraction;  // the same but for a fraction of the seconds
  std::string without_fraction;
  bool fraction = false;
  bool year = false;
  bool offset = false;

  void Add(std::string_view text) {
    with_fraction += text;
    without_fraction += text;
  }
};

absl::Status NoElement(const FunctionCall& call, std::string_view element) {
  return absl::UnimplementedError(StrCat(NameOf(call), ": the format element ", element));
}

absl::Status AddElement(const FunctionCall& call, std::string_view element, ParseFormat& format) {
  if (element[0] != '%' || element == "%%") {
    format.Add(element);
    return absl::OkStatus();
  }
  const TypeKind kind = call.type.kind();
  if (element.size() == 4 && element.substr(0, 2) == "%E" && element[3] == 'S' && kind != TypeKind::kDate) {
    format.with_fraction += "%S.%f";
    format.without_fraction += "%S";
    format.fraction = true;
    return absl::OkStatus();
  }
  for (const ParsedElement& parsed : kElements) {
    if (parsed.element != element) continue;
    if (parsed.of == ElementOf::kOffset && kind != TypeKind::kTimestamp) return NoElement(call, element);
    if (parsed.of == ElementOf::kDate && kind == TypeKind::kTime) return NoElement(call, element);
    if (parsed.of == ElementOf::kTime && kind == TypeKind::kDate) return NoElement(call, element);
    format.Add(parsed.strptime);
    format.year = format.year || NamesYear(element);
    format.offset = format.offset || parsed.of == ElementOf::kOffset;
    return absl::OkStatus();
  }
  return NoElement(call, element);
}

StatusOr<Sql> ParseTime(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 0) || IsNullConstant(call, 1)) {
    return Cat("CAST(NULL AS ",
               call.type.is(TypeKind::kDate)   ? "DATE"
               : call.type.is(TypeKind::kTime) ? "TIME"
                                               : "TIMESTAMP",
               ")");
  }
  const std::optional<std::string> text = ConstantString(call, 0);
  if (!text.has_value()) return absl::UnimplementedError(StrCat(NameOf(call), " with a format that is not a literal"));
  // Seconds since 1970, on their own.
  if (*text == "%s" && call.type.is(TypeKind::kTimestamp)) {
    return Cat("make_timestamp(CAST(", args[1], " AS BIGINT) * 1000000)");
  }
  ParseFormat format;
  for (size_t offset = 0; offset < text->size();) {
    const std::string_view element = NextFormatElement(*text, offset);
    if (absl::Status status = AddElement(call, element, format); !status.ok()) return status;
    offset += element.size();
  }
  // What the format does not say is as in 1970-01-01 00:00:00; strptime has 1900.
  const std::string prefix = format.year ? "" : "%Y ";
  const Sql input = format.year ? args[1] : Cat("('1970 ' || ", args[1], ")");
  const Sql without = Quote(prefix + format.without_fraction);
  const Sql formats = format.fraction ? Cat("[", Quote(prefix + format.with_fraction), ", ", without, "]") : without;
  const Sql parsed = Cat("strptime(", input, ", ", formats, ")");
  if (call.type.is(TypeKind::kDate)) return Cat("CAST(", parsed, " AS DATE)");
  if (call.type.is(TypeKind::kTime)) return Cat("CAST(", parsed, " AS TIME)");
  if (format.offset) return Cat("make_timestamp(epoch_us(", parsed, "))");
  if (call.type.is(TypeKind::kDatetime)) return parsed;
  return FromLocal(call, args, 2, parsed);
}

// The zone in argument 1 of a function that is also a cast.
StatusOr<Sql> Convert(const FunctionCall& call, const Texts& args) {
  std::vector<rewrite::ScalarPtr> zone_argument;
  if (args.size() > 1) zone_argument.push_back(rewrite::Clone(*call.arguments[1]));
  const FunctionCall zone_call(nullptr, Type::Timestamp(), std::move(zone_argument));
  CastZone zone;
  if (args.size() > 1) zone = {&zone_call, {args[1]}};
  return DuckDbConvert(call.arguments[0]->type, call.type, args[0], zone);
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"parse_time", ParseTime},
    {"string_to_timestamp", Convert},
    {"timestamp_to_string", Convert},
    {"time_to_string", Convert},
};

}  // namespace

StatusOr<Sql> StringOf(const Type& type, const Sql& value) { return DuckDbConvert(type, Type::String(), value); }

DuckDbFunctionList DuckDbTimeParseFunctions() { return kEntries; }

}  // namespace logquery::emit
