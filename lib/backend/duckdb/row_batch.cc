#include "lib/backend/duckdb/row_batch.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::duckdb {
namespace {

constexpr size_t kBlockBytes = 1 << 20;
constexpr size_t kBatchBytes = 32 << 20;
// A row group's worth: what is ordered together lies together.
constexpr size_t kBatchLines = 30'720;
constexpr size_t kMaxLineBytes = 64 << 20;

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

}  // namespace

absl::StatusOr<bool> LineReader::Next(RowBatch* batch) {
  batch->lines.clear();
  batch->bytes = 0;
  // A block may hold nothing but empty lines.
  while (batch->lines.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const bool more, Fill(batch));
    if (!more) return false;
  }
  batch->position = file_->position();
  return true;
}

absl::StatusOr<bool> LineReader::Fill(RowBatch* batch) {
  if (at_end_) return false;
  if (batch->capacity == 0) {
    batch->capacity = kMaxLineBytes + kBlockBytes;  // only what is written to becomes memory
    batch->text.reset(new char[batch->capacity]);
  }
  char* const text = batch->text.get();
  std::memcpy(text, rest_.data(), rest_.size());
  size_t size = rest_.size();
  size_t line_start = 0;
  size_t searched = size;
  while (size < kBatchBytes || line_start == 0) {
    if (size - line_start > kMaxLineBytes) {
      return absl::InvalidArgumentError(base::StrCat(name_, " is no text of rows: line ", line_ + 1, " is longer than ",
                                                     kMaxLineBytes >> 20, " MiB"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(const size_t got, file_->Read(text + size, kBlockBytes));
    at_end_ = got == 0;
    size += got;
    batch->bytes += static_cast<int64_t>(got);
    while (const void* found = std::memchr(text + searched, '\n', size - searched)) {
      const size_t end = static_cast<const char*>(found) - text;
      AddLine(batch, {text + line_start, end - line_start});
      line_start = searched = end + 1;
    }
    searched = size;
    if (at_end_ || batch->lines.size() >= kBatchLines) break;
  }
  if (at_end_ && line_start < size) AddLine(batch, {text + line_start, size - line_start});
  rest_.assign(text + line_start, at_end_ ? 0 : size - line_start);
  return true;
}

void LineReader::AddLine(RowBatch* batch, std::string_view line) {
  ++line_;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (line_ == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) line.remove_prefix(kByteOrderMark.size());
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  batch->lines.push_back({line, line_, 0});
}

void BatchParser::Parse(RowBatch* batch) {
  SortByTime(batch);
  batch->chunk_rows.clear();
  batch->rejected.clear();
  const uint64_t capacity = ChunkBuilder::Capacity();
  ChunkBuilder* chunk = nullptr;
  for (const RowBatch::Line& line : batch->lines) {
    if (chunk == nullptr || batch->chunk_rows.back() == capacity) {
      if (batch->chunks.size() == batch->chunk_rows.size())
        batch->chunks.push_back(std::make_unique<ChunkBuilder>(plan_));
      chunk = batch->chunks[batch->chunk_rows.size()].get();
      chunk->Reset();
      batch->chunk_rows.push_back(0);
    }
    if (parser_.Parse(line.text, line.number, chunk, batch->chunk_rows.back())) {
      ++batch->chunk_rows.back();
    } else {
      batch->rejected.push_back({line.number, std::string(line.text), parser_.reason()});
    }
  }
  std::sort(batch->rejected.begin(), batch->rejected.end(),
            [](const RejectedRow& a, const RejectedRow& b) { return a.line < b.line; });
}

void BatchParser::SortByTime(RowBatch* batch) const {
  if (plan_->time() == nullptr) return;
  const std::string quoted_name = base::StrCat("\"", plan_->time()->name, "\"");
  Arena arena;
  int64_t time = std::numeric_limits<int64_t>::min();
  for (RowBatch::Line& line : batch->lines) {
    GuessTime(line.text, quoted_name, unit_, arena, &time);  // without one it stays beside the line before
    line.time = time;
  }
  const auto earlier = [](const RowBatch::Line& a, const RowBatch::Line& b) { return a.time < b.time; };
  if (!std::is_sorted(batch->lines.begin(), batch->lines.end(), earlier)) {
    std::stable_sort(batch->lines.begin(), batch->lines.end(), earlier);
  }
}

}  // namespace logquery::duckdb
