// A ClickHouse of a test's own: chDB behind HTTP, in a process and a temporary folder that are gone with the object.
//
//     ClickHouse server;
//     server.Sql("CREATE TABLE logs.events …");
//     auto backend = OpenClickHouse(server.Options({{.name = "events", .table = "events"}}, schema));
#ifndef LOGQUERY_TESTS_CLICKHOUSE_CLICK_HOUSE_H_
#define LOGQUERY_TESTS_CLICKHOUSE_CLICK_HOUSE_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "lib/backend/http/client.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::testing {

class ClickHouse {
 public:
  // Why there can be none on this machine; empty: there can. For SKIP.
  static std::string WhyNot();

  // The database `logs` is there. With `tls` it speaks HTTPS, with a certificate in folder()/certificate.pem. Throws
  // std::runtime_error where anything fails, with the host's log.
  explicit ClickHouse(bool tls = false);
  ~ClickHouse();
  ClickHouse(const ClickHouse&) = delete;
  ClickHouse& operator=(const ClickHouse&) = delete;

  const std::string& folder() const { return folder_; }
  std::string url() const;
  int port() const { return port_; }
  pid_t process() const { return process_; }

  // Runs a statement. Throws with the server's words.
  void Sql(const std::string& sql) { Ask(sql); }
  // The server's answer in TabSeparated, without the last line break.
  std::string Ask(const std::string& sql);

  // Options of the user, who may do anything until RestartWithGrants: so allow_sources is set.
  ClickHouseOptions Options(std::vector<ClickHouseTable> tables, const std::string& schema_json = "") const;

  // Stops the server at once, as when it is killed; it can be started again, on the same port.
  void Stop();
  void Start();
  // Starts it again with a user who has these grants alone: "GRANT SELECT ON logs.*". Ask has no others.
  void RestartWithGrants(const std::vector<std::string>& grants);
  // Starts it again with a user who may do anything, with these settings: "<readonly>1</readonly>".
  void RestartWithProfile(const std::string& settings);
  // Makes the server stand still, or go on.
  void Freeze();
  void Thaw();

 private:
  void RestartAs(const std::string& profile, const std::string& grants);

  std::string folder_;
  const bool tls_;
  pid_t process_ = 0;
  int port_ = 0;
  int input_ = -1;  // the host ends when this is closed
  std::string config_;
  http::Client client_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CLICKHOUSE_CLICK_HOUSE_H_
