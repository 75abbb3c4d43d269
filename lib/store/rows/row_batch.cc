// Splits text into lines, and guesses each line's time by searching for the time column's key.
#include "lib/store/rows/row_batch.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/rows/scalar_cast.h"

namespace logquery::store {
namespace {

constexpr size_t kBlockBytes = 1 << 20;
// The bytes of text in a batch, for rows so long that the usual number does not fit.
constexpr size_t kBatchBytes = 64 << 20;
constexpr size_t kCapacity = kBatchBytes + kMaxLineBytes + kBlockBytes;

// The value of the first `"name":` in the line, as a time to order by. Only a guess: a field of that name deeper in the
// row may come first, and all that depends on it is how well rows are ordered.
bool GuessTime(std::string_view line, std::string_view quoted_name, TimestampUnit unit, Arena& arena, int64_t* time) {
  const void* const found = memmem(line.data(), line.size(), quoted_name.data(), quoted_name.size());
  if (found == nullptr) return false;
  size_t at = static_cast<const char*>(found) - line.data() + quoted_name.size();
  at = line.find_first_not_of(" \t:", at);
  if (at == std::string_view::npos) return false;
  const bool is_text = line[at] == '"';
  if (is_text) ++at;
  const size_t end = is_text ? line.find('"', at) : line.find_first_not_of("-0123456789", at);
  const std::string_view value = line.substr(at, end == std::string_view::npos ? end : end - at);
  ScalarValue scalar;
  const auto kind = is_text ? JsonScalar::Kind::kString : JsonScalar::Kind::kNumber;
  if (!CastScalar({kind, value}, TypeKind::kTimestamp, unit, arena, &scalar)) return false;
  *time = scalar.integer;
  return true;
}

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

absl::StatusOr<bool> LineReader::Next(RowBatch* batch) {
  batch->lines.clear();
  batch->bytes = 0;
  // The text may consist of empty lines only.
  while (batch->lines.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const bool more, Fill(batch));
    if (!more) return false;
  }
  batch->number = next_number_++;
  batch->position = file_->position();
  return true;
}

absl::StatusOr<bool> LineReader::Fill(RowBatch* batch) {
  if (at_end_ && rest_.empty()) return false;
  // Only pages that are written to take memory.
  if (batch->text == nullptr) batch->text.reset(new char[kCapacity]);
  char* const text = batch->text.get();
  std::memcpy(text, rest_.data(), rest_.size());
  size_t size = rest_.size();
  size_t line_start = 0;
  size_t searched = 0;
  while (true) {
    const void* const found = std::memchr(text + searched, '\n', size - searched);
    if (found != nullptr) {
      const size_t end = static_cast<const char*>(found) - text;
      AddLine(batch, {text + line_start, end - line_start});
      line_start = searched = end + 1;
      if (batch->lines.size() == kRowGroupRows || line_start >= kBatchBytes) break;
      continue;
    }
    searched = size;
    if (at_end_) break;
    if (size - line_start > kMaxLineBytes) {
      return absl::InvalidArgumentError(base::StrCat(name_, " is no text of rows: line ", line_ + 1, " is longer than ",
                                                     kMaxLineBytes >> 20, " MiB"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(const size_t got, file_->Read(text + size, kBlockBytes));
    at_end_ = got == 0;
    size += got;
    batch->bytes += static_cast<int64_t>(got);
  }
  if (at_end_ && searched == size && line_start < size) {
    AddLine(batch, {text + line_start, size - line_start});
    line_start = size;
  }
  rest_.assign(text + line_start, size - line_start);
  return true;
}

void LineReader::AddLine(RowBatch* batch, std::string_view line) {
  ++line_;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (line_ == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) line.remove_prefix(kByteOrderMark.size());
  if (!IsBlank(line)) batch->lines.push_back({line, line_, 0});
}

absl::StatusOr<bool> MemoryReader::Next(RowBatch* batch) {
  batch->lines.clear();
  batch->bytes = 0;
  while (next_ < rows_->size() && batch->lines.size() < static_cast<size_t>(kRowGroupRows)) {
    const std::string_view row = (*rows_)[next_++];
    batch->bytes += static_cast<int64_t>(row.size());
    if (!IsBlank(row)) batch->lines.push_back({row, static_cast<int64_t>(next_), 0});
  }
  if (batch->lines.empty()) return false;
  position_ += batch->bytes;
  batch->number = next_number_++;
  batch->position = position_;
  return true;
}

void SortByTime(std::string_view time_column, TimestampUnit unit, RowBatch* batch) {
  const std::string quoted_name = base::StrCat("\"", time_column, "\"");
  Arena arena;
  int64_t time = std::numeric_limits<int64_t>::min();
  for (RowBatch::Line& line : batch->lines) {
    GuessTime(line.text, quoted_name, unit, arena, &time);  // without one it stays beside the line before
    line.time = time;
  }
  const auto earlier = [](const RowBatch::Line& a, const RowBatch::Line& b) { return a.time < b.time; };
  if (!std::is_sorted(batch->lines.begin(), batch->lines.end(), earlier)) {
    std::stable_sort(batch->lines.begin(), batch->lines.end(), earlier);
  }
}

}  // namespace logquery::store
