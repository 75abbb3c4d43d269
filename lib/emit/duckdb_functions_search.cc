// CONTAINS_SUBSTR: the search for a text in a value, in the fields of a STRUCT and in the elements of an ARRAY.
//
// Texts are compared in Unicode's form C and in small letters; BigQuery's form KC also makes one of ﬁ and fi, which this does
// not. TRUE where a part matches; else NULL where a part is NULL, else FALSE.
#include "lib/base/status_macros.h"
#include "lib/emit/duckdb_function_texts.h"
#include "lib/emit/duckdb_types.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

std::string Folded(const std::string& text) { return StrCat("lower(nfc_normalize(", text, "))"); }

StatusOr<std::string> Found(const Type& type, const std::string& value, const std::string& folded);

StatusOr<std::string> FoundInFields(const Type& type, const std::string& value, const std::string& folded) {
  const std::vector<std::string> names = DuckDbFieldNames(type.fields());
  absl::Status failed;
  std::string text = Once({value}, {folded}, [&](const Texts& a) {
    Texts parts;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string field = StrCat("struct_extract(", a[0], ", ", Quote(names[i]), ")");
      StatusOr<std::string> part = Found(type.fields()[i].type, field, folded);
      failed.Update(part.status());
      parts.push_back(part.value_or(""));
    }
    return parts.empty() ? std::string("FALSE") : StrCat("(", Balanced(parts, "OR"), ")");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<std::string> FoundInElements(const Type& type, const std::string& value, const std::string& folded) {
  const std::string element = FreshName({value, folded});
  LOGQUERY_ASSIGN_OR_RETURN(const std::string found, Found(type.element(), element, folded));
  const std::string each = StrCat("list_transform(", value, ", lambda ", element, ": ", found, ")");
  return Once({each}, [](const Texts& a) {
    return StrCat("(CASE WHEN list_contains(", a[0], ", TRUE) THEN TRUE WHEN ", a[0], " IS NULL OR list_position(",
                  a[0], ", NULL) IS NOT NULL THEN NULL ELSE FALSE END)");
  });
}

// A record is an array of one STRUCT, or of none.
StatusOr<std::string> FoundInRecord(const Type& type, const std::string& value, const std::string& folded) {
  absl::Status failed;
  std::string text = Once({value}, {folded}, [&](const Texts& a) {
    StatusOr<std::string> found = FoundInFields(type.element(), a[0], folded);
    failed.Update(found.status());
    return StrCat("(CASE WHEN ", a[0], " IS NULL THEN FALSE ELSE ", found.value_or(""), " END)");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<std::string> Found(const Type& type, const std::string& value, const std::string& folded) {
  if (type.is_record()) return FoundInRecord(type, value, folded);
  if (type.is_array()) return FoundInElements(type, value, folded);
  if (type.is_struct()) return FoundInFields(type, value, folded);
  if (type.is(TypeKind::kJson)) {
    return absl::UnimplementedError("CONTAINS_SUBSTR of JSON; search TO_JSON_STRING of it, or a JSON_VALUE");
  }
  if (type.is(TypeKind::kBytes)) {
    return absl::InvalidArgumentError("CONTAINS_SUBSTR can't search BYTES; make a STRING of them");
  }
  if (type.is(TypeKind::kString)) return StrCat("contains(", Folded(value), ", ", folded, ")");
  LOGQUERY_ASSIGN_OR_RETURN(const std::string text, StringOf(type, value));
  return StrCat("contains(", Folded(text), ", ", folded, ")");
}

StatusOr<std::string> ContainsSubstr(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 1)) return std::string("CAST(NULL AS BOOLEAN)");
  const std::string folded = Folded(args[1]);
  if (ConstantOf(call, 1) != nullptr) return Found(call.arguments[0]->type, args[0], folded);
  absl::Status failed;
  std::string text = Once({args[0], folded}, [&](const Texts& a) {
    StatusOr<std::string> found = Found(call.arguments[0]->type, a[0], a[1]);
    failed.Update(found.status());
    return found.value_or("");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

constexpr DuckDbFunctionEntry kEntries[] = {{"contains_substr", ContainsSubstr}};

}  // namespace

DuckDbFunctionList DuckDbSearchFunctions() { return kEntries; }

}  // namespace logquery::emit
