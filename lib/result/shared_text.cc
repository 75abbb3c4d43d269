// The empty text, and printing.
#include "logquery/shared_text.h"

#include <ostream>

namespace logquery {

const std::string& SharedText::Empty() {
  static const auto* const empty = new std::string;
  return *empty;
}

std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.text(); }

}  // namespace logquery
