// The files of one load, which may have to be read again. Files that can't be opened twice stay open.
#ifndef LOGQUERY_LIB_STORE_ROWS_INPUT_FILES_H_
#define LOGQUERY_LIB_STORE_ROWS_INPUT_FILES_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {

// Not thread-safe.
class InputFiles {
 public:
  // Copies are put in `spool_folder`. `keeps_all`: keeps all files open, so that no digest is computed twice; not for
  // many files.
  InputFiles(std::string spool_folder, bool keeps_all)
      : spool_folder_(std::move(spool_folder)), keeps_all_(keeps_all) {}

  // Opens the file at its beginning; it lives until the next call. Statuses: those of InputFile::Open.
  absl::StatusOr<InputFile*> Open(const std::string& name);

 private:
  const std::string spool_folder_;
  const bool keeps_all_;
  base::StringMap<std::unique_ptr<InputFile>> kept_;
  std::unique_ptr<InputFile> last_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_INPUT_FILES_H_
