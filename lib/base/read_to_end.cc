// Reads in parts: std::istream::read does not throw.
#include "lib/base/read_to_end.h"

#include <array>

#include "absl/status/status.h"

namespace logquery::base {

absl::StatusOr<std::string> ReadToEnd(std::istream& in) {
  std::string text;
  std::array<char, 1 << 16> part;
  while (in) {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<size_t>(in.gcount()));
  }
  if (in.bad() || !in.eof()) return absl::NotFoundError("it can't be read");
  return text;
}

}  // namespace logquery::base
