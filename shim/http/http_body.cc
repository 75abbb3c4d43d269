#include "shim/http/http_body.h"

#include <charconv>
#include <string_view>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr size_t kMaxBytes = static_cast<size_t>(kMaxBodyBytes);
// Of a chunk's length with its extensions, which nobody uses, or of a trailer.
constexpr size_t kMaxLineBytes = 1 << 10;

HttpProblem TooLong() { return {413, "the request's body is longer than 1 MiB"}; }
HttpProblem TooShort() { return {400, "the request's body can't be read to its end"}; }
HttpProblem Malformed(std::string_view what) {
  return {400, base::StrCat("the chunks of the request's body are malformed: ", what)};
}

class BodyReader {
 public:
  BodyReader(absl::FunctionRef<ssize_t(char*, size_t)> read, std::string& body) : read_(read), body_(body) {}

  HttpProblem ReadExactly(size_t bytes) {
    if (bytes > kMaxBytes - body_.size()) return TooLong();
    size_t at = body_.size();
    body_.resize(at + bytes);
    while (at < body_.size()) {
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
      if (++around_ > kMaxBytes) return TooLong();
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
    return error == std::errc() ? HttpProblem() : TooLong();
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

HttpProblem ReadBody(const BodyLength& length, absl::FunctionRef<ssize_t(char*, size_t)> read, std::string& body) {
  body.clear();
  BodyReader reader(read, body);
  return length.chunked ? reader.ReadChunks() : reader.ReadExactly(length.bytes);
}

}  // namespace logquery::shim
