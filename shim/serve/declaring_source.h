// Definitions whose folder also declares logs: each reading takes the logs into the store first, so that the definitions which come
// with them find their tables. Where the logs can't be taken, the definitions that serve stay.
#ifndef LOGQUERY_SHIM_SERVE_DECLARING_SOURCE_H_
#define LOGQUERY_SHIM_SERVE_DECLARING_SOURCE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "logquery/endpoint_source.h"

namespace logquery::shim {

// Thread-safe.
class DeclaringSource : public EndpointSource {
 public:
  using Declare = std::function<absl::Status(const std::string& source, const std::string& json)>;

  // `definitions` may be nullptr: there are none of a folder. `schema` and `endpoints` are as ReadOwnLogsFile has them.
  DeclaringSource(std::unique_ptr<EndpointSource> definitions, std::string schema, std::string endpoints,
                  Declare declare)
      : definitions_(std::move(definitions)),
        schema_(std::move(schema)),
        endpoints_(std::move(endpoints)),
        declare_(std::move(declare)) {}

  // ReadOwnLogsFile's, DuckDbBackend::DeclareLogs' and the definitions' statuses.
  absl::StatusOr<EndpointSet> Read() override;
  std::unique_ptr<Watch> OnChange(std::function<void()> changed) override;

 private:
  const std::unique_ptr<EndpointSource> definitions_;
  const std::string schema_;
  const std::string endpoints_;
  const Declare declare_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_DECLARING_SOURCE_H_
