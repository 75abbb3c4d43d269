// The rights of a token to write, on a server that accepts logs over HTTP.
#ifndef LOGQUERY_INGEST_RIGHTS_H_
#define LOGQUERY_INGEST_RIGHTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logquery {

struct IngestRights {
  std::optional<std::vector<std::string>> logs = std::nullopt;  // names of logs or of their tables; absent: all logs
  bool may_learn = false;  // undeclared fields become columns; otherwise they are kept as JSON
  std::optional<int64_t> rows_per_second = std::nullopt;
  std::optional<int64_t> bytes_per_day = std::nullopt;  // of uncompressed bodies, per UTC day

  // Returns whether the token may write to `table`, which stores the log `log`. Names compare case-insensitively.
  bool MayWrite(std::string_view table, std::string_view log) const;
};

}  // namespace logquery

#endif  // LOGQUERY_INGEST_RIGHTS_H_
