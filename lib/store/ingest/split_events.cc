// Finds the events in a body without building a document.
#include "logquery/store/split_events.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/event_shapes.h"
#include "lib/store/ingest/json_members.h"
#include "lib/store/ingest/otlp_protobuf.h"
#include "lib/store/rows/json_reader.h"
#include "logquery/error.h"

namespace logquery {
namespace store {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

absl::Status NotJson(const JsonReader& reader) {
  return absl::InvalidArgumentError(
      base::StrCat("the body is not JSON: character ", reader.error_column(), ": ", reader.error()));
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
  // Asked for at once: many rows are short.
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

class Splitter {
 public:
  // `options` is borrowed.
  explicit Splitter(const SplitOptions& options) : options_(options) {}

  absl::Status Split(std::string_view body) {
    if (options_.shape == EventShape::kOtlpProtobuf) return OtlpProtobuf(body);
    if (body.substr(0, kByteOrderMark.size()) == kByteOrderMark) body.remove_prefix(kByteOrderMark.size());
    if (options_.shape == EventShape::kOtlp) return Otlp(body);
    if (options_.by_lines) return Lines(body);
    JsonReader reader(body);
    const char first = reader.Peek();
    if (first == '[') return Array(reader);
    if (first != '{') {
      reader.FailWanted("an array of events, or an event");
      return NotJson(reader);
    }
    std::string_view object;
    if (!reader.SkipValue(/*keys_differ=*/false, &object)) return NotJson(reader);
    // An object after an object: each on a line of its own, or without anything in between.
    if (reader.Peek() == '{') return object.end() == reader.Mark() ? Stream(body) : Lines(body);
    if (!reader.AtEnd()) {
      reader.FailWanted("the end of the body");
      return NotJson(reader);
    }
    return Object(object);
  }

  EventTexts Take() { return std::move(events_); }

 private:
  absl::Status Array(JsonReader& reader) {
    std::string_view event;
    if (!reader.TakeIf('[')) return NotJson(reader);
    if (!reader.TakeIf(']')) {
      do {
        if (!reader.SkipValue(/*keys_differ=*/false, &event)) return NotJson(reader);
        LOGQUERY_RETURN_IF_ERROR(Add(event));
      } while (reader.TakeIf(','));
      if (!reader.TakeIf(']')) {
        reader.FailWanted("',' or ']'");
        return NotJson(reader);
      }
    }
    if (reader.AtEnd()) return absl::OkStatus();
    // Lines may be arrays, too, but no collector writes them.
    reader.FailWanted("the end of the body");
    return NotJson(reader);
  }

  absl::Status Object(std::string_view object) {
    std::string_view batch;
    ForEachMember(object, [&](std::string_view key, std::string_view value) {
      if (key == "batch" && value.front() == '[') batch = value;
    });
    if (batch.empty()) return Add(object);
    absl::Status status;
    ForEachElementWhile(batch, [&](std::string_view event) {
      status = Add(event);
      return status.ok();
    });
    return status;
  }

  absl::Status Stream(std::string_view body) {
    JsonReader reader(body);
    std::string_view event;
    while (!reader.AtEnd()) {
      if (!reader.SkipValue(/*keys_differ=*/false, &event)) return NotJson(reader);
      LOGQUERY_RETURN_IF_ERROR(Add(event));
    }
    return absl::OkStatus();
  }

  absl::Status Lines(std::string_view body) {
    while (!body.empty()) {
      const size_t end = std::min(body.find('\n'), body.size());
      const std::string_view line = body.substr(0, end);
      body.remove_prefix(std::min(end + 1, body.size()));
      if (!IsBlank(line)) LOGQUERY_RETURN_IF_ERROR(Add(line));
    }
    return absl::OkStatus();
  }

  absl::Status Otlp(std::string_view body) {
    JsonReader reader(body);
    std::string_view request;
    if (reader.Peek() != '{') {
      reader.FailWanted("an object with resourceLogs");
      return NotJson(reader);
    }
    if (!reader.SkipValue(/*keys_differ=*/false, &request)) return NotJson(reader);
    if (!reader.AtEnd()) {
      reader.FailWanted("the end of the body");
      return NotJson(reader);
    }
    absl::Status status;
    RowsOfOtlp(
        request, [&](size_t bytes) { return MakeRoom(bytes, status); },
        [&](std::string row) { return TakeRow(std::move(row), status); });
    return status;
  }

  absl::Status OtlpProtobuf(std::string_view body) {
    absl::Status status;
    const absl::Status form = RowsOfOtlpProtobuf(
        body, [&](size_t bytes) { return MakeRoom(bytes, status); },
        [&](std::string row) { return TakeRow(std::move(row), status); });
    return status.ok() ? form : status;
  }

  bool MakeRoom(size_t bytes, absl::Status& status) {
    status = memory_.MakeRoom(bytes);
    return status.ok();
  }

  bool TakeRow(std::string row, absl::Status& status) {
    status = KeepMade(std::move(row));
    return status.ok();
  }

  absl::Status Add(std::string_view event) {
    if (options_.shape == EventShape::kRow || !IsObject(event)) return Keep(event);
    LOGQUERY_RETURN_IF_ERROR(memory_.MakeRoom(kMaxRowGrowth * event.size()));
    return KeepMade(options_.shape == EventShape::kVector ? RowOfVector(event) : RowOfObject(event));
  }

  absl::Status KeepMade(std::string row) {
    LOGQUERY_RETURN_IF_ERROR(memory_.Use(row.size() + sizeof(std::string)));
    return Keep(events_.made.emplace_back(std::move(row)));
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

  // What is none is kept as it came, and rejected as a row with the reason.
  static bool IsObject(std::string_view event) {
    JsonReader reader(event);
    std::string_view object;
    return reader.Peek() == '{' && reader.SkipValue(/*keys_differ=*/false, &object) && reader.AtEnd();
  }

  const SplitOptions& options_;
  RowMemory memory_{options_};
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
