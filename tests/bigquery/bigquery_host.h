// A BigQuery of a test's own: its REST interface, and that of the token server, over a real socket in this process. Each request
// is held against the public reference; rows are computed by GoogleSqlEngine.
//
//     BigQueryHost host(backend.get(), {{"cloudflare.logs.prod", "edge_logs"}});
//     auto opened = OpenBigQuery(host.Options());
//     CHECK(host.problems().empty());
#ifndef LOGQUERY_TESTS_BIGQUERY_BIGQUERY_HOST_H_
#define LOGQUERY_TESTS_BIGQUERY_BIGQUERY_HOST_H_

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/query_backend.h"

namespace logquery::testing {

// An answer that a test has the host give in place of its own.
struct Answer {
  int status = 200;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  bool cut = false;  // the connection ends in the middle of the body
};

class BigQueryHost {
 public:
  // `tables`: the backend's tables → their names in the dataset `logs` of the project `test-project`. Borrows the backend, which
  // may be nullptr where a test answers by itself. Throws std::runtime_error where there is no port.
  explicit BigQueryHost(QueryBackend* backend, std::map<std::string, std::string> tables = {},
                        std::string schema_json = "");
  ~BigQueryHost();
  BigQueryHost(const BigQueryHost&) = delete;
  BigQueryHost& operator=(const BigQueryHost&) = delete;

  std::string url() const;
  // Options with the account's key, all tables, and a short wait between retries.
  BigQueryOptions Options() const;
  // The text of the key's file.
  std::string KeyJson() const;

  // Rows of a page, however many are asked for.
  void SetPageRows(size_t rows);
  // The first so many answers of each job say that it is not complete.
  void SetPolls(int polls);
  // How long tokens hold.
  void SetTokenSeconds(int seconds);
  // Makes all tokens given so far invalid.
  void WithdrawTokens();
  // Called with "POST /bigquery/v2/…" and the body of each request before anything else; nullopt: the host answers.
  using Intercept = std::function<std::optional<Answer>(const std::string& request, const std::string& body)>;
  void SetIntercept(Intercept intercept);
  // The host closes its port, and opens the same one again.
  void Stop();
  void Start();

  // Parts of requests that the reference does not allow.
  std::vector<std::string> problems() const;
  // "POST /bigquery/v2/projects/test-project/queries", in the order in which they came; without query strings.
  std::vector<std::string> requests() const;
  std::vector<nlohmann::ordered_json> queries() const;  // bodies of jobs.query
  std::vector<std::string> cancelled() const;           // jobs
  int jobs() const;                                     // that were started
  int tokens() const;                                   // that were given

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_BIGQUERY_BIGQUERY_HOST_H_
