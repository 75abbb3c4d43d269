// Makes results, within a bound on their length: cells are cut first, then rows are left out, and both are said.
#include "lib/serving/mcp/tool_result.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "lib/base/error_body.h"
#include "lib/base/json/read.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/serving/mcp/shown_text.h"

namespace logquery::serving {
namespace {

using base::Json;
using base::StrCat;

// The most bytes read of an answer's body. A row that fits into a result is far shorter.
constexpr size_t kMaxBodyRead = size_t{8} << 20;
constexpr size_t kMaxColumnName = 128;
constexpr size_t kMaxColumns = 200;
// Lengths to which texts of a row are cut if the row is long for its number of cells.
constexpr size_t kShortCells[] = {256, 32};

absl::StatusOr<std::string> StartOf(const AnswerFile& file) {
  std::string body;
  body.resize(std::min(kMaxBodyRead, static_cast<size_t>(file.size())));
  size_t filled = 0;
  while (filled < body.size()) {
    LOGQUERY_ASSIGN_OR_RETURN(const size_t read,
                              file.ReadAt(static_cast<int64_t>(filled), body.data() + filled, body.size() - filled));
    if (read == 0) break;
    filled += read;
  }
  body.resize(filled);
  return body;
}

// Values as RowEncoder writes them: a TIMESTAMP as microseconds since 1970.
Json WithTimes(Json value, const Type& type) {
  if (type.is(TypeKind::kTimestamp) && value.is_number_integer()) {
    return absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", absl::FromUnixMicros(value.get<int64_t>()), absl::UTCTimeZone());
  }
  if (type.is_array() && !type.is_record() && value.is_array()) {
    for (Json& element : value) element = WithTimes(std::move(element), type.element());
  } else if (type.is_record() && value.is_array()) {
    const Type inner = Type::Struct(type.fields());
    for (Json& element : value) element = WithTimes(std::move(element), inner);
  } else if (type.is_struct() && value.is_object()) {
    for (auto& [name, member] : value.items()) {
      const int field = type.FindField(name);
      if (field >= 0) member = WithTimes(std::move(member), type.fields()[static_cast<size_t>(field)].type);
    }
  }
  return value;
}

Json Columns(const Schema& schema, ShownCounts& counts) {
  Json columns = Json::array();
  for (const Field& field : schema) {
    if (columns.size() == kMaxColumns) break;
    columns.push_back({{"name", ShownText(field.name, kMaxColumnName, counts)}, {"type", PlainTypeName(field.type)}});
  }
  return columns;
}

}  // namespace

std::string_view CacheName(CacheUse use) {
  switch (use) {
    case CacheUse::kNone:
    case CacheUse::kMiss:
    case CacheUse::kBypass:
      break;
    case CacheUse::kCurrent:
    case CacheUse::kHit:
    case CacheUse::kShared:
      return "kept";
  }
  return "computed";
}

namespace {

double Milliseconds(absl::Duration time) {
  return absl::ToDoubleMilliseconds(absl::Trunc(time, absl::Microseconds(1)));
}

Json Cost(const QueryAnswer& answer, absl::Duration queued, int64_t bytes) {
  return {{"queued_ms", Milliseconds(queued)},
          {"plan_ms", Milliseconds(answer.parse_time + answer.plan_time)},
          {"execute_ms", Milliseconds(answer.execute_time)},
          {"redact_ms", Milliseconds(answer.redact_time)},
          {"encode_ms", Milliseconds(answer.encode_time)},
          {"answer_bytes", bytes},
          {"answer", CacheName(answer.cache)}};
}

// Rows as they are shown, up to a number of bytes.
class RowsInBound {
 public:
  explicit RowsInBound(const McpOptions& options) : options_(options) {}

  // Returns false when no further row is wanted.
  bool Add(const Json& row) {
    ShownCounts counts;
    Json shown = ShownJson(row, options_.max_cell_bytes, counts);
    std::string line = shown.ToString();
    for (const size_t cell : kShortCells) {
      if (line.size() <= options_.max_result_bytes / 4) break;
      counts = {};
      shown = ShownJson(row, std::min(cell, options_.max_cell_bytes), counts);
      line = shown.ToString();
    }
    if (text.size() + line.size() > options_.max_result_bytes) return false;
    base::StrAppend(&text, line, "\n");
    rows.push_back(std::move(shown));
    total.escaped += counts.escaped;
    total.cut += counts.cut;
    return true;
  }

  Json rows = Json::array();
  std::string text;
  ShownCounts total;

