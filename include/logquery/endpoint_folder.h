// Reads definitions from a folder: NAME.json holds the settings, NAME.sql the query (endpoint.h shows both).
//
//     auto folder = logquery::EndpointFolder::Open("endpoints");
//     options.source = folder.get();     // QueryServiceOptions; the folder must outlive the service
//
// Notices an added, changed or removed file within two seconds. It compares names, sizes and times every second, and
// reports a change once the folder has been unchanged for one second, so that it does not read files that are still
// being copied.
#ifndef LOGQUERY_ENDPOINT_FOLDER_H_
#define LOGQUERY_ENDPOINT_FOLDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_source.h"

namespace logquery {

// The maximum size of each of a definition's files.
inline constexpr int64_t kMaxDefinitionBytes = 1 << 20;

// Returns the definitions in a folder, ordered by file name. InvalidArgument: a file without its counterpart, a file
// that is too long, or an error of Endpoint::FromJson. NotFound: the folder does not exist or holds no definition, or a
// file can't be read.
absl::StatusOr<std::vector<Endpoint>> ReadEndpointFolder(const std::string& folder);

// Thread-safe.
class EndpointFolder : public EndpointSource {
 public:
  // Checks the folder at this interval on a thread of its own; zero: only when Look() is called. The folder may be
  // created later. If the system allows no further thread, Read() says so, and tries again to start it.
  static std::unique_ptr<EndpointFolder> Open(std::string folder, absl::Duration look_every = absl::Seconds(1));
  ~EndpointFolder() override;

  // Statuses: those of ReadEndpointFolder. ResourceExhausted: the system allows no thread for the checks. The set's revision is
  // a digest of the definitions' texts.
  absl::StatusOr<EndpointSet> Read() override;
  std::unique_ptr<Watch> OnChange(std::function<void()> changed) override;

  // Compares the folder with its previous state. Calls the registered callbacks if the folder has changed and was the
  // same in the last two looks.
  void Look();

 private:
  struct State;
  explicit EndpointFolder(std::unique_ptr<State> state);
  absl::Status StartLooking();
  std::unique_ptr<State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_FOLDER_H_
