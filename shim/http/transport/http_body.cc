// Reads by length or in chunks; a promised length reserves no memory.
#include "shim/http/transport/http_body.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// A body grows by so much at a time: a length that is only promised takes no memory.
constexpr size_t kPiece = 64 << 10;
// The longest line with a chunk's length and its extensions, which nobody uses, or with a trailer.
constexpr size_t kMaxLineBytes = 1 << 10;

HttpProblem TooShort() { return {400, "the request's body can't be read to its end"}; }
HttpProblem Malformed(std::string_view what) {
  return {400, base::StrCat("the chunks of the request's body are malformed: ", what)};
}

class BodyReader {
 public:
  BodyReader(absl::FunctionRef<ssize_t(char*, size_t)> read, std::string& body, size_t max_bytes)
      : read_(read), body_(body), max_bytes_(max_bytes) {}

  HttpProblem ReadExactly(size_t bytes) {
    if (bytes > max_bytes_ - body_.size()) return BodyTooLong(max_bytes_);
    size_t at = body_.size();
    const size_t end = at + bytes;
    while (at < end) {
      if (at == body_.size()) body_.resize(std::min(end, at + kPiece));
      const ssize_t count = read_(body_.data() + at, body_.size() - at);
      if (count <= 0) return TooShort();
      at += static_cast<size_t>(count);
    }
    return {};
  }

  HttpProblem ReadChunks() {
    while (true) {
      size_t bytes = 0;
      if (HttpProblem problem = ReadChunkLength(bytes); problem.status != 0) return problem;
      if (bytes == 0) return ReadTrailers();
      if (HttpProblem problem = ReadExactly(bytes); problem.status != 0) return problem;
      if (HttpProblem problem = ReadLine(); problem.status != 0) return problem;
      if (!line_.empty()) return Malformed("a chunk is longer than it says");
    }
  }

 private:
  // Into `line_`, without its CR LF.
  HttpProblem ReadLine() {
    line_.clear();
    while (!line_.ends_with("\r\n")) {
      char byte;
      if (read_(&byte, 1) != 1) return TooShort();
      if (byte == '\n' && !line_.ends_with('\r')) return Malformed("a line does not end in CR LF");
      line_ += byte;
      if (line_.size() > kMaxLineBytes) return Malformed("a line is longer than 1 KiB");
      if (++around_ > max_bytes_) return BodyTooLong(max_bytes_);
    }
    line_.resize(line_.size() - 2);
    return {};
  }

  HttpProblem ReadChunkLength(size_t& bytes) {
    if (HttpProblem problem = ReadLine(); problem.status != 0) return problem;
    const std::string_view digits = std::string_view(line_).substr(0, line_.find(';'));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes, 16);
    // from_chars takes a sign of no unsigned number, and no 0x.
    if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
      return Malformed("a chunk's length is not a hexadecimal number");
    }
    return error == std::errc() ? HttpProblem() : BodyTooLong(max_bytes_);
  }

  // They are dropped: nothing of a request is taken from behind its body.
  HttpProblem ReadTrailers() {
    do {
      if (HttpProblem problem = ReadLine(); problem.status != 0) return problem;
    } while (!line_.empty());
    return {};
  }

  absl::FunctionRef<ssize_t(char*, size_t)> read_;
  std::string& body_;
  const size_t max_bytes_;
  std::string line_;
  size_t around_ = 0;  // bytes of lines so far
};

}  // namespace

BodyLength BodyLengthOf(const HttpRequest& request) {
  BodyLength length;
  length.chunked = request.Header("Transfer-Encoding") != nullptr;
  if (const std::string* bytes = request.Header("Content-Length")) {
    std::from_chars(bytes->data(), bytes->data() + bytes->size(), length.bytes);
  }
  return length;
}

HttpProblem BodyTooLong(size_t max_bytes) {
  return {413, base::StrCat("the request's body is longer than ", max_bytes >> 20, " MiB")};
}

HttpProblem ReadBody(const BodyLength& length, absl::FunctionRef<ssize_t(char*, size_t)> read, std::string& body,
                     size_t max_bytes) {
  body.clear();
  BodyReader reader(read, body, max_bytes);
  return length.chunked ? reader.ReadChunks() : reader.ReadExactly(length.bytes);
}

}  // namespace logquery::shim
