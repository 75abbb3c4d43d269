// Reopens files by name, except those that can't be opened twice.
#include "lib/store/rows/input_files.h"

#include "lib/base/status_macros.h"

namespace logquery::store {

absl::StatusOr<InputFile*> InputFiles::Open(const std::string& name) {
  if (const auto kept = kept_.find(name); kept != kept_.end()) {
    LOGQUERY_RETURN_IF_ERROR(kept->second->Rewind());
    return kept->second.get();
  }
  LOGQUERY_ASSIGN_OR_RETURN(last_, InputFile::Open(name, spool_folder_));
  if (!keeps_all_ && name != "-") return last_.get();
  return kept_.emplace(name, std::move(last_)).first->second.get();
}

}  // namespace logquery::store
