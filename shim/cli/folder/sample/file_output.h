// A file that appears whole or not at all: written under another name beside it, then renamed.
//
//     FileOutput file;
//     LOGQUERY_RETURN_IF_ERROR(file.Open("sample/edge.ndjson"));
//     LOGQUERY_RETURN_IF_ERROR(file.Write(text));
//     return file.Commit();
//
// Without Commit the destructor removes what was written. Not thread-safe.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_FILE_OUTPUT_H_
#define LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_FILE_OUTPUT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace logquery::shim {

class FileOutput {
 public:
  FileOutput() = default;
  ~FileOutput();
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  // All return Unavailable with the file's name and the system's reason.
  absl::Status Open(std::string path);
  absl::Status Write(std::string_view text);
  absl::Status Commit();

 private:
  absl::Status Failure(std::string_view what) const;

  std::string path_;
  std::string temporary_;
  int fd_ = -1;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_FILE_OUTPUT_H_
