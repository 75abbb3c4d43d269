// Looks for the folder without opening it.
#include "lib/serving/deployment/data_folder.h"

#include <filesystem>
#include <system_error>

#include "lib/base/strings.h"

namespace logquery::serving {

absl::Status CheckFolderExists(const std::string& folder) {
  std::error_code unknown;  // opening the folder says why it can't be looked at
  if (std::filesystem::exists(folder, unknown) || unknown) return absl::OkStatus();
  return absl::NotFoundError(base::StrCat("there is no folder ", folder, "; make it, or load logs into it"));
}

}  // namespace logquery::serving
