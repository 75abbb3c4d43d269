// What a token may write, where a server takes logs in over HTTP.
#ifndef LOGQUERY_INGEST_RIGHTS_H_
#define LOGQUERY_INGEST_RIGHTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logquery {

struct IngestRights {
  std::optional<std::vector<std::string>> logs = std::nullopt;  // names of logs or of their tables; absent: all
  bool may_learn = false;  // fields that are not declared become columns; otherwise they are kept as JSON
  std::optional<int64_t> rows_per_second = std::nullopt;
  std::optional<int64_t> bytes_per_day = std::nullopt;  // of unpacked bodies, in a day of UTC

  // Whether it may write the table of that name, whose log has that short name. Compared without regard to case.
  bool MayWrite(std::string_view table, std::string_view log) const;
};

}  // namespace logquery

#endif  // LOGQUERY_INGEST_RIGHTS_H_