 private:
  const McpOptions& options_;
};

void AddNotes(const QueryAnswer& answer, const RowsInBound& shown, const McpOptions& options, RowsContext& context) {
  const auto add = [&context](std::string note) { context.notes.push_back(std::move(note)); };
  const int64_t count = static_cast<int64_t>(shown.rows.size());
  if (count < answer.rows) {
    add(StrCat(answer.rows - count, " of the ", base::Counted(answer.rows, "row"),
               count + 1 == answer.rows ? " is" : " are", " left out, because a result has at most ",
               options.max_result_bytes >> 10, " KiB: ask for fewer columns or rows, or for groups."));
  }
  if (answer.truncated) {
    add(StrCat("There are more rows than these. Narrow the time range, or ask for groups",
               context.asked_rows < context.most_rows ? StrCat(", or for max_rows up to ", context.most_rows) : "",
               "."));
  }
  if (shown.total.cut > 0) {
    add(StrCat(base::Counted(shown.total.cut, "text"), shown.total.cut == 1 ? " is" : " are",
               " cut; SUBSTR reads other parts of a text."));
  }
  if (shown.total.escaped > 0) {
    add(StrCat(base::Counted(shown.total.escaped, "character"),
               shown.total.escaped == 1 ? " that controls a terminal or is not visible is"
                                        : " that control a terminal or are not visible are",
               " written as \\u{…}, by code."));
  }
  if (answer.window) {
    add(StrCat("Rows before ", absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", answer.window->start, absl::UTCTimeZone()),
               " are not shown any more: that is beyond the retention."));
  }
}

std::string Lines(const std::vector<std::string>& notes) {
  std::string lines;
  for (const std::string& note : notes) base::StrAppend(&lines, "Note: ", note, "\n");
  return lines;
}

}  // namespace

std::string PlainTypeName(const Type& type) {
  if (type.is_record() || type.is_struct()) return "RECORD";
  if (type.is_array()) return StrCat("ARRAY<", PlainTypeName(type.element()), ">");
  return std::string(TypeKindName(type.kind()));
}

absl::Status ForEachRow(const QueryAnswer& answer, const std::function<bool(Json row)>& take) {
  std::string start;
  if (answer.file != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(start, StartOf(*answer.file));
  }
  const Type row_type = Type::Struct(answer.schema);
  std::string_view rest = answer.file != nullptr ? start : answer.body.text();
  for (size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
    std::optional<Json> row = base::TryReadJson(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!row || !row->is_object()) return absl::InternalError("a row of an answer is no JSON object");
    if (!take(WithTimes(*std::move(row), row_type))) break;
  }
  return absl::OkStatus();
}

Json Result(Json structured, std::string text) {
  return {{"content", Json::array({{{"type", "text"}, {"text", std::move(text)}}})},
          {"structuredContent", std::move(structured)},
          {"isError", false}};
}

absl::StatusOr<Json> RowsResult(const QueryAnswer& answer, RowsContext context, const McpOptions& options) {
  RowsInBound shown(options);
  LOGQUERY_RETURN_IF_ERROR(ForEachRow(answer, [&shown](const Json& row) { return shown.Add(row); }));
  Json columns = Columns(answer.schema, shown.total);
  AddNotes(answer, shown, options, context);
  const int64_t bytes = answer.file != nullptr ? answer.file->size() : static_cast<int64_t>(answer.body.size());
  const Json cost = Cost(answer, context.queued, bytes);
  const size_t count = shown.rows.size();

  std::string text = StrCat(count, count == 1 ? " row of " : " rows of ", context.endpoint->name, ".\n");
  if (count > 0) base::StrAppend(&text, FramedData("rows of logs, a JSON object on each line", shown.text));
  base::StrAppend(&text, Lines(context.notes));
  if (!answer.next_cursor.empty()) base::StrAppend(&text, "Rows after these: cursor=", answer.next_cursor, "\n");
  base::StrAppend(&text, "Cost: ", cost.ToString(), "\n");

  Json structured = {{"notice", DataNotice()},
                     {"endpoint", context.endpoint->name},
                     {"columns", std::move(columns)},
                     {"rows", std::move(shown.rows)},
                     {"row_count", count},
                     {"truncated", answer.truncated || static_cast<int64_t>(count) < answer.rows},
                     {"notes", context.notes},
                     {"cost", cost}};
  if (!answer.next_cursor.empty()) structured["next_cursor"] = answer.next_cursor;
  if (!answer.receipt.empty()) structured["receipt"] = answer.receipt;
  return Result(std::move(structured), std::move(text));
}

Json VerdictResult(const SandboxVerdict& verdict, RowsContext context) {
  ShownCounts counts;
  Json shown = ShownJson(base::TryReadJson(VerdictJson(verdict)).value_or(nullptr), kMaxColumnName * 8, counts);
  const std::string text = StrCat(
      verdict.allowed ? "The SQL is allowed; nothing was run.\n" : "The SQL is not allowed; nothing was run.\n",
      FramedData("what it would read and return, or what is wrong, as JSON", shown.ToString()), Lines(context.notes));
  Json structured = {
      {"notice", DataNotice()}, {"endpoint", context.endpoint->name}, {"rows", Json::array()}, {"row_count", 0},
      {"truncated", false},     {"verdict", std::move(shown)},        {"notes", context.notes}};
  return Result(std::move(structured), text);
}

Json ErrorResult(const absl::Status& status, std::string_view call_id, bool redact, const McpOptions& options) {
  const base::ErrorAnswer answer = base::MakeErrorAnswer(status, call_id, redact);
  ShownCounts counts;
  Json error = base::TryReadJson(answer.body).value_or(Json::object())["error"];
  error = ShownJson(std::move(error), options.max_cell_bytes, counts);
  if (answer.retry_after_seconds > 0) error["retry_after_seconds"] = answer.retry_after_seconds;
  error["help"] = answer.help;
  const Json name = error["status"];
  std::string text = StrCat("The call failed: ", name.is_string() ? name.text() : "INTERNAL", ". ", answer.help, ".\n");
  if (answer.retry_after_seconds > 0) {
    base::StrAppend(&text, "Try again after ", answer.retry_after_seconds, " s.\n");
  }
  base::StrAppend(&text, FramedData("the error's message and place, as JSON, which may quote logs", error.ToString()));
  Json result = Result({{"notice", DataNotice()}, {"error", std::move(error)}}, std::move(text));
  result["isError"] = true;
  return result;
}

namespace {

Json ShownColumnSchema(const Type& type) {
  if (type.is(TypeKind::kTimestamp)) return {{"type", Json::array({"string", "null"})}};
  if (type.is_record()) return {{"type", "array"}, {"items", {{"type", "object"}}}};
  if (type.is_array()) return {{"type", Json::array({"array", "null"})}, {"items", ShownColumnSchema(type.element())}};
  if (type.is_struct()) return {{"type", Json::array({"object", "null"})}};
  switch (type.kind()) {
    case TypeKind::kInt64:
      return {{"type", Json::array({"integer", "string", "null"})}};  // a string beyond 2^53
    case TypeKind::kFloat64:
      return {{"type", Json::array({"number", "string", "null"})}};
    case TypeKind::kBool:
      return {{"type", Json::array({"boolean", "null"})}};
    case TypeKind::kJson:
      return Json::object();
    default:
      return {{"type", Json::array({"string", "null"})}};
  }
}

}  // namespace

Json RowsSchema(const std::optional<Schema>& columns) {
  Json row = {{"type", "object"}};
  if (columns) {
    row["properties"] = Json::object();
    for (const Field& column : *columns) row["properties"][column.name] = ShownColumnSchema(column.type);
  }
  return {{"type", "object"},
          {"properties",
           {{"notice", {{"type", "string"}}},
            {"rows", {{"type", "array"}, {"items", std::move(row)}}},
            {"row_count", {{"type", "integer"}}},
            {"truncated", {{"type", "boolean"}, {"description", "There are more rows than these"}}},
            {"next_cursor", {{"type", "string"}}},
            {"notes", {{"type", "array"}, {"items", {{"type", "string"}}}}},
            {"cost", {{"type", "object"}}},
            {"verdict", {{"type", "object"}}},
            {"error", {{"type", "object"}}}}},
          {"required", Json::array({"notice"})}};
}

Json ListLogsSchema() {
  return {{"type", "object"},
          {"properties",
           {{"notice", {{"type", "string"}}},
            {"endpoint", {{"type", "string"}}},
            {"logs", {{"type", "array"}, {"items", {{"type", "object"}}}}},
            {"fields", {{"type", "array"}, {"items", {{"type", "object"}}}}},
            {"notes", {{"type", "array"}, {"items", {{"type", "string"}}}}},
            {"error", {{"type", "object"}}}}},
          {"required", Json::array({"notice"})}};
}

Json ExplanationSchema() {
  return {
      {"type", "object"},
      {"properties",
       {{"explanations",
         {{"type", "array"},
          {"items",
           {{"type", "object"},
            {"properties",
             {{"of", {{"type", "string"}}}, {"meaning", {{"type", "string"}}}, {"help", {{"type", "string"}}}}}}}}}}}};
}

}  // namespace logquery::serving
