// A table of the forms of the engine's messages. Values are kept, types get their GoogleSQL names, and the engine's
// advice (settings, its own casts) is dropped.
#include "lib/engines/duckdb/backend/error_words.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "re2/re2.h"

namespace logquery::duckdb {
namespace {

using base::StrCat;

struct TypeName {
  std::string_view engine;
  std::string_view googlesql;
};

constexpr TypeName kTypeNames[] = {
    {"BIGINT", "INT64"},
    {"INTEGER", "INT64"},
    {"SMALLINT", "INT64"},
    {"TINYINT", "INT64"},
    {"UBIGINT", "INT64"},
    {"UINTEGER", "INT64"},
    {"HUGEINT", "INT64"},
    {"UHUGEINT", "INT64"},
    {"INT8", "INT64"},
    {"INT16", "INT64"},
    {"INT32", "INT64"},
    {"UINT8", "INT64"},
    {"UINT16", "INT64"},
    {"UINT32", "INT64"},
    {"UINT64", "INT64"},
    {"INT128", "NUMERIC"},
    {"UINT128", "NUMERIC"},
    {"DECIMAL", "NUMERIC"},
    {"DOUBLE", "FLOAT64"},
    {"FLOAT", "FLOAT64"},
    {"VARCHAR", "STRING"},
    {"BLOB", "BYTES"},
    {"BIT", "BYTES"},
    {"BOOLEAN", "BOOL"},
    {"TIMESTAMPTZ", "TIMESTAMP"},
    {"TIMESTAMP_NS", "TIMESTAMP"},
    {"LIST", "ARRAY"},
};

// "DECIMAL(38,9)" is NUMERIC.
std::string TypeText(std::string_view engine) {
  const std::string_view word = engine.substr(0, engine.find('('));
  for (const TypeName& name : kTypeNames) {
    if (name.engine == word) return std::string(name.googlesql);
  }
  return std::string(word);
}

using Parts = std::vector<std::string>;

// The groups of the pattern are `parts`.
struct Form {
  const char* pattern;
  std::string (*text)(const Parts& parts);
};

std::string BadValue(const Parts& p) { return StrCat("Bad ", TypeText(p[1]), " value: \"", p[0], "\""); }

std::string OutOfRange(std::string_view type, std::string_view value) {
  return StrCat("the value ", value, " is out of range of ", TypeText(type));
}

constexpr Form kForms[] = {
    {R"re(cannot take logarithm of (zero|a negative number))re",
     [](const Parts& p) {
       return StrCat("the logarithm of ", p[0] == "zero" ? "0" : p[0],
                     " is undefined; LN, LOG and LOG10 take numbers above 0");
     }},
    {R"re(cannot take square root of a negative number)re",
     [](const Parts&) {
       return std::string("the square root of a negative number is undefined; SQRT takes 0 and above");
     }},
    {R"re((\w+) is undefined outside (\[.*\]))re",
     [](const Parts& p) { return StrCat(p[0], " is undefined outside of ", p[1]); }},
    {R"re((\w+)(?: for [XY])? is out of range!?)re",
     [](const Parts&) { return std::string("FLOAT64 overflow: a statistic is out of range"); }},
    {R"re((?s)Date out of range: (.*))re",
     [](const Parts& p) { return StrCat("Invalid date: ", p[0], "; there is no such day"); }},
    {R"re((?s)More than one row returned by a subquery.*)re",
     [](const Parts&) { return std::string("a scalar subquery gave more than one row: it may give at most one"); }},
    {R"re((?s)Could not convert string ['"](.*)['"] to '?([A-Z][A-Z0-9_]*).*)re", BadValue},
    {R"re((?s)Failed to cast decimal value (.*) to type (\S+).*)re",
     [](const Parts& p) { return OutOfRange(p[1], p[0]); }},
    {R"re((?s)Could not cast value (.*) to (\S+).*)re", [](const Parts& p) { return OutOfRange(p[1], p[0]); }},
    {R"re((?s)Type \S+ with value (.*) can't be cast .*type (\S+))re",
     [](const Parts& p) { return OutOfRange(p[1], p[0]); }},
    {R"re((?s)Casting value "(.*)" to type (\S+) failed.*)re", [](const Parts& p) { return OutOfRange(p[1], p[0]); }},
    {R"re((?s)Overflow in (?:addition|subtract\w*|multiplication|division) of DECIMAL.*)re",
     [](const Parts&) { return std::string("NUMERIC overflow: the result has more than 29 digits before the point"); }},
    {R"re((?s)Overflow in \w+ of INT128.*|Overflow in HUGEINT .*)re",
     [](const Parts&) { return std::string("NUMERIC overflow: the result has more than 29 digits before the point"); }},
    {R"re((?s)Overflow in (\w+) of (\S+) \((.*)\).*)re",
     [](const Parts& p) { return StrCat(TypeText(p[1]), " overflow: ", p[2], " is out of range"); }},
    {R"re((?s)Could not parse string "(?:1970 )?(.*)" according to format specifier "(?:%Y )?(.*?)"\n.*)re",
     [](const Parts& p) {
       return StrCat("\"", p[0], "\" does not match the format \"", p[1], "\", or one of its parts is out of range");
     }},
    {R"re((?s)(?:invalid )?(date|time|timestamp) field (?:format|value out of range): "(.*?)"(?:, expected format is .*)?)re",
     [](const Parts& p) { return StrCat("Invalid ", p[0], ": \"", p[1], "\"; there is no such day or time of day"); }},
};

// The names of types where they stand as words of their own outside of quotes.
std::string WithTypeNames(std::string_view message) {
  std::string text;
  for (size_t at = 0; at < message.size();) {
    const char c = message[at];
    size_t end = at + 1;
    const auto is_word = [](char d) { return absl::ascii_isalnum(static_cast<unsigned char>(d)) || d == '_'; };
    if (c == '"' || c == '\'') {
      const size_t close = message.find(c, at + 1);
      // An apostrophe within a word closes nothing.
      if (close != std::string_view::npos && (at == 0 || !is_word(message[at - 1]))) end = close + 1;
      text += message.substr(at, end - at);
    } else if (is_word(c)) {
      while (end < message.size() && is_word(message[end])) ++end;
      text += TypeText(message.substr(at, end - at));
      // A NUMERIC has no parameters here.
      if (message.substr(at, end - at) == "DECIMAL" && end < message.size() && message[end] == '(') {
        const size_t close = message.find(')', end);
        if (close != std::string_view::npos) end = close + 1;
      }
    } else {
      text += c;
    }
    at = end;
  }
  return text;
}

struct CompiledForm {
  explicit CompiledForm(const Form& form) : pattern(form.pattern), text(form.text) {}
  RE2 pattern;
  std::string (*text)(const Parts& parts);
};

const std::vector<const CompiledForm*>& CompiledForms() {
  static const auto& compiled = *[] {
    auto* forms = new std::vector<const CompiledForm*>;
    for (const Form& form : kForms) forms->push_back(new CompiledForm(form));
    return forms;
  }();
  return compiled;
}

bool Matches(const RE2& pattern, std::string_view message, Parts& parts) {
  parts.assign(static_cast<size_t>(pattern.NumberOfCapturingGroups()), std::string());
  std::vector<RE2::Arg> args;
  for (std::string& part : parts) args.emplace_back(&part);
  std::vector<const RE2::Arg*> pointers;
  for (const RE2::Arg& arg : args) pointers.push_back(&arg);
  return RE2::FullMatchN(re2::StringPiece(message.data(), message.size()), pattern, pointers.data(),
                         static_cast<int>(pointers.size()));
}

}  // namespace

std::string InGoogleSqlWords(std::string_view message) {
  Parts parts;
  for (const CompiledForm* form : CompiledForms()) {
    if (Matches(form->pattern, message, parts)) return form->text(parts);
  }
  return WithTypeNames(message);
}

}  // namespace logquery::duckdb
