// INSTR's search for the n-th match, forwards or backwards.
#include "lib/functions/characters.h"

namespace logquery::functions {

absl::StatusOr<int64_t> FindOccurrence(size_t text_size, size_t part_size, int64_t position, int64_t occurrence,
                                       absl::FunctionRef<bool(size_t)> matches) {
  if (position == 0) return absl::InvalidArgumentError("INSTR: the position must not be 0");
  if (occurrence < 1) return absl::InvalidArgumentError("INSTR: the occurrence must be positive");
  const auto size = static_cast<int64_t>(text_size);
  const auto last = size - static_cast<int64_t>(part_size);
  if (part_size == 0 || last < 0 || position > size || position < -size) return 0;
  const bool forward = position > 0;
  const int64_t begin = forward ? position - 1 : std::min(size + position, last);
  for (int64_t at = begin; at >= 0 && at <= last; at += forward ? 1 : -1) {
    if (matches(static_cast<size_t>(at)) && --occurrence == 0) return at + 1;
  }
  return 0;
}

}  // namespace logquery::functions
