// Splits text into lines, and guesses each line's time and project by searching for these columns' keys.
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
constexpr size_t kBatchBytes = 128 << 20;
constexpr size_t kCapacity = kBatchBytes + kMaxLineBytes + kBlockBytes;

// The value of the first `"name":` in a line. Only a guess: a field of that name deeper in the row may come first, and all that
// depends on it is how well rows are ordered.
struct GuessedValue {
  bool is_text = false;
  std::string_view text;  // as it is written; empty: there is no such field
};

GuessedValue GuessValue(std::string_view line, std::string_view quoted_name) {
  const void* const found = memmem(line.data(), line.size(), quoted_name.data(), quoted_name.size());
  if (found == nullptr) return {};
  size_t at = static_cast<const char*>(found) - line.data() + quoted_name.size();
  at = line.find_first_not_of(" \t:", at);
  if (at == std::string_view::npos) return {};
  const bool is_text = line[at] == '"';
  if (is_text) ++at;
  const size_t end = is_text ? line.find('"', at) : line.find_first_not_of("-0123456789", at);
  return {is_text, line.substr(at, end == std::string_view::npos ? end : end - at)};
}

bool GuessTime(std::string_view line, std::string_view quoted_name, TimestampUnit unit, Arena& arena, int64_t* time) {
  const GuessedValue value = GuessValue(line, quoted_name);
  if (value.text.empty()) return false;
  ScalarValue scalar;
  const auto kind = value.is_text ? JsonScalar::Kind::kString : JsonScalar::Kind::kNumber;
  if (!CastScalar({kind, value.text}, TypeKind::kTimestamp, unit, arena, &scalar)) return false;
  *time = scalar.integer;
  return true;
}

std::string Quoted(std::string_view name) { return base::StrCat("\"", name, "\""); }

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
      if (batch->lines.size() == kBatchRows || line_start >= kBatchBytes) break;
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
  if (!IsBlank(line)) batch->lines.push_back({line, line_});
}

absl::StatusOr<bool> MemoryReader::Next(RowBatch* batch) {
  batch->lines.clear();
  batch->bytes = 0;
  while (next_ < rows_->size() && batch->lines.size() < static_cast<size_t>(kRowGroupRows)) {
    const std::string_view row = (*rows_)[next_++];
    batch->bytes += static_cast<int64_t>(row.size());
    if (!IsBlank(row)) batch->lines.push_back({row, static_cast<int64_t>(next_)});
  }
  if (batch->lines.empty()) return false;
  position_ += batch->bytes;
  batch->number = next_number_++;
  batch->position = position_;
  return true;
}

void SortLines(const LineOrder& order, RowBatch* batch) {
  const std::string time_name = Quoted(order.time), project_name = Quoted(order.project);
  Arena arena;
  int64_t time = std::numeric_limits<int64_t>::min();
  for (RowBatch::Line& line : batch->lines) {
    GuessTime(line.text, time_name, order.unit, arena, &time);  // without one it stays beside the line before
    line.time = time;
    line.project = order.project.empty() ? std::string_view() : GuessValue(line.text, project_name).text;
  }
  const auto earlier = [](const RowBatch::Line& a, const RowBatch::Line& b) { return a.time < b.time; };
  const auto by_project = [](const RowBatch::Line& a, const RowBatch::Line& b) {
    const int projects = a.project.compare(b.project);
    return projects != 0 ? projects < 0 : a.time > b.time;
  };
  const auto sort = [](auto begin, auto end, const auto& before) {
    if (!std::is_sorted(begin, end, before)) std::stable_sort(begin, end, before);
  };
  if (order.project.empty()) {
    sort(batch->lines.begin(), batch->lines.end(), earlier);
    return;
  }
  const auto open = std::stable_partition(batch->lines.begin(), batch->lines.end(),
                                          [&](const RowBatch::Line& line) { return line.time < order.open_from; });
  sort(batch->lines.begin(), open, by_project);
  sort(open, batch->lines.end(), earlier);
  for (auto begin = open; begin != batch->lines.end();) {
    const auto end = begin + std::min<ptrdiff_t>(kOpenRows, batch->lines.end() - begin);
    sort(begin, end, by_project);
    begin = end;
  }
}

}  // namespace logquery::store
