// Checks a function of the embedding program before it is registered.
#include "logquery/scalar_function.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/program_functions.h"
#include "lib/model/reserved_words.h"
#include "lib/rewrite/functions/function_lists.h"

namespace logquery {
namespace {

using base::StrCat;

constexpr size_t kMaxNameLength = 64;
constexpr size_t kMaxArguments = 64;

// Names that the parser and the resolver take for something else before they look for a function.
constexpr std::string_view kSyntax[] = {"CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_DATETIME",
                                        "CURRENT_TIME",      "GROUPING",     "SAFE",
                                        "SAFE_CAST",         "DATE",         "TIME",
                                        "DATETIME",          "TIMESTAMP",    "SAFE_OFFSET",
                                        "SAFE_ORDINAL",      "OFFSET",       "ORDINAL"};

absl::Status CheckName(const std::string& name) {
  const auto is_allowed = [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (name.empty() || name.size() > kMaxNameLength || absl::ascii_isdigit(static_cast<unsigned char>(name[0])) ||
      !std::all_of(name.begin(), name.end(), is_allowed)) {
    return absl::InvalidArgumentError(StrCat("a function can't have the name \"", name, "\": a name has 1 to ",
                                             kMaxNameLength,
                                             " letters, digits and underscores, and does not begin with a digit"));
  }
  const auto rows = rewrite::BuiltInFunctionRows();
  const bool is_function =
      std::any_of(rows.begin(), rows.end(), [&](const rewrite::FunctionRow* row) { return row->name == name; });
  const bool is_syntax = std::find(std::begin(kSyntax), std::end(kSyntax), name) != std::end(kSyntax);
  if (is_function || is_syntax || model::IsReservedWord(name)) {
    return absl::AlreadyExistsError(StrCat("GoogleSQL has a function or word ", name, "; choose another name"));
  }
  return absl::OkStatus();
}

bool IsSupported(const Type& type, bool is_result) {
  switch (type.kind()) {
    case TypeKind::kJson:
    case TypeKind::kStruct:
      return false;
    case TypeKind::kArray: {
      if (type.is_record()) return false;
      const TypeKind element = type.element().kind();
      return element == TypeKind::kString || element == TypeKind::kBytes || (is_result && element == TypeKind::kInt64);
    }
    default:
      return true;
  }
}

absl::Status CheckType(const std::string& name, std::string_view place, const Type& type, bool is_result) {
  if (IsSupported(type, is_result)) return absl::OkStatus();
  return absl::InvalidArgumentError(StrCat(name, ": ", place, " can't be ", type.ToString(),
                                           "; use a type without parts except JSON, ARRAY<STRING> or ARRAY<BYTES>",
                                           is_result ? ", or ARRAY<INT64>" : ""));
}

}  // namespace

absl::Status RegisterScalarFunction(ScalarFunction function) {
  absl::AsciiStrToUpper(&function.name);
  const std::string& name = function.name;
  LOGQUERY_RETURN_IF_ERROR(CheckName(name));
  if (function.evaluate == nullptr) return absl::InvalidArgumentError(StrCat(name, ": `evaluate` is empty"));
  if (function.arguments.size() > kMaxArguments) {
    return absl::InvalidArgumentError(
        StrCat(name, ": it has ", function.arguments.size(), " arguments; the most is ", kMaxArguments));
  }
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    LOGQUERY_RETURN_IF_ERROR(CheckType(name, StrCat("argument ", i + 1), function.arguments[i], false));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckType(name, "the result", function.result, true));
  return functions::AddProgramFunction(std::move(function));
}

}  // namespace logquery
