// Room on the disk that a folder is on.
#ifndef LOGQUERY_LIB_STORE_FOLDER_DISK_ROOM_H_
#define LOGQUERY_LIB_STORE_FOLDER_DISK_ROOM_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace logquery::store {

// What is left when the store gives up. Better there than where the engine finds no room: see engine.h.
inline constexpr int64_t kReserveBytes = 64 << 20;

// ResourceExhausted: less than `bytes` are left. OK also where it can't be told.
absl::Status CheckRoom(const std::string& folder, int64_t bytes = kReserveBytes);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_DISK_ROOM_H_
