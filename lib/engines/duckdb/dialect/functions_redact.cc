// `$redact`: applies our functions lq_redact and lq_redact_json to all text in a value, at any depth.
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/rewrite/passes/redaction.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

StatusOr<Sql> Redacted(const Type& type, const Sql& value, const Sql& kinds);

// Field by field; a NULL stays one.
StatusOr<Sql> RedactedFields(const Type& type, const Sql& value, const Sql& kinds) {
  const std::vector<std::string> names = DuckDbFieldNames(type.fields());
  absl::Status failed;
  Sql text = Once({value}, [&](const Texts& a) {
    Texts fields;
    for (size_t i = 0; i < names.size(); ++i) {
      const Sql field = StructField(a[0], names[i]);
      StatusOr<Sql> redacted = Redacted(type.fields()[i].type, field, kinds);
      failed.Update(redacted.status());
      fields.push_back(redacted.value_or(""));
    }
    StatusOr<Sql> made = DuckDbStruct(type, fields);
    failed.Update(made.status());
    return Cat("(CASE WHEN ", a[0], " IS NOT NULL THEN ", made.value_or(""), " END)");
  });
  if (!failed.ok()) return failed;
  return text;
}

StatusOr<Sql> RedactedElements(const Type& type, const Sql& value, const Sql& kinds) {
  const Sql name = FreshName({value, kinds});
  StatusOr<Sql> element = Redacted(type.element(), name, kinds);
  if (!element.ok()) return element;
  return Cat("list_transform(", value, ", lambda ", name, ": ", *element, ")");
}

StatusOr<Sql> Redacted(const Type& type, const Sql& value, const Sql& kinds) {
  if (!rewrite::HoldsText(type)) return value;
  if (type.is_record()) return RedactedFields(type.element(), value, kinds);
  if (type.is_array()) return RedactedElements(type, value, kinds);
  if (type.is_struct()) return RedactedFields(type, value, kinds);
  if (type.is(TypeKind::kJson)) {
    return Cat("CAST(lq_redact_json(CAST(", value, " AS VARCHAR), ", kinds, ") AS JSON)");
  }
  return Cat("lq_redact(", value, ", ", kinds, ")");
}

StatusOr<Sql> Redact(const FunctionCall& call, const Texts& args) {
  return Redacted(call.arguments[0]->type, args[0], args[1]);
}

constexpr DuckDbFunctionEntry kEntries[] = {{"redact", Redact}};

}  // namespace

DuckDbFunctionList DuckDbRedaction() { return kEntries; }

}  // namespace logquery::emit
