// Finds the events in a body without building a document.
#include "logquery/store/split_events.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/store/ingest/checked_json.h"
#include "lib/store/ingest/cloud_event.h"
#include "lib/store/ingest/event_scanner.h"
#include "lib/store/ingest/event_shapes.h"
#include "lib/store/ingest/otlp_json.h"
#include "lib/store/ingest/otlp_protobuf.h"
#include "lib/store/ingest/row_sink.h"
#include "lib/store/rows/row_batch.h"
#include "logquery/error.h"

namespace logquery {
namespace store {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Visits the events of an object {"batch":[…]}. Returns false if it is none, which an object with a message is not, or
// `visit` returned false.
bool ForEachInBatch(std::string_view object, absl::FunctionRef<bool(std::string_view event)> visit) {
  EventScanner scanner(object);
  bool has_batch = false;
  if (!scanner.TakeIf('{')) return false;
  do {
    std::string_view key;
    std::string_view value;
    if (!scanner.Key(&key) || key == "message" || key == "event_message" || key == "log_entry") return false;
    const bool is_batch = key == "batch" && scanner.TakeIf('[');
    has_batch = has_batch || is_batch;
    if (is_batch && scanner.TakeIf(']')) continue;
    do {
      if (!scanner.Element(is_batch ? ']' : '}', &value) || (is_batch && !visit(value))) return false;
    } while (is_batch && scanner.TakeIf(','));
    if (is_batch && !scanner.TakeIf(']')) return false;
  } while (scanner.TakeIf(','));
  return has_batch && scanner.TakeIf('}') && scanner.AtEnd();
}

bool IsBatch(std::string_view object) {
  return object.find("\"batch\"") != object.npos && ForEachInBatch(object, [](std::string_view) { return true; });
}

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// Counts what rows take beside the body, and asks for memory before they take it.
class RowMemory {
 public:
  // `options` is borrowed.
  explicit RowMemory(const SplitOptions& options) : options_(options) {}

  // Memory for so many bytes beside those that are used already; they may turn out to be fewer.
  absl::Status MakeRoom(size_t bytes) {
    if (bytes > options_.max_made_bytes || used_ > options_.max_made_bytes - bytes) return TooLong();
    const size_t needed = used_ + bytes;
    if (needed <= granted_) return absl::OkStatus();
    const size_t more = std::max(needed - granted_, kStep);
    if (options_.grow && !options_.grow(more)) return NoMemory();
    granted_ += more;
    return absl::OkStatus();
  }

  absl::Status Use(size_t bytes) {
    LOGQUERY_RETURN_IF_ERROR(MakeRoom(bytes));
    used_ += bytes;
    return absl::OkStatus();
  }

 private:
  // The bytes asked for at once: many rows are short.
  static constexpr size_t kStep = 4 << 10;

  absl::Status TooLong() const {
    return absl::OutOfRangeError(base::StrCat("the rows of the body take more than ", options_.max_made_bytes >> 20,
                                              " MiB; send its events in several requests"));
  }
  static absl::Status NoMemory() {
    ErrorDetails details;
    details.retry_after = absl::Seconds(1);
    return WithErrorDetails(
        absl::ResourceExhaustedError("there is no memory for the rows of the body just now; send it again later"),
        details);
  }

  const SplitOptions& options_;
  size_t granted_ = 0;
  size_t used_ = 0;
};

// Splits one body. Only what is around the events must be right: each of them is judged by itself.
class Splitter : public RowSink {
 public:
  // `options` is borrowed.
  explicit Splitter(const SplitOptions& options) : options_(options) {}

  absl::Status Split(std::string_view body) {
    body_ = body;
    if (options_.shape == EventShape::kOtlpProtobuf) return Otlp(RowsOfOtlpProtobuf(body, *this));
    if (options_.shape == EventShape::kCloudEventData) return CloudEventData(body);
    if (body.substr(0, kByteOrderMark.size()) == kByteOrderMark) body.remove_prefix(kByteOrderMark.size());
    body_ = body;
    if (options_.by_lines && options_.shape != EventShape::kOtlp) return Lines(body);
    if (IsBlank(body)) return absl::InvalidArgumentError("the body is empty");
    if (options_.shape == EventShape::kOtlp) return Otlp(RowsOfOtlp(body, *this));
    EventScanner scanner(body);
    if (scanner.Peek() == '[') return Array(scanner);
    if (scanner.Peek() == '{') return Objects(scanner);
    return Broken(scanner.position(), "wanted an array of events, or an event");
  }

