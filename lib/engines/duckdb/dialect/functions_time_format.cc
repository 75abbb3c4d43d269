// FORMAT_TIMESTAMP and similar functions: translates GoogleSQL's elements to DuckDB's strftime. Formats must be
// literals.
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/functions/percent_format.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

constexpr bool kDatePart = true;
constexpr bool kTimePart = false;

// An element that strftime spells alike or as others of its own.
struct SameElement {
  std::string_view element;
  std::string_view strftime;
  bool of_date;
};

constexpr SameElement kSame[] = {
    {"%A", "%A", kDatePart},       {"%a", "%a", kDatePart},          {"%B", "%B", kDatePart},
    {"%b", "%b", kDatePart},       {"%h", "%b", kDatePart},          {"%D", "%m/%d/%y", kDatePart},
    {"%x", "%m/%d/%y", kDatePart}, {"%d", "%d", kDatePart},          {"%F", "%Y-%m-%d", kDatePart},
    {"%G", "%G", kDatePart},       {"%j", "%j", kDatePart},          {"%m", "%m", kDatePart},
    {"%U", "%U", kDatePart},       {"%u", "%u", kDatePart},          {"%V", "%V", kDatePart},
    {"%W", "%W", kDatePart},       {"%w", "%w", kDatePart},          {"%Y", "%Y", kDatePart},
    {"%y", "%y", kDatePart},       {"%E4Y", "%Y", kDatePart},        {"%H", "%H", kTimePart},
    {"%I", "%I", kTimePart},       {"%M", "%M", kTimePart},          {"%p", "%p", kTimePart},
    {"%R", "%H:%M", kTimePart},    {"%S", "%S", kTimePart},          {"%T", "%H:%M:%S", kTimePart},
    {"%X", "%H:%M:%S", kTimePart}, {"%r", "%I:%M:%S %p", kTimePart}, {"%E6S", "%S.%f", kTimePart},
    {"%E3S", "%S.%g", kTimePart},  {"%E0S", "%S", kTimePart},
};

// An element that becomes an expression over $1, the clock's reading, or $2, the moment.
struct ComputedElement {
  std::string_view element;
  std::string_view text;
  bool of_date;
};

constexpr ComputedElement kComputed[] = {
    {"%e", "lpad(CAST(date_part('day', $1) AS VARCHAR), 2, ' ')", kDatePart},
    {"%k", "lpad(CAST(date_part('hour', $1) AS VARCHAR), 2, ' ')", kTimePart},
    {"%l", "lpad(CAST((date_part('hour', $1) + 11) % 12 + 1 AS VARCHAR), 2, ' ')", kTimePart},
    {"%P", "lower(strftime($1, '%p'))", kTimePart},
    {"%Q", "CAST(date_part('quarter', $1) AS VARCHAR)", kDatePart},
    {"%C", "lpad(CAST(date_part('year', $1) // 100 AS VARCHAR), 2, '0')", kDatePart},
    {"%g", "right(strftime($1, '%G'), 2)", kDatePart},
    {"%J", "lpad(CAST(CAST($1 AS DATE) - CAST(date_trunc('isoyear', $1) AS DATE) + 1 AS VARCHAR), 3, '0')", kDatePart},
    {"%c",
     "strftime($1, '%a %b ') || lpad(CAST(date_part('day', $1) AS VARCHAR), 2, ' ') || strftime($1, ' %H:%M:%S %Y')",
     kDatePart},
    {"%E*S", "(strftime($1, '%S') || rtrim(rtrim(strftime($1, '.%f'), '0'), '.'))", kTimePart},
    {"%E1S", "left(strftime($1, '%S.%f'), 4)", kTimePart},
    {"%E2S", "left(strftime($1, '%S.%f'), 5)", kTimePart},
    {"%E4S", "left(strftime($1, '%S.%f'), 7)", kTimePart},
    {"%E5S", "left(strftime($1, '%S.%f'), 8)", kTimePart},
};

// Elements of a TIMESTAMP alone. The offset of its zone is what its clock is ahead. %Z is UTC, UTC-8 or UTC+0530, as BigQuery
// names zones.
constexpr ComputedElement kOfTimestamp[] = {
    {"%s", "CAST(epoch_us(date_trunc('second', $2)) // 1000000 AS VARCHAR)", kTimePart},
    {"%z",
     "(CASE WHEN $1 < $2 THEN '-' ELSE '+' END || strftime(make_timestamp(abs(epoch_us($1) - epoch_us($2))), "
     "'%H%M'))",
     kTimePart},
    {"%Ez",
     "(CASE WHEN $1 < $2 THEN '-' ELSE '+' END || strftime(make_timestamp(abs(epoch_us($1) - epoch_us($2))), "
     "'%H:%M'))",
     kTimePart},
    {"%Z",
     "('UTC' || CASE WHEN abs(epoch_us($1) - epoch_us($2)) < 60000000 THEN '' ELSE CASE WHEN $1 < $2 THEN '-' ELSE '+' "
     "END || CASE WHEN abs(epoch_us($1) - epoch_us($2)) // 60000000 % 60 = 0 THEN CAST(abs(epoch_us($1) - "
     "epoch_us($2)) "
     "// 3600000000 AS VARCHAR) ELSE strftime(make_timestamp(abs(epoch_us($1) - epoch_us($2))), '%H%M') END END)",
     kTimePart},
};

}  // namespace

