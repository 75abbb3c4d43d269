// Writes one line per request, without control characters, tokens and addresses.
#include "shim/observe/request_log.h"

#include <optional>
#include <utility>

#include "lib/base/strings.h"
#include "logquery/redactor.h"
#include "logquery/row_encoder.h"
#include "shim/observe/display.h"
#include "shim/observe/trace_context.h"

namespace logquery::shim {
namespace {

// The most that a line shows of a text: a longer one was made to fill the disk.
constexpr int kMaxText = 1'000;
constexpr int kMaxNote = 10'000;
constexpr size_t kUsualBytes = 640;  // of the line of a call

// All of the text is redacted before it is cut: cut first, an address could keep its beginning.
std::string Clean(std::string_view text) {
  if (text.empty()) return "";
  return OneLine(Redactor().Redact(text), kMaxText);
}

std::string_view LevelOf(int status) { return status >= 500 && status != 503 ? "error" : "info"; }

bool WasDenied(const RequestRecord& record) {
  return record.denied || record.status == 401 || record.status == 403 || record.status == 429;
}

class JsonLine {
 public:
  JsonLine() { line_.reserve(kUsualBytes); }
  void Text(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    Key(key);
    AppendJsonString(value, line_);
  }
  void Texts(std::string_view key, const Labels& texts) {
    if (texts.empty()) return;
    Key(key);
    for (const auto& [name, value] : texts) {
      line_.push_back(&name == &texts.front().first ? '{' : ',');
      AppendJsonString(name, line_);
      line_.push_back(':');
      AppendJsonString(value, line_);
    }
    line_.push_back('}');
  }
  void Parameters(std::string_view key, const ParameterTexts& texts) {
    Key(key);
    line_.push_back('{');
    for (const auto& [name, value] : texts) {
      if (line_.back() != '{') line_.push_back(',');
      AppendJsonString(Redactor().Redact(name), line_);
      line_.push_back(':');
      AppendJsonString(Redactor().Redact(value), line_);
    }
    line_.push_back('}');
  }
  void Number(std::string_view key, std::string_view number) {
    Key(key);
    line_.append(number);
  }
  std::string Finish() && { return std::move(line_) + "}\n"; }

 private:
  // Keys are words of ours.
  void Key(std::string_view key) {
    line_ += line_.empty() ? "{\"" : ",\"";
    line_ += key;
    line_ += "\":";
  }
  std::string line_;
};

std::string JsonOf(const RequestRecord& record, absl::Time now) {
  JsonLine line;
  line.Text("time", UtcText(now));
  line.Text("level", LevelOf(record.status));
  line.Text("message", "request");
  line.Text("request_id", record.request_id);
  line.Text("trace_id", record.trace_id);
  line.Text("span_id", record.span_id);
  line.Text("method", record.method);
  line.Text("path", Clean(record.path));
  line.Text("client", Clean(record.client));
  line.Text("token_id", Clean(record.token_id));
  line.Text("endpoint", record.endpoint);
  line.Text("cache", record.cache);
  line.Text("sql_digest", record.sql_digest);
  if (record.parameters != nullptr) {
    line.Parameters("parameters", *record.parameters);
    if (record.redact_pii) line.Number("redact_pii", "true");
  }
  line.Texts("labels", record.labels);
  if (WasDenied(record)) line.Text("audit", "denied");
  line.Number("status", std::to_string(record.status));
  line.Number("bytes", std::to_string(record.bytes));
  line.Number("total_ms", MillisecondsText(record.total));
  if (record.rows >= 0) {
    line.Number("rows", std::to_string(record.rows));
    line.Number("queued_ms", MillisecondsText(record.queued));
    line.Number("parse_ms", MillisecondsText(record.parse));
    line.Number("plan_ms", MillisecondsText(record.plan));
    line.Number("execute_ms", MillisecondsText(record.execute));
    line.Number("redact_ms", MillisecondsText(record.redact));
    line.Number("encode_ms", MillisecondsText(record.encode));
  }
  line.Text("error", Clean(record.error));
  return std::move(line).Finish();
}

std::string TextOf(const RequestRecord& record, absl::Time now) {
  std::string line = base::StrCat(UtcText(now), " ", record.status, " ", record.method, " ", Clean(record.path), " ",
                                  MillisecondsText(record.total), " ms, ", BytesText(record.bytes));
  if (record.rows >= 0) line += base::StrCat(", ", record.rows, record.rows == 1 ? " row" : " rows");
  line += base::StrCat(" ", record.request_id);
  if (!record.cache.empty()) line += base::StrCat(" cache ", record.cache);
  if (!record.sql_digest.empty()) line += base::StrCat(" sql ", record.sql_digest);
  if (record.parameters != nullptr) {
    for (const auto& [name, value] : *record.parameters) {
      line += base::StrCat(" ", Clean(name), "=", Clean(value));
    }
  }
  if (!record.trace_id.empty()) line += base::StrCat(" trace ", record.trace_id, " ", record.span_id);
  for (const auto& [key, value] : record.labels) base::StrAppend(&line, " ", key, "=", value);
  if (WasDenied(record)) line += " denied";
  if (!record.client.empty()) line += base::StrCat(" ", Clean(record.client));
  if (!record.error.empty()) line += base::StrCat(": ", Clean(record.error));
  return line + "\n";
}

}  // namespace

void RequestLog::OnRequest(std::string_view traceparent, RequestRecord& record) noexcept {
  if (const std::optional<TraceContext> trace = ContinueTrace(traceparent)) SetTrace(*trace, record);
}

void RequestLog::OnResponse(const RequestRecord& record) noexcept {
  write_(json_ ? JsonOf(record, clock_->Now()) : TextOf(record, clock_->Now()));
}

std::string LogLine(std::string_view level, std::string_view message, bool json, absl::Time now) {
  if (!json) return base::StrCat(UtcText(now), " ", OneLine(message, kMaxNote), "\n");
  JsonLine line;
  line.Text("time", UtcText(now));
  line.Text("level", level);
  line.Text("message", message);
  return std::move(line).Finish();
}

void RequestLog::Note(std::string_view level, std::string_view message) {
  write_(LogLine(level, message, json_, clock_->Now()));
}

}  // namespace logquery::shim