  EventTexts Take() { return std::move(events_); }

 private:
  // Refuses the body as a whole, with what is wrong at the byte.
  absl::Status Broken(size_t at, std::string_view what) {
    return Broken(
        base::StrCat("the body is not JSON: character ", base::CountCodePoints(body_.substr(0, at)) + 1, ": ", what));
  }

  absl::Status Broken(std::string reason) {
    events_ = EventTexts();
    if (options_.shape == EventShape::kOtlpProtobuf) {
      LOGQUERY_RETURN_IF_ERROR(memory_.MakeRoom(2 * body_.size()));
      if (!Refuse(TextOfOtlpProtobuf(body_), reason)) return status_;
    } else {
      LOGQUERY_RETURN_IF_ERROR(KeepRefused(body_, reason));
    }
    events_.broken = std::move(reason);
    return absl::OkStatus();
  }

  absl::Status Array(EventScanner& scanner) {
    std::string_view event;
    scanner.TakeIf('[');
    if (!scanner.TakeIf(']')) {
      do {
        if (!scanner.Element(']', &event))
          return Broken(scanner.position(), "the array does not end behind this event");
        LOGQUERY_RETURN_IF_ERROR(Add(event));
      } while (scanner.TakeIf(','));
      scanner.TakeIf(']');
    }
    // Lines may be arrays, too, but collectors say so by the type of the body.
    return scanner.AtEnd() ? absl::OkStatus() : Broken(scanner.position(), "wanted the end of the body");
  }

  absl::Status Objects(EventScanner& scanner) {
    if (IsBatch(body_)) return Object(body_);
    std::string_view object;
    if (!scanner.Value(&object)) {
      if (HasLineOfObject()) return Lines(body_);
      return Broken(scanner.position(), "the object does not end");
    }
    // An object after an object: each on a line of its own, or without anything in between.
    const size_t end = scanner.position();
    if (scanner.Peek() == '{') return scanner.position() == end ? Stream() : Lines(body_);
    if (!scanner.AtEnd()) return Broken(scanner.position(), "wanted the end of the body");
    return Object(object);
  }

  // Returns whether a line after the first looks like an event, so that the body consists of lines of which the first
  // is broken.
  bool HasLineOfObject() const {
    for (size_t at = body_.find("\n{"); at != body_.npos; at = body_.find("\n{", at + 1)) {
      EventScanner scanner(body_.substr(at + 1, body_.find('\n', at + 1) - at - 1));
      std::string_view object;
      if (scanner.Value(&object) && scanner.AtEnd()) return true;
    }
    return false;
  }

  absl::Status Object(std::string_view object) {
    if (!IsBatch(object)) return Add(object);
    absl::Status status;
    ForEachInBatch(object, [&](std::string_view event) {
      status = Add(event);
      return status.ok();
    });
    return status;
  }

  // `array` begins with a bracket.
  absl::Status Elements(std::string_view array) {
    EventScanner scanner(array);
    std::string_view event;
    scanner.TakeIf('[');
    if (scanner.TakeIf(']')) return absl::OkStatus();
    do {
      if (!scanner.Element(']', &event)) return KeepRefused(scanner.rest(), "the array does not end behind this event");
      LOGQUERY_RETURN_IF_ERROR(Add(event));
    } while (scanner.TakeIf(','));
    scanner.TakeIf(']');
    return scanner.AtEnd() ? absl::OkStatus() : KeepRefused(scanner.rest(), "wanted the end of the array");
  }

  absl::Status Stream() {
    EventScanner scanner(body_);
    std::string_view event;
    while (!scanner.AtEnd()) {
      // Text that does not begin an object is one broken event up to the end, and so is an object that does not end.
      if (!scanner.Value(&event)) return Add(scanner.rest());
      LOGQUERY_RETURN_IF_ERROR(Add(event));
    }
    return absl::OkStatus();
  }

  absl::Status Lines(std::string_view body) {
    while (!body.empty()) {
      const size_t end = std::min(body.find('\n'), body.size());
      const std::string_view line = body.substr(0, end);
      body.remove_prefix(std::min(end + 1, body.size()));
      if (!IsBlank(line)) LOGQUERY_RETURN_IF_ERROR(Line(line));
    }
    return absl::OkStatus();
  }

  absl::Status Line(std::string_view line) {
    EventScanner scanner(line);
    std::string_view array;
    if (scanner.Peek() == '[' && scanner.Value(&array) && scanner.AtEnd()) return Elements(array);
    return Object(line);
  }

