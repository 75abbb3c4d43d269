// Standard output whose errors are known: what a command printed is on its way, or the command fails and says why.
//
// A standard stream only says that a write failed. DescriptorBuffer keeps the reason until the end of the command.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_STANDARD_OUTPUT_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_STANDARD_OUTPUT_H_

#include <memory>
#include <ostream>
#include <streambuf>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::shim {

// A buffer of a stream that writes to a descriptor, which it does not own. After the first write that fails nothing more is
// written; sync() then fails, and sets errno to the error of that write.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);

 protected:
  int_type overflow(int_type next) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool WriteBuffered();
  bool Write(std::string_view text);

  const int descriptor_;
  const std::unique_ptr<char[]> bytes_;
  int error_ = 0;  // the errno of the write that failed
};

// Writes what `out` has buffered. OK: everything that was printed to it is written, or its reader closed the pipe because it has
// read enough. Unavailable: a write failed, now or earlier.
absl::Status FlushOutput(std::ostream& out);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_STANDARD_OUTPUT_H_
