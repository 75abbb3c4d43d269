// Formats each distinct type once, in order.
#include "lib/rewrite/resolve/type_list_text.h"

#include <algorithm>

#include "lib/base/strings.h"
#include "lib/rewrite/resolve/coercion.h"

namespace logquery::rewrite {

std::string TypeListText(const std::vector<const Scalar*>& scalars) {
  std::vector<std::string> types;
  for (const Scalar* scalar : scalars) {
    std::string type = IsUntypedNull(*scalar) ? "NULL" : scalar->type.ToString();
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(std::move(type));
  }
  if (types.size() < 2) return base::Join(types, "");
  const std::string last = std::move(types.back());
  types.pop_back();
  return base::StrCat(base::Join(types, ", "), " and ", last);
}

}  // namespace logquery::rewrite
