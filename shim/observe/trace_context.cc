// Reads traceparent as W3C Trace Context has it, also of versions to come, and names the span of a request.
#include "shim/observe/trace_context.h"

#include <algorithm>
#include <cstdint>

#include "lib/base/random.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr size_t kLength = 55;  // of version 00: "00-" 32 "-" 16 "-" 2

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsZero(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '0'; });
}

}  // namespace

std::string NewSpanId() { return base::RandomDigits(); }

void SetTrace(const TraceContext& trace, HttpRequestRecord& record) {
  record.trace_id = trace.trace_id;
  record.span_id = trace.span_id;
  record.traceparent = trace.Traceparent();
}

std::optional<TraceContext> StartTrace(double share) {
  // The id's second half decides, as in OpenTelemetry: whoever decides by the same share decides the same.
  const uint64_t low = base::RandomNumber();
  if (!base::IsInShare(low, share)) return std::nullopt;
  TraceContext context;
  context.trace_id = base::RandomDigits() + base::HexDigits(low);
  context.span_id = NewSpanId();
  context.sampled = true;
  return context;
}

std::string TraceContext::Traceparent() const {
  return base::StrCat("00-", trace_id, "-", span_id, sampled ? "-01" : "-00");
}

std::optional<TraceContext> ContinueTrace(std::string_view traceparent) {
  if (traceparent.size() < kLength) return std::nullopt;
  const std::string_view version = traceparent.substr(0, 2);
  const std::string_view trace_id = traceparent.substr(3, 32);
  const std::string_view parent_id = traceparent.substr(36, 16);
  const std::string_view flags = traceparent.substr(53, 2);
  const bool has_dashes = traceparent[2] == '-' && traceparent[35] == '-' && traceparent[52] == '-';
  const bool has_digits = IsHex(version) && IsHex(trace_id) && IsHex(parent_id) && IsHex(flags);
  if (!has_dashes || !has_digits || version == "ff" || IsZero(trace_id) || IsZero(parent_id)) return std::nullopt;
  // Only a later version may have more.
  if (traceparent.size() > kLength && (version == "00" || traceparent[kLength] != '-')) return std::nullopt;
  TraceContext context;
  context.trace_id = trace_id;
  context.parent_id = parent_id;
  context.span_id = NewSpanId();
  const char last = flags[1];
  context.sampled = (last >= 'a' ? last - 'a' + 10 : last - '0') % 2 == 1;
  return context;
}

}  // namespace logquery::shim
