// A source of definitions whose folder also declares logs. Each read first adds the logs to the store, so that new
// definitions find their tables. If the logs can't be added, the current definitions stay in use. Declared logs, now or by an
// earlier declaration that the store keeps, bring the endpoint my.logs, unless a definition has its name.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_DECLARING_SOURCE_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_DECLARING_SOURCE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint_source.h"

namespace logquery::serving {

// Thread-safe.
class DeclaringSource : public EndpointSource {
 public:
  using Declare = std::function<absl::Status(const std::string& source, const std::string& json)>;

  using StoredLogs = std::function<absl::StatusOr<std::vector<Table>>()>;

  // `definitions` may be nullptr: there is no folder of definitions. `declare` may be nullptr: the store is only read.
  // `schema` and `endpoints`: see ReadOwnLogsFile. `stored` returns the logs that were declared at any time.
  DeclaringSource(std::unique_ptr<EndpointSource> definitions, std::string schema, std::string endpoints,
                  Declare declare, StoredLogs stored)
      : definitions_(std::move(definitions)),
        schema_(std::move(schema)),
        endpoints_(std::move(endpoints)),
        declare_(std::move(declare)),
        stored_(std::move(stored)) {}

  // Statuses: those of ReadOwnLogsFile, DuckDbBackend::DeclareLogs, `stored` and the definitions.
  absl::StatusOr<EndpointSet> Read() override;
  std::unique_ptr<Watch> OnChange(std::function<void()> changed) override;

 private:
  const std::unique_ptr<EndpointSource> definitions_;
  const std::string schema_;
  const std::string endpoints_;
  const Declare declare_;
  const StoredLogs stored_;
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_DECLARING_SOURCE_H_
