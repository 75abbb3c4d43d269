// Checks free space on the disk of a folder.
#ifndef LOGQUERY_LIB_STORE_FOLDER_DISK_ROOM_H_
#define LOGQUERY_LIB_STORE_FOLDER_DISK_ROOM_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace logquery::store {

// The store stops writing when less is left, because a full disk shuts the engine down (see engine.h).
inline constexpr int64_t kReserveBytes = 64 << 20;

// ResourceExhausted: less than `bytes` are free. Returns OK if the free space is unknown.
absl::Status CheckRoom(const std::string& folder, int64_t bytes = kReserveBytes);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_DISK_ROOM_H_
