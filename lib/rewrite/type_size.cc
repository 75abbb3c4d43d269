// Counts a type's fields, and stops at the limit.
#include "lib/rewrite/type_size.h"

#include "lib/base/strings.h"

namespace logquery::rewrite {
namespace {

// Subtracts the number of the type's fields from `left`. Stops when `left` is used up, because a type may have too many
// fields to count.
void TakeFields(const Type& type, int& left) {
  if (type.is_array()) return TakeFields(type.element(), left);
  if (!type.is_struct()) return;
  for (const Field& field : type.fields()) {
    if (--left < 0) return;
    TakeFields(field.type, left);
  }
}

}  // namespace

absl::Status CheckTypeSize(const Type& type) {
  int left = kMaxTypeFields;
  TakeFields(type, left);
  if (left >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat("a STRUCT of more than ", kMaxTypeFields, " fields in one another"));
}

}  // namespace logquery::rewrite
