// Where a service's definitions come from, when they may change while it serves: a folder (endpoint_folder.h), or a table or a
// control plane of the program's own.
//
//     class Table : public logquery::EndpointSource {
//       absl::StatusOr<logquery::EndpointSet> Read() override { return logquery::EndpointSet{rows, version}; }
//     };
//     options.source = &table;                                         // QueryServiceOptions
//     service->Reload();                                               // reads it again; or the source says when (OnChange)
//
// A set takes the place of the one before as a whole, and only when each of its definitions is right. Thread-safe
// implementations only.
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
  std::string revision;  // another one whenever the endpoints are others; compared with that of before, never read
};

class EndpointSource {
 public:
  // As long as it lives, its callback is called on changes. Its end waits for a call that is under way.
  class Watch {
   public:
    virtual ~Watch() = default;
  };

  virtual ~EndpointSource() = default;

  // The definitions as they are now. An error leaves the service with those that it has.
  virtual absl::StatusOr<EndpointSet> Read() = 0;

  // Has `changed` called, from a thread of the source's, when Read may give another set than before. `changed` reads the set
  // and plans it, which takes milliseconds, and may be called in vain. A change since the last Read counts, also when it came
  // before OnChange. nullptr: the source does not know; Reload asks it.
  virtual std::unique_ptr<Watch> OnChange(
      std::function<void()> /*changed*/) {  // NOLINT(performance-unnecessary-value-param)
    return nullptr;
  }
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_SOURCE_H_
