// Wraps values with text in `$redact`, and moves field accesses inside it.
#include "lib/rewrite/passes/redaction.h"

#include <algorithm>

#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

ScalarPtr* ReadFrom(Scalar& scalar) {
  if (FieldRef* field = If<FieldRef>(&scalar)) return &field->base;
  if (IsCallOf(scalar, "$element") || IsCallOf(scalar, "$present")) return &As<FunctionCall>(scalar).arguments[0];
  return nullptr;
}

}  // namespace

bool HoldsText(const Type& type) {
  if (type.is_array()) return HoldsText(type.element());
  if (!type.is_struct()) return type.is(TypeKind::kString) || type.is(TypeKind::kJson);
  return std::any_of(type.fields().begin(), type.fields().end(), [](const Field& f) { return HoldsText(f.type); });
}

bool HasFields(const Type& type) { return type.is_struct() || type.is_record(); }

bool IsRedaction(const Scalar& scalar) { return IsCallOf(scalar, "$redact"); }

ScalarPtr MakeRedacted(ScalarPtr value, const Scalar& kinds) {
  if (!HoldsText(value->type)) return value;
  const Type type = value->type;
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(value));
  arguments.push_back(std::make_unique<Constant>(As<Constant>(kinds).value));
  return MakeTypedCall("$redact", type, std::move(arguments));
}

void MoveRedactionOut(ScalarPtr& scalar) {
  ScalarPtr* base = ReadFrom(*scalar);
  if (base == nullptr || !IsRedaction(**base)) return;
  FunctionCall& redaction = As<FunctionCall>(**base);
  const ScalarPtr kinds = std::move(redaction.arguments[1]);
  ScalarPtr plain = std::move(redaction.arguments[0]);
  *base = std::move(plain);
  scalar = MakeRedacted(std::move(scalar), *kinds);
}

}  // namespace logquery::rewrite
