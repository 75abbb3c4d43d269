// Supplies a service with definitions that may change while it runs: from a folder (endpoint_folder.h), or from a table
// or control plane of your own.
//
//     class Table : public logquery::EndpointSource {
//       absl::StatusOr<logquery::EndpointSet> Read() override { return logquery::EndpointSet{rows, version}; }
//     };
//     options.source = &table;                                         // QueryServiceOptions
//     service->Reload();          // reads it again; a source can also announce changes (OnChange)
//
// A new set replaces the previous one as a whole, and only if all of its definitions are valid. Implementations must be
// thread-safe.
#ifndef LOGQUERY_ENDPOINT_SOURCE_H_
#define LOGQUERY_ENDPOINT_SOURCE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"

namespace logquery {

struct EndpointSet {
  std::vector<Endpoint> endpoints;
  std::string revision;  // changes whenever the endpoints change; only compared for equality
};

class EndpointSource {
 public:
  // Keeps the callback registered while it lives. The destructor waits for a callback that is running.
  class Watch {
   public:
    virtual ~Watch() = default;
  };

  virtual ~EndpointSource() = default;

  // Returns the current definitions. On an error the service keeps the definitions that it has.
  virtual absl::StatusOr<EndpointSet> Read() = 0;

  // Registers `changed`, which the source calls from a thread of its own when Read may return a different set.
  // `changed` reads and plans the set, which takes milliseconds; an unnecessary call is harmless. The source must also
  // report a change that happened between the last Read and OnChange. Returns nullptr if the source can't detect
  // changes; only Reload then reads it again.
  virtual std::unique_ptr<Watch> OnChange(
      std::function<void()> /*changed*/) {  // NOLINT(performance-unnecessary-value-param)
    return nullptr;
  }
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_SOURCE_H_
