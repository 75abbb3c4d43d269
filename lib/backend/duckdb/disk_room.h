// Room on the disk that a folder is on.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_DISK_ROOM_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_DISK_ROOM_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace logquery::duckdb {

// What is left when the store gives up. Better there than where the engine finds no room: see engine.h.
inline constexpr int64_t kReserveBytes = 64 << 20;

// ResourceExhausted: less than `bytes` are left. OK also where it can't be told.
absl::Status CheckRoom(const std::string& folder, int64_t bytes = kReserveBytes);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_DISK_ROOM_H_
