// Walks a request from resources to scopes to records by their quotes and brackets alone, so that only what is within one
// record is lost with it. Names may be written in camelCase or in snake_case, and a list of one without its brackets.
#include "lib/store/ingest/otlp_json.h"

#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/checked_json.h"
#include "lib/store/ingest/event_scanner.h"
#include "lib/store/ingest/otlp_record.h"
#include "lib/store/ingest/otlp_values.h"

namespace logquery::store {
namespace {

absl::Status NotJson(size_t at, std::string_view what) {
  return absl::InvalidArgumentError(base::StrCat("the body is not JSON: byte ", at + 1, ": ", what));
}

// One message of a request's frame: what its elements have in common, and the list of these.
struct Frame {
  std::string_view around;
  std::string_view list;
  std::string_view unknown;  // the key of the first member of another name
  bool is_whole = false;
};

Frame ReadFrame(std::string_view object, std::string_view around_name, std::string_view list_name) {
  Frame frame;
  frame.is_whole = ForEachLooseMember(object, [&](std::string_view key, std::string_view value) {
    const std::string name = OtlpName(key);
    if (name == list_name) {
      frame.list = value;
    } else if (!around_name.empty() && name == around_name) {
      frame.around = value;
    } else if (name != "schemaUrl" && frame.unknown.empty()) {
      frame.unknown = key;
    }
    return true;
  });
  return frame;
}

std::string WhatIs(std::string_view key) {
  const std::string name = OtlpName(key);
  if (name == "resourceSpans") return ", which are traces; only logs are stored here";
  if (name == "resourceMetrics") return ", which are metrics; only logs are stored here";
  return "";
}

class Walk {
 public:
  explicit Walk(RowSink& sink) : sink_(sink) {}

  // Each returns false if the walk has ended.
  bool Request(std::string_view request) {
    const Frame frame = ReadFrame(request, "", "resourceLogs");
    return ForEachOf(
        frame, "resourceLogs", [&](std::string reason) { return Keep(std::string(request), std::move(reason)); },
        [&](std::string_view logs) { return Resource(logs); });
  }

 private:
  using Refuse = absl::FunctionRef<bool(std::string reason)>;
  using Visit = absl::FunctionRef<bool(std::string_view element)>;

  // Visits the elements of the list, or refuses all of the frame.
  bool ForEachOf(const Frame& frame, std::string_view name, Refuse refuse, Visit visit) {
    if (!frame.is_whole) return refuse(base::StrCat("an object with ", name, " is not valid JSON"));
    if (frame.list.empty() && !frame.unknown.empty()) {
      return refuse(base::StrCat("wanted ", name, ", found ", base::QuotedText(frame.unknown), WhatIs(frame.unknown)));
    }
    if (!frame.unknown.empty()) {
      sink_.Warn(base::StrCat(base::QuotedText(frame.unknown), " beside ", name, " is unknown and was not stored"));
    }
    if (frame.list.empty() || frame.list == "null") return true;
    if (frame.list.front() == '{') return visit(frame.list);
    EventScanner scanner(frame.list);
    std::string_view list;
    if (frame.list.front() != '[' || !scanner.Value(&list) || !scanner.AtEnd()) {
      return refuse(base::StrCat(name, " is not a list"));
    }
    bool goes_on = true;
    const bool is_whole = ForEachLooseElement(list, [&](std::string_view element) {
      goes_on = visit(element);
      return goes_on;
    });
    return is_whole || (goes_on && refuse(base::StrCat(name, " is not valid JSON")));
  }

  bool Resource(std::string_view resource_logs) {
    const Frame frame = ReadFrame(resource_logs, "resource", "scopeLogs");
    OtlpAround around;
    if (!sink_.MakeRoom(MostOtlpBytes(frame.around, around))) return false;
    resource_ = frame.around;
    const CheckedJson resource(OrEmpty(resource_));
    SetResource(resource, around);
    return ForEachOf(
        frame, "scopeLogs",
        [&](std::string reason) {
          return Keep(base::StrCat("{\"resourceLogs\":[", resource_logs, "]}"), std::move(reason));
        },
        [&](std::string_view logs) { return Scope(logs, around); });
  }

  bool Scope(std::string_view scope_logs, OtlpAround around) {
    const Frame frame = ReadFrame(scope_logs, "scope", "logRecords");
    if (!sink_.MakeRoom(MostOtlpBytes(frame.around, around))) return false;
    scope_ = frame.around;
    const CheckedJson scope(OrEmpty(scope_));
    SetScope(scope, around);
    return ForEachOf(
        frame, "logRecords", [&](std::string reason) { return Keep(WithResource(scope_logs), std::move(reason)); },
        [&](std::string_view record) { return Record(record, around); });
  }

  bool Record(std::string_view record, const OtlpAround& around) {
    if (!sink_.MakeRoom(MostOtlpBytes(record, around))) return false;
    OtlpRow row = RowOfOtlpRecord(CheckedJson(record), around, sink_);
    if (row.problem.empty()) return sink_.Take(std::move(row.row));
    if (!sink_.MakeRoom(resource_.size() + scope_.size() + record.size())) return false;
    return Keep(WithResource(base::StrCat("{", Member("scope", scope_), "\"logRecords\":[", record, "]}")),
                std::move(row.problem));
  }

  // Requests with one part of the request, to keep.
  std::string WithResource(std::string_view scope_logs) const {
    return base::StrCat("{\"resourceLogs\":[{", Member("resource", resource_), "\"scopeLogs\":[", scope_logs, "]}]}");
  }
  static std::string_view OrEmpty(std::string_view json) { return json.empty() || json == "null" ? "{}" : json; }
  static std::string Member(std::string_view name, std::string_view value) {
    return value.empty() ? "" : base::StrCat("\"", name, "\":", value, ",");
  }
  bool Keep(std::string request, std::string reason) { return sink_.Refuse(std::move(request), std::move(reason)); }

  RowSink& sink_;
  std::string_view resource_;  // as they came
  std::string_view scope_;
};

}  // namespace

absl::Status RowsOfOtlp(std::string_view request, RowSink& sink) {
  EventScanner scanner(request);
  // The Collector writes files with one request after the other.
  do {
    std::string_view object;
    if (scanner.Peek() != '{') return NotJson(scanner.position(), "wanted an object with resourceLogs");
    if (!scanner.Value(&object)) return NotJson(scanner.position(), "the object does not end");
    if (!Walk(sink).Request(object)) return absl::OkStatus();
  } while (!scanner.AtEnd());
  return absl::OkStatus();
}

}  // namespace logquery::store
