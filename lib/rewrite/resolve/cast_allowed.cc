// The casts of GoogleSQL, by pairs of types. Casts of arrays and structs follow from those of their parts.
#include "lib/rewrite/resolve/cast_allowed.h"

namespace logquery::rewrite {
namespace {

bool ScalarCastAllowed(TypeKind from, TypeKind to) {
  using K = TypeKind;
  auto number = [](K k) { return k == K::kInt64 || k == K::kFloat64 || k == K::kNumeric || k == K::kBigNumeric; };
  auto date_and_time = [](K k) { return k == K::kDate || k == K::kDatetime || k == K::kTimestamp; };
  if (from == to) return true;
  if (from == K::kJson || to == K::kJson) return false;
  if (from == K::kString || (to == K::kString)) return true;
  if (number(from) && number(to)) return true;
  if ((from == K::kBool && to == K::kInt64) || (from == K::kInt64 && to == K::kBool)) return true;
  if (date_and_time(from) && date_and_time(to)) return true;
  return to == K::kTime && (from == K::kDatetime || from == K::kTimestamp);
}

}  // namespace

bool CastAllowed(const Type& from, const Type& to) {
  if (from == to) return true;
  if (from.is_array() || to.is_array()) {
    return from.is_array() && to.is_array() && CastAllowed(from.element(), to.element());
  }
  if (from.is_struct() || to.is_struct()) {
    if (!from.is_struct() || !to.is_struct() || from.fields().size() != to.fields().size()) return false;
    for (size_t i = 0; i < from.fields().size(); ++i) {
      if (!CastAllowed(from.fields()[i].type, to.fields()[i].type)) return false;
    }
    return true;
  }
  return ScalarCastAllowed(from.kind(), to.kind());
}

}  // namespace logquery::rewrite
