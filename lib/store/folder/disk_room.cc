// Asks the file system with statvfs.
#include "lib/store/folder/disk_room.h"

#include <sys/statvfs.h>

#include "absl/strings/str_cat.h"

namespace logquery::store {

absl::Status CheckRoom(const std::string& folder, int64_t bytes) {
  struct statvfs info;
  if (statvfs(folder.c_str(), &info) != 0 || info.f_blocks == 0) return absl::OkStatus();
  if (uint64_t{info.f_bavail} * info.f_frsize >= static_cast<uint64_t>(bytes)) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("the disk is full: less than ", bytes >> 20, " MiB are left on it"));
}

}  // namespace logquery::store