  absl::Status Otlp(const absl::Status& form) {
    return status_.ok() && !form.ok() ? Broken(std::string(form.message())) : status_;
  }

  // Keeps a CloudEvent in JSON, so that it is the same event in either mode, also if it is refused.
  absl::Status CloudEventData(std::string_view body) {
    LOGQUERY_RETURN_IF_ERROR(memory_.MakeRoom((kMaxJoinedGrowth + 1) * body.size() + options_.attributes.size()));
    JoinedCloudEvent joined = JoinCloudEvent(options_.attributes, body);
    LOGQUERY_RETURN_IF_ERROR(memory_.Use(joined.json.size() + sizeof(std::string)));
    const std::string_view event = events_.made.emplace_back(std::move(joined.json));
    return joined.problem.empty() ? Add(event) : KeepRefused(event, std::move(joined.problem));
  }

  absl::Status Add(std::string_view event) {
    if (options_.shape == EventShape::kRow) return Keep(event);
    const bool is_decoded = IsCloudEvent() && event.find("\"data_base64\"") != event.npos;
    LOGQUERY_RETURN_IF_ERROR(memory_.MakeRoom((is_decoded ? kMaxDecodedGrowth : kMaxRowGrowth + 1) * event.size()));
    const CheckedJson checked(event);
    if (!checked.problem().empty()) return KeepRefused(event, checked.problem());
    absl::StatusOr<std::string> row = RowOf(checked.text());
    if (!row.ok()) return KeepRefused(event, std::string(base::Message(row.status())));
    if (row->size() <= kMaxLineBytes) return KeepMade(*std::move(row));
    return KeepRefused(event, base::StrCat("its row is longer than ", kMaxLineBytes >> 20, " MiB"));
  }

  bool IsCloudEvent() const {
    return options_.shape == EventShape::kCloudEvent || options_.shape == EventShape::kCloudEventData;
  }

  // InvalidArgument: the event is not of the body's shape.
  absl::StatusOr<std::string> RowOf(std::string_view event) const {
    if (IsCloudEvent()) return RowOfCloudEvent(event, options_.log);
    if (options_.shape == EventShape::kVector) return RowOfVector(event);
    return options_.shape == EventShape::kCloudflare ? RowOfCloudflare(event) : RowOfObject(event);
  }

  bool MakeRoom(size_t bytes) override { return IsOk(memory_.MakeRoom(bytes)); }
  bool Take(std::string row) override { return IsOk(KeepMade(std::move(row))); }
  bool Refuse(std::string event, std::string reason) override {
    return IsOk(memory_.Use(event.size() + sizeof(std::string))) &&
           IsOk(KeepRefused(events_.made.emplace_back(std::move(event)), std::move(reason)));
  }
  void Warn(std::string warning) override {
    if (events_.warning.empty()) events_.warning = std::move(warning);
  }

  bool IsOk(const absl::Status& status) {
    status_.Update(status);
    return status_.ok();
  }

  absl::Status KeepMade(std::string row) {
    LOGQUERY_RETURN_IF_ERROR(memory_.Use(row.size() + sizeof(std::string)));
    return Keep(events_.made.emplace_back(std::move(row)));
  }

  absl::Status KeepRefused(std::string_view event, std::string reason) {
    LOGQUERY_RETURN_IF_ERROR(memory_.Use(sizeof(RejectedEvent) + reason.size()));
    events_.refused.push_back({static_cast<int64_t>(events_.rows.size()), std::move(reason)});
    return Keep(event);
  }

  absl::Status Keep(std::string_view row) {
    if (events_.rows.size() == options_.max_events) {
      return absl::InvalidArgumentError(
          base::StrCat("the body has more than ", options_.max_events, " events; send them in several requests"));
    }
    LOGQUERY_RETURN_IF_ERROR(memory_.Use(sizeof(std::string_view)));
    events_.rows.push_back(row);
    return absl::OkStatus();
  }

  const SplitOptions& options_;
  RowMemory memory_{options_};
  std::string_view body_;
  absl::Status status_;  // why a walk ended
  EventTexts events_;
};

}  // namespace
}  // namespace store

absl::StatusOr<EventTexts> SplitEvents(std::string_view body, const SplitOptions& options) {
  store::Splitter splitter(options);
  LOGQUERY_RETURN_IF_ERROR(splitter.Split(body));
  return splitter.Take();
}

}  // namespace logquery
