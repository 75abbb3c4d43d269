// Buffers a few KiB, and writes longer texts, such as the body of an answer, without a copy.
#include "shim/cli/options/standard_output.h"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "lib/base/strings.h"
#include "shim/observe/line_writer.h"

namespace logquery::shim {
namespace {

constexpr size_t kBufferBytes = 8192;

}  // namespace

DescriptorBuffer::DescriptorBuffer(int descriptor)
    : descriptor_(descriptor), bytes_(std::make_unique<char[]>(kBufferBytes)) {
  setp(bytes_.get(), bytes_.get() + kBufferBytes);
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type next) {
  if (!WriteBuffered()) return traits_type::eof();
  if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
  return traits_type::not_eof(next);
}

std::streamsize DescriptorBuffer::xsputn(const char* text, std::streamsize size) {
  if (size > epptr() - pptr() && !WriteBuffered()) return 0;
  if (size > epptr() - pptr()) return Write({text, static_cast<size_t>(size)}) ? size : 0;
  std::memcpy(pptr(), text, static_cast<size_t>(size));
  pbump(static_cast<int>(size));
  return size;
}

int DescriptorBuffer::sync() {
  if (WriteBuffered()) return 0;
  errno = error_;
  return -1;
}

bool DescriptorBuffer::WriteBuffered() {
  const std::string_view buffered(pbase(), static_cast<size_t>(pptr() - pbase()));
  setp(bytes_.get(), bytes_.get() + kBufferBytes);
  return Write(buffered);
}

bool DescriptorBuffer::Write(std::string_view text) {
  if (error_ != 0) return false;
  if (WriteWhole(descriptor_, text)) return true;
  error_ = errno;
  return false;
}

absl::Status FlushOutput(std::ostream& out) {
  errno = 0;
  // Not flush(): a stream that has failed before does not call its buffer any more.
  const bool is_written = out.rdbuf()->pubsync() == 0 && !out.fail();
  const int error = errno;
  if (is_written || error == EPIPE) return absl::OkStatus();
  const char* const reason = error == 0 ? "a write failed" : std::strerror(error);
  return absl::UnavailableError(base::StrCat("can't write standard output: ", reason));
}

}  // namespace logquery::shim
