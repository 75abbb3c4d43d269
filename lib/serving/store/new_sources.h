// Sources that become logs by being written to, as Logflare has them: which may, and what such a log is declared as.
//
//     if (absl::IsNotFound(found)) found = new_sources.Check(catalog, owned, principal, "my-app.prod", found);
//     … LOGQUERY_RETURN_IF_ERROR(new_sources.Make("my-app.prod"));     the table my-app.prod, the log my_app_prod
#ifndef LOGQUERY_LIB_SERVING_STORE_NEW_SOURCES_H_
#define LOGQUERY_LIB_SERVING_STORE_NEW_SOURCES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "logquery/authenticator.h"
#include "logquery/catalog.h"

namespace logquery::serving {

// Thread-safe.
class NewSources {
 public:
  // Has the arguments and statuses of LogReceiverOptions::declare.
  using Declare = std::function<absl::Status(const std::string& source, const std::string& json)>;

  // `max_logs`: for each project, and for all tokens together that are not limited to one; 0: no source becomes a log.
  NewSources(int64_t max_logs, Declare declare) : max_logs_(max_logs), declare_(std::move(declare)) {}

  // Returns OK if the principal, whose project has `owned` logs of sources, may make a log of this source, which `catalog` does
  // not have. Otherwise returns `not_found`, with the reason if sources become logs at all. InvalidArgument: no log may have
  // this name.
  absl::Status Check(const Catalog& catalog, int64_t owned, const Principal& principal, std::string_view source,
                     const absl::Status& not_found) const;
  // The same for a source that is a log already, but not one of the principal's project.
  absl::Status CheckJoin(int64_t owned, const Principal& principal, const absl::Status& not_found) const;
  // Declares the log of a source that passed Check. Statuses: those of `declare`.
  absl::Status Make(const std::string& source) const;

 private:
  const int64_t max_logs_;
  const Declare declare_;
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_STORE_NEW_SOURCES_H_
