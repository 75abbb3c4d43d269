// Definitions in a folder: NAME.json with the settings, NAME.sql with the query (endpoint.h shows both).
//
//     auto folder = logquery::EndpointFolder::Open("endpoints");
//     options.source = folder.get();                                   // QueryServiceOptions; the folder outlives the service
//
// A file that is added, changed or removed is noticed within two seconds: names, sizes and times are compared each second, and
// a change counts when the folder stayed as it is for a second, so that files which are still being copied are not read.
#ifndef LOGQUERY_ENDPOINT_FOLDER_H_
#define LOGQUERY_ENDPOINT_FOLDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_source.h"

namespace logquery {

// A definition's file has at most as many bytes.
inline constexpr int64_t kMaxDefinitionBytes = 1 << 20;

// The definitions of a folder, in the order of their files' names.
// InvalidArgument: a file without its other half, one that is too long, or what Endpoint::FromJson says. NotFound: no such
// folder, no definition in it, a file that can't be read.
absl::StatusOr<std::vector<Endpoint>> ReadEndpointFolder(const std::string& folder);

// Thread-safe.
class EndpointFolder : public EndpointSource {
 public:
  // Looks at the folder that often, in a thread of its own; zero: Look() is all there is. The folder need not be there yet.
  static std::unique_ptr<EndpointFolder> Open(std::string folder, absl::Duration look_every = absl::Seconds(1));
  ~EndpointFolder() override;

  // ReadEndpointFolder's statuses. The revision is a digest of the definitions' texts.
  absl::StatusOr<EndpointSet> Read() override;
  std::unique_ptr<Watch> OnChange(std::function<void()> changed) override;

  // Compares the folder with what it was, and has those told who watch when it has changed and then stayed the same for a look.
  void Look();

 private:
  struct State;
  explicit EndpointFolder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_FOLDER_H_
