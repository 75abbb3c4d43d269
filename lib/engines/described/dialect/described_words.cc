// Checks quotes and types, and writes values by their templates.
#include "lib/engines/described/dialect/described_words.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_replace.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/emit/spellings.h"
#include "lib/emit/table_powers.h"
#include "lib/model/civil_text.h"

namespace logquery::emit {
namespace {

using base::StrCat;

constexpr char kNumber[] = "$number";
constexpr char kText[] = "$text";
constexpr size_t kLongestName = 128;

absl::Status BadSpellings(std::string_view what, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat(what, " of the engine's spellings ", problem));
}

std::string InQuotes(const EngineQuotes& quotes, std::string_view text) {
  std::string out(1, quotes.quote);
  for (const char c : text) {
    const auto found = std::find_if(quotes.escapes.begin(), quotes.escapes.end(),
                                    [c](const auto& escape) { return escape.first == c; });
    if (found == quotes.escapes.end()) {
      out += c;
    } else {
      out += found->second;
    }
  }
  return out + quotes.quote;
}

bool Escapes(const EngineQuotes& quotes, char c) {
  return std::any_of(quotes.escapes.begin(), quotes.escapes.end(),
                     [c](const auto& escape) { return escape.first == c; });
}

// A text could end the quotes by the quote itself, or by a character that begins an escape.
absl::Status CheckQuotes(std::string_view what, const EngineQuotes& quotes) {
  if (quotes.quote == '\0') return BadSpellings(what, "have no quote");
  if (!Escapes(quotes, quotes.quote)) {
    return BadSpellings(what, StrCat("have no escape for the quote itself, ", std::string(1, quotes.quote)));
  }
  for (const auto& [character, escaped] : quotes.escapes) {
    const std::string shown(1, character);
    const auto same = [c = character](const auto& escape) { return escape.first == c; };
    if (std::count_if(quotes.escapes.begin(), quotes.escapes.end(), same) > 1) {
      return BadSpellings(what, StrCat("have two escapes for ", shown));
    }
    if (escaped.size() < 2 || escaped.find('\0') != std::string::npos) {
      return BadSpellings(what,
                          StrCat("have an escape for ", shown, " that is no escape: it has to be longer than that"));
    }
    if (!Escapes(quotes, escaped[0])) {
      return BadSpellings(what, StrCat("have an escape for ", shown, " that begins with ", escaped.substr(0, 1),
                                       ", which has no escape itself"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckType(const EngineType& type) {
  const std::string what = StrCat("the type ", TypeKindName(type.kind));
  if (type.name.size() > kLongestName || type.name.find('\0') != std::string::npos) {
    return BadSpellings(what, StrCat("has a name of more than ", kLongestName, " bytes, or with a NUL character"));
  }
  if (type.literal.empty()) return absl::OkStatus();
  const bool is_nested = type.kind == TypeKind::kArray || type.kind == TypeKind::kStruct;
  if (is_nested || !SortsAlike(Type(type.kind))) {
    return BadSpellings(what,
                        "can't have a literal: only BOOL, INT64, STRING, DATE, DATETIME and TIMESTAMP can, as engines "
                        "compare others in their own ways");
  }
  if (type.name.empty()) return BadSpellings(what, "needs a name, as it has a literal");
  const size_t numbers = type.literal.find(kNumber) != std::string::npos ? 1 : 0;
  const size_t texts = type.literal.find(kText) != std::string::npos ? 1 : 0;
  const auto dollars = std::count(type.literal.begin(), type.literal.end(), '$');
  if (numbers + texts != 1 || dollars != 1) return BadSpellings(what, "needs a literal with one $number or one $text");
  const bool only_number = type.kind == TypeKind::kBool || type.kind == TypeKind::kInt64;
  if ((only_number && texts > 0) || (type.kind == TypeKind::kString && numbers > 0)) {
    return BadSpellings(what, StrCat("needs a literal with ", only_number ? kNumber : kText));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> CheckedParameter(const std::string& parameter) {
  int highest = 0;
  int rest_from = 0;
  std::string problem = ReadOperands(parameter, &highest, &rest_from);
  if (problem.empty() && (CountInTemplate(parameter, 0) == 0 || highest > 2 || rest_from > 0)) {
    problem = "needs $1, the variable's number, and may have $2, the name of its type";
  }
  if (!problem.empty()) return BadSpellings("the parameter", problem);
  // A prefix is all that may stand beside the number: "?$1", ":p$1".
  return highest == 1 && CountInTemplate(parameter, 0) == 1 ? parameter : AsOperand(parameter);
}

std::string NumberText(int64_t number) {
  // The least one is no operand of a minus sign.
  if (number == INT64_MIN) return "(-9223372036854775807 - 1)";
  return number < 0 ? StrCat("(", number, ")") : StrCat(number);
}

}  // namespace

absl::StatusOr<DescribedWords> DescribedWords::Create(const EngineSpellings& spellings) {
  DescribedWords made;
  if (spellings.engine.empty()) return BadSpellings("the name `engine`", "is empty");
  LOGQUERY_RETURN_IF_ERROR(CheckQuotes("the quotes `text`", spellings.text));
  LOGQUERY_RETURN_IF_ERROR(CheckQuotes("the quotes `identifier`", spellings.identifier));
  LOGQUERY_ASSIGN_OR_RETURN(made.parameter_, CheckedParameter(spellings.parameter));
  for (const EngineType& type : spellings.types) {
    LOGQUERY_RETURN_IF_ERROR(CheckType(type));
    EngineType kept = type;
    if (!kept.literal.empty()) kept.literal = AsOperand(kept.literal);
    if (!made.types_.emplace(type.kind, std::move(kept)).second) {
      return BadSpellings(StrCat("the type ", TypeKindName(type.kind)), "is there twice");
    }
  }
  LOGQUERY_ASSIGN_OR_RETURN(made.calls_, CallTemplates::Create(spellings.functions));
  if (spellings.offsets && !spellings.limits) return BadSpellings("the flag `offsets`", "needs `limits`");
  if (spellings.sorts && !spellings.limits) return BadSpellings("the flag `sorts`", "needs `limits`");
  made.spellings_ = spellings;
  return made;
}

bool DescribedWords::Returns(const Type& type) const {
  if (type.is_record() || type.is_struct()) {
    return types_.contains(TypeKind::kStruct) &&
           std::all_of(type.fields().begin(), type.fields().end(),
                       [this](const Field& field) { return Returns(field.type); });
  }
  if (type.is_array() && !Returns(type.element())) return false;
  return types_.contains(type.kind());
}

bool DescribedWords::Compares(const Type& type) const {
  const auto found = types_.find(type.kind());
  return found != types_.end() && !found->second.literal.empty();
}

std::string DescribedWords::Identifier(std::string_view name) const { return InQuotes(spellings_.identifier, name); }

std::string DescribedWords::TypeName(const Type& type) const {
  const auto found = types_.find(type.kind());
  return found == types_.end() ? std::string(TypeKindName(type.kind())) : found->second.name;
}

bool DescribedWords::IsPlainText(std::string_view value) {
  return value.find('\0') == std::string_view::npos && base::IsValidUtf8(value);
}

absl::StatusOr<std::string> DescribedWords::Literal(const Value& value) const {
  const Type& type = value.type();
  if (!Compares(type)) {
    return absl::InvalidArgumentError(StrCat(spellings_.engine, " is given no literal of ", type.ToString()));
  }
  if (value.is_null()) return StrCat("CAST(NULL AS ", TypeName(type), ")");
  std::string text;
  std::string number;
  if (type.is(TypeKind::kString)) {
    if (!IsPlainText(value.string_value())) {
      return absl::InvalidArgumentError(
          StrCat(spellings_.engine, " is given no STRING with a NUL or that is not UTF-8"));
    }
    text = value.string_value();
  } else if (type.is(TypeKind::kBool)) {
    number = value.bool_value() ? "1" : "0";
  } else {
    number = NumberText(value.int64_value());
    if (type.is(TypeKind::kDate)) model::AppendDate(value.int64_value(), text);
    if (type.is(TypeKind::kDatetime) || type.is(TypeKind::kTimestamp)) {
      model::AppendDatetime(value.int64_value(), ' ', text);
    }
  }
  return absl::StrReplaceAll(types_.at(type.kind()).literal,
                             {{kNumber, number}, {kText, InQuotes(spellings_.text, text)}});
}

std::string DescribedWords::Parameter(int slot, const Type& type) const {
  return FillTemplate(parameter_, std::vector<std::string>{StrCat(slot), TypeName(type)});
}

}  // namespace logquery::emit

namespace logquery {

absl::Status CheckEngineSpellings(const EngineSpellings& spellings) {
  return emit::DescribedWords::Create(spellings).status();
}

}  // namespace logquery
