// INSTR and STRPOS, by characters and by bytes, and whether a text is in another. An empty text occurs before each
// character, and at the end.
#include "lib/base/status_macros.h"
#include "lib/functions/characters.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/text_search.h"

namespace logquery::functions {
namespace {

// The positions of a text that are its bytes, as Characters are those of its characters.
class Bytes {
 public:
  explicit Bytes(std::string_view text) : text_(text) {}
  std::string_view text() const { return text_; }
  size_t size() const { return text_.size(); }
  size_t OffsetOf(size_t i) const { return i; }
  size_t IndexOf(size_t offset) const { return offset; }

 private:
  std::string_view text_;
};

struct Wanted {
  int64_t position;  // where the search begins, from 1; negative: from the end, backwards
  int64_t occurrence;
};

absl::Status Check(const Wanted& wanted) {
  if (wanted.position == 0) return absl::InvalidArgumentError("INSTR: the position must not be 0");
  if (wanted.occurrence < 1) return absl::InvalidArgumentError("INSTR: the occurrence must be positive");
  return absl::OkStatus();
}

// The index, from 0, of the place that the search begins at; nullopt: it is outside of the text.
std::optional<int64_t> BeginOf(int64_t size, int64_t position, bool empty_part) {
  if (position > 0) return position - 1 <= size ? std::optional(position - 1) : std::nullopt;
  if (position < -size - 1) return std::nullopt;
  const int64_t begin = size + position + (empty_part ? 1 : 0);
  return begin >= 0 ? std::optional(begin) : std::nullopt;
}

// The offset of the n-th occurrence that begins at `begin` or later.
std::optional<size_t> Forwards(std::string_view text, std::string_view part, size_t begin, int64_t n) {
  Occurrences occurrences(text.substr(begin), part);
  std::optional<size_t> found;
  for (int64_t i = 0; i < n; ++i) {
    found = occurrences.Next();
    if (!found.has_value()) return std::nullopt;
  }
  return begin + *found;
}

// The offset of the n-th occurrence, from the last one, that begins at `begin` or earlier.
std::optional<size_t> Backwards(std::string_view text, std::string_view part, size_t begin, int64_t n) {
  Occurrences occurrences(text.substr(0, begin + part.size()), part);
  std::vector<size_t> offsets;
  while (const std::optional<size_t> offset = occurrences.Next()) offsets.push_back(*offset);
  if (static_cast<uint64_t>(n) > offsets.size()) return std::nullopt;
  return offsets[offsets.size() - static_cast<size_t>(n)];
}

// The position of the occurrence, from 1; 0: there is none.
template <typename Positions>
int64_t PlaceOf(const Positions& text, std::string_view part, const Wanted& wanted) {
  const auto size = static_cast<int64_t>(text.size());
  const bool forward = wanted.position > 0;
  const std::optional<int64_t> begin = BeginOf(size, wanted.position, part.empty());
  if (!begin.has_value()) return 0;
  if (part.empty()) {
    const int64_t room = forward ? size - *begin : *begin;
    if (wanted.occurrence - 1 > room) return 0;
    return *begin + 1 + (forward ? wanted.occurrence - 1 : 1 - wanted.occurrence);
  }
  const size_t offset = text.OffsetOf(static_cast<size_t>(*begin));
  const std::optional<size_t> found = forward ? Forwards(text.text(), part, offset, wanted.occurrence)
                                              : Backwards(text.text(), part, offset, wanted.occurrence);
  return found.has_value() ? static_cast<int64_t>(text.IndexOf(*found)) + 1 : 0;
}

template <typename Positions>
absl::Status InStr(const Row& in, Output& out) {
  const Wanted wanted{in.Int(2), in.Int(3)};
  LOGQUERY_RETURN_IF_ERROR(Check(wanted));
  return out.Int(PlaceOf(Positions(in.Text(0)), in.Text(1), wanted));
}

absl::Status StrPos(const Row& in, Output& out) {
  const std::string_view text = in.Text(0);
  const size_t at = FindText(text, in.Text(1));
  return out.Int(at == std::string_view::npos ? 0 : base::CountCodePoints(text.substr(0, at)) + 1);
}

absl::Status Contains(const Row& in, Output& out) {
  return out.Bool(FindText(in.Text(0), in.Text(1)) != std::string_view::npos);
}

absl::Status BytesStrPos(const Row& in, Output& out) {
  const size_t at = FindText(in.Text(0), in.Text(1));
  return out.Int(at == std::string_view::npos ? 0 : static_cast<int64_t>(at) + 1);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_instr", "(STRING, STRING, INT64, INT64) -> INT64", InStr<Characters>},
    {"lq_bytes_instr", "(BYTES, BYTES, INT64, INT64) -> INT64", InStr<Bytes>},
    {"lq_strpos", "(STRING, STRING) -> INT64", StrPos, "STRPOS"},
    {"lq_contains", "(STRING, STRING) -> BOOL", Contains},
    {"lq_bytes_strpos", "(BYTES, BYTES) -> INT64", BytesStrPos, "STRPOS"},
};

}  // namespace

FunctionEntries InStrFunctions() { return kEntries; }

}  // namespace logquery::functions