std::string_view NextFormatElement(std::string_view format, size_t offset) {
  if (format[offset] != '%') return format.substr(offset, 1);
  const size_t bytes = functions::BytesOfPercentElement(format.substr(offset));
  return bytes == 0 ? format.substr(offset) : format.substr(offset, bytes);
}

namespace {

// The parts of a formatted text, in order: runs for one strftime, and expressions.
class FormatBuilder {
 public:
  FormatBuilder(const FunctionCall& call, bool has_date, bool has_time, bool is_timestamp)
      : call_(call), has_date_(has_date), has_time_(has_time), is_timestamp_(is_timestamp) {}

  absl::Status Add(std::string_view element) {
    if (element[0] != '%' || element.size() == 1) return Literal(element == "%" ? "%%" : element);
    if (element == "%%") return Literal("%%");
    if (element == "%n") return Literal("\n");
    if (element == "%t") return Literal("\t");
    for (const SameElement& same : kSame) {
      if (same.element == element && Applies(same.of_date)) return Literal(same.strftime);
    }
    for (const ComputedElement& computed : kComputed) {
      if (computed.element == element && Applies(computed.of_date)) return Expression(computed.text);
    }
    if (is_timestamp_) {
      if (element == "%Z" && call_.arguments.size() < 3) return Literal("UTC");
      for (const ComputedElement& computed : kOfTimestamp) {
        if (computed.element == element) return Expression(computed.text);
      }
    }
    return absl::UnimplementedError(StrCat(NameOf(call_), ": the format element ", element));
  }

  // `local` and `moment` are simple texts.
  Sql Build(const Sql& local, const Sql& moment) {
    Flush();
    if (parts_.empty()) return Cat("(CASE WHEN ", local, " IS NOT NULL THEN '' END)");
    Texts texts;
    for (const std::string& part : parts_) texts.push_back(FillTemplate(part, {local, moment}));
    return Concatenation(Balanced(texts, "||"));
  }

 private:
  bool Applies(bool of_date) const { return of_date ? has_date_ : has_time_; }

  absl::Status Literal(std::string_view text) {
    run_ += text;
    return absl::OkStatus();
  }

  absl::Status Expression(std::string_view text) {
    Flush();
    parts_.emplace_back(text);
    return absl::OkStatus();
  }

  void Flush() {
    if (run_.empty()) return;
    std::string escaped;
    const Sql quoted = Quote(run_);
    for (char c : quoted.text()) escaped += c == '$' ? std::string("$$") : std::string(1, c);
    parts_.push_back(StrCat("strftime($1, ", escaped, ")"));
    run_.clear();
  }

  const FunctionCall& call_;
  bool has_date_, has_time_, is_timestamp_;
  std::string run_;
  std::vector<std::string> parts_;  // templates over $1 and $2
};

StatusOr<Sql> Format(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 0)) return Sql("CAST(NULL AS VARCHAR)");
  const std::optional<std::string> format = ConstantString(call, 0);
  if (!format.has_value()) {
    return absl::UnimplementedError(StrCat(NameOf(call), " with a format that is not a literal"));
  }
  const Type& type = call.arguments[1]->type;
  FormatBuilder builder(call, !type.is(TypeKind::kTime), !type.is(TypeKind::kDate), type.is(TypeKind::kTimestamp));
  for (size_t offset = 0; offset < format->size();) {
    const std::string_view element = NextFormatElement(*format, offset);
    if (absl::Status status = builder.Add(element); !status.ok()) return status;
    offset += element.size();
  }
  Sql moment = args[1];
  if (type.is(TypeKind::kTime)) moment = Cat("make_timestamp(epoch_us(", moment, "))");
  return Once({moment}, [&](const Texts& a) {
    return Once({ToLocalInRange(call, args, 2, a[0]), a[0]}, [&](const Texts& b) { return builder.Build(b[0], b[1]); });
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"format_time", Format},
};

}  // namespace

DuckDbFunctionList DuckDbTimeFormatFunctions() { return kEntries; }

}  // namespace logquery::emit
