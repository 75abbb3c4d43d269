// One endpoint over a log, which takes callers' SQL unless an option forbids it, for tests of what a backend answers.
//
//     SandboxService service(backend, {.log = "events"});
//     CHECK(service.Ask("select count(*) as n from events") == R"({"result":[{"n":3}]})");
#ifndef LOGQUERY_TESTS_SUPPORT_SANDBOX_SERVICE_H_
#define LOGQUERY_TESTS_SUPPORT_SANDBOX_SERVICE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/authenticator.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/query_backend.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"

namespace logquery::testing {

class SandboxService {
 public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  struct Options {
    std::string log = "events";  // the endpoint's name, too
    // The rows that callers' SQL may read. Empty: all rows of the log.
    std::string query = {};
    // The endpoint's parameters, and the values that each call sends.
    Parameters parameters = {};
    int64_t max_rows = 100'000;
    absl::Duration time_limit = absl::Seconds(30);
    Authenticator* authenticator = nullptr;
    ServiceObserver* observer = nullptr;
    std::vector<std::string> declared = {};  // further parameters, whose values a call may send
    bool takes_sql = true;                   // false: calls run `query`, and Run and Ask ignore the SQL
    const Clock* clock = nullptr;            // nullptr: the system's
  };

  // `backend` is borrowed, as what `options` points at. A service that can't be made fails the test.
  SandboxService(QueryBackend& backend, Options options);
  // Owns the backend. One that was not opened fails the test.
  SandboxService(absl::StatusOr<std::unique_ptr<QueryBackend>> opened, Options options);

  absl::StatusOr<QueryAnswer> Run(const std::string& sql = "", const Parameters& more = {},
                                  const CancellationToken& cancellation = {});
  // Returns the answer's body, or the status as text.
  std::string Ask(const std::string& sql = "", const Parameters& more = {});

  QueryBackend& backend() { return *backend_; }
  QueryService& service() { return *service_; }

 private:
  void Create();

  std::unique_ptr<QueryBackend> owned_;
  QueryBackend* backend_;
  Options options_;
  std::unique_ptr<QueryService> service_;
};

// Collects what engines said of queries that they failed to compute.
struct EngineFailures : ServiceObserver {
  void OnEngineFailure(const EngineFailureEvent& event) noexcept override {
    words.emplace_back(event.status.message());
  }
  std::vector<std::string> words;
};

// Lets every token read the rows of one project.
class OneProject : public Authenticator {
 public:
  explicit OneProject(std::string project) : project_(std::move(project)) {}
  absl::StatusOr<Principal> Authenticate(std::string_view) override {
    Principal principal;
    principal.project_scope = project_;
    return principal;
  }

 private:
  const std::string project_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_SANDBOX_SERVICE_H_
