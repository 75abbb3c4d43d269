// Finds where rows end in each format, and merges two ordered lists.
#include "lib/endpoint/kept/newest_rows.h"

#include <algorithm>
#include <utility>

#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

constexpr std::string_view kJsonOpening = "{\"result\":[";
constexpr std::string_view kSchemaOpening = "{\"schema\":";
constexpr std::string_view kRowsOpening = ",\"rows\":[";
constexpr std::string_view kJsonClosing = "]}";

// The place behind the JSON string that begins at `at`; npos: it does not end.
size_t EndOfString(std::string_view text, size_t at) {
  for (size_t quote = text.find('"', at + 1); quote != std::string_view::npos; quote = text.find('"', quote + 1)) {
    size_t first = quote;
    while (first > at + 1 && text[first - 1] == '\\') --first;
    if ((quote - first) % 2 == 0) return quote + 1;
  }
  return std::string_view::npos;
}

// The end of the JSON object or array that begins at `at`; npos: it does not end.
size_t EndOfJson(std::string_view text, size_t at) {
  for (int depth = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = EndOfString(text, at);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    ++at;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// Splits a list of JSON values, whose first is at `at` and begins with `begin`.
std::optional<EncodedRows> SplitList(std::string_view body, size_t at, char begin) {
  EncodedRows split{body.substr(0, at), {}, ",", {}};
  while (at < body.size() && body[at] == begin) {
    const size_t end = EndOfJson(body, at);
    if (end >= body.size()) return std::nullopt;
    split.rows.push_back(body.substr(at, end - at));
    at = end + (body[end] == ',' ? 1 : 0);
  }
  split.closing = body.substr(at);
  return split.closing == kJsonClosing ? std::optional<EncodedRows>(std::move(split)) : std::nullopt;
}

std::optional<EncodedRows> SplitJson(std::string_view body) {
  if (!body.starts_with(kJsonOpening)) return std::nullopt;
  return SplitList(body, kJsonOpening.size(), '{');
}

std::optional<EncodedRows> SplitJsonRows(std::string_view body) {
  if (!body.starts_with(kSchemaOpening)) return std::nullopt;
  const size_t end = EndOfJson(body, kSchemaOpening.size());
  if (end == std::string_view::npos || !body.substr(end).starts_with(kRowsOpening)) return std::nullopt;
  return SplitList(body, end + kRowsOpening.size(), '[');
}

// The end of a line, behind its newline; in CSV a quoted value may hold newlines.
size_t EndOfLine(std::string_view text, size_t at, bool quotes) {
  for (bool in_quotes = false; at < text.size(); ++at) {
    if (quotes && text[at] == '"') in_quotes = !in_quotes;
    if (text[at] == '\n' && !in_quotes) return at + 1;
  }
  return std::string_view::npos;
}

std::optional<EncodedRows> SplitLines(std::string_view body, bool is_csv) {
  EncodedRows split;
  size_t at = 0;
  if (is_csv) {
    at = EndOfLine(body, 0, true);
    if (at == std::string_view::npos) return std::nullopt;
    split.opening = body.substr(0, at);
  }
  while (at < body.size()) {
    const size_t end = EndOfLine(body, at, is_csv);
    if (end == std::string_view::npos) return std::nullopt;
    split.rows.push_back(body.substr(at, end - at));
    at = end;
  }
  return split;
}

std::optional<EncodedRows> SplitBody(std::string_view body, RowFormat format) {
  switch (format) {
    case RowFormat::kJson:
      return SplitJson(body);
    case RowFormat::kJsonRows:
      return SplitJsonRows(body);
    case RowFormat::kNdjson:
    case RowFormat::kCsv:
      return SplitLines(body, format == RowFormat::kCsv);
    case RowFormat::kArrow:
    case RowFormat::kParquet:
      break;
  }
  return std::nullopt;
}

}  // namespace

bool AreOrdered(const std::vector<RowKey>& keys) {
  for (size_t i = 1; i < keys.size(); ++i) {
    if (!(keys[i - 1] < keys[i])) return false;
  }
  return true;
}

std::optional<EncodedRows> SplitRows(std::string_view body, RowFormat format, size_t rows) {
  std::optional<EncodedRows> split = SplitBody(body, format);
  if (split && split->rows.size() != rows) return std::nullopt;
  return split;
}

std::optional<NewestRows> MergeNewest(std::string_view old_body, const std::vector<RowKey>& old, OldTimes times,
                                      std::string_view new_body, const std::vector<RowKey>& added, RowFormat format,
                                      size_t limit) {
  const std::optional<EncodedRows> before = SplitRows(old_body, format, old.size());
  const std::optional<EncodedRows> more = SplitRows(new_body, format, added.size());
  if (!before || !more || before->opening != more->opening) return std::nullopt;
  std::vector<std::pair<const RowKey*, std::string_view>> rows;
  for (size_t i = 0; i < old.size(); ++i) {
    if (old[i].time >= times.from && old[i].time < times.before) rows.emplace_back(&old[i], before->rows[i]);
  }
  for (size_t i = 0; i < added.size(); ++i) rows.emplace_back(&added[i], more->rows[i]);
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return *a.first < *b.first; });
  // If the rows on both sides of the limit have the same key, either may be the last one.
  if (rows.size() > limit && limit > 0 && !(*rows[limit - 1].first < *rows[limit].first)) return std::nullopt;
  rows.resize(std::min(rows.size(), limit));
  NewestRows merged;
  size_t bytes = before->opening.size() + before->closing.size();
  for (const auto& [key, row] : rows) bytes += row.size() + before->separator.size();
  merged.body.reserve(bytes);
  merged.body = before->opening;
  for (const auto& [key, row] : rows) {
    if (!merged.keys.empty()) merged.body += before->separator;
    merged.body += row;
    merged.keys.push_back(*key);
  }
  merged.body += before->closing;
  if (!AreOrdered(merged.keys)) return std::nullopt;
  return merged;
}

}  // namespace logquery::endpoint
