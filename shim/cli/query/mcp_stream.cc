// Reads lines with a bound on their length, and keeps the requests that run by their ids.
#include "shim/cli/query/mcp_stream.h"

#include <optional>
#include <utility>
#include <vector>

#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "lib/serving/mcp/json_rpc.h"

namespace logquery::shim {
namespace {

using serving::RpcMessage;

struct Line {
  std::string text;
  bool is_too_long = false;
};

// nullopt: the stream has ended. No rest of a line that is too long is kept.
std::optional<Line> ReadLine(std::istream& in, size_t max_bytes) {
  using Traits = std::istream::traits_type;
  Line line;
  std::streambuf* const buffer = in.rdbuf();
  Traits::int_type next = buffer->sbumpc();
  if (Traits::eq_int_type(next, Traits::eof())) return std::nullopt;
  for (; !Traits::eq_int_type(next, Traits::eof()); next = buffer->sbumpc()) {
    const char c = Traits::to_char_type(next);
    if (c == '\n') break;
    if (line.text.size() < max_bytes) {
      line.text += c;
    } else {
      line.is_too_long = true;
    }
  }
  return line;
}

bool IsBlank(std::string_view text) { return text.find_first_not_of(" \t\r") == text.npos; }

}  // namespace

bool McpStream::Serve(std::istream& in) {
  while (std::optional<Line> line = ReadLine(in, kMaxLineBytes)) {
    if (line->is_too_long) {
      absl::MutexLock lock(&mutex_);
      Write(serving::RpcErrorText(
          nullptr,
          {serving::kRpcInvalidRequest, base::StrCat("the line is longer than ", kMaxLineBytes, " bytes"), nullptr}));
    } else if (!IsBlank(line->text)) {
      Take(line->text);
    }
    absl::MutexLock lock(&mutex_);
    const auto has_room = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return is_broken_ || running_.size() < static_cast<size_t>(kMaxRunning);
    };
    mutex_.Await(absl::Condition(&has_room));
    if (is_broken_) break;
  }
  absl::MutexLock lock(&mutex_);
  const auto is_done = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return running_.empty(); };
  mutex_.Await(absl::Condition(&is_done));
  return !is_broken_;
}

void McpStream::Take(std::string_view line) {
  const RpcMessage message = serving::ParseRpcMessage(line, kMaxLineBytes);
  if (message.kind == RpcMessage::Kind::kNotification && message.method == "notifications/cancelled") {
    if (message.params.is_object()) Cancel(std::as_const(message.params)["requestId"].ToString());
    return;
  }
  if (message.kind != RpcMessage::Kind::kRequest) {
    handle_(line, CancellationToken(), [this](const std::string& answer) {
      absl::MutexLock lock(&mutex_);
      if (!answer.empty()) Write(answer);
    });
    return;
  }
  const std::string id = message.id.ToString();
  CancellationToken cancellation;
  {
    absl::MutexLock lock(&mutex_);
    const auto [running, is_new] = running_.try_emplace(id);
    if (!is_new) {
      return Write(serving::RpcErrorText(
          message.id, {serving::kRpcInvalidRequest, "a request with this id is still running", nullptr}));
    }
    cancellation = running->second.cancellation.token();
  }
  handle_(line, cancellation, [this, id](const std::string& answer) { Finish(id, answer); });
}

void McpStream::Finish(const std::string& id, const std::string& answer) {
  std::vector<CancellationSource> others;
  {
    absl::MutexLock lock(&mutex_);
    if (!running_[id].is_cancelled && !answer.empty()) Write(answer);
    if (is_broken_) others = TakeToCancel(id);
  }
  // As long as this request is there, Serve waits, and this object lives.
  for (CancellationSource& source : others) source.Cancel();
  absl::MutexLock lock(&mutex_);
  running_.erase(id);
}

std::vector<CancellationSource> McpStream::TakeToCancel(const std::string& except) {
  std::vector<CancellationSource> sources;
  for (auto& [id, request] : running_) {
    if (id == except || request.is_cancelled) continue;
    request.is_cancelled = true;
    sources.push_back(request.cancellation);
  }
  return sources;
}

// Cancels without the mutex: that may end the request on this thread.
void McpStream::Cancel(const std::string& id) {
  std::optional<CancellationSource> source;
  {
    absl::MutexLock lock(&mutex_);
    const auto running = running_.find(id);
    if (running == running_.end()) return;
    running->second.is_cancelled = true;
    source = running->second.cancellation;
  }
  source->Cancel();
}

void McpStream::Write(const std::string& line) {
  if (is_broken_) return;
  out_ << line << "\n" << std::flush;
  is_broken_ = !out_;
}

}  // namespace logquery::shim
