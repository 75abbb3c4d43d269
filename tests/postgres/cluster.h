// A PostgreSQL of a test's own: a cluster in a temporary folder, on a Unix socket there, gone with the object or the process.
//
//     Cluster cluster;
//     cluster.Sql("CREATE TABLE …");
//     auto backend = OpenPostgres(cluster.Options({{.name = "events", .table = "events"}}, schema));
//
// Its text sorts by ICU's English rules, its time zone is not UTC, and it wants passwords: what a backend must not count on.
#ifndef LOGQUERY_TESTS_POSTGRES_CLUSTER_H_
#define LOGQUERY_TESTS_POSTGRES_CLUSTER_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "logquery/postgres/postgres_backend.h"

struct pg_conn;

namespace logquery::testing {

class Cluster {
 public:
  // Returns whether the programs of a server are on this machine.
  static bool IsPossible();

  // Throws std::runtime_error where anything fails, with the server's log.
  Cluster();
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  const std::string& folder() const { return folder_; }
  pid_t process() const { return server_; }

  // Runs the SQL as the superuser. Throws with the server's words.
  void Sql(const std::string& sql);
  // The first column of the first row, as text; empty: there is none.
  std::string Ask(const std::string& sql);
  // Has psql run the script in that folder, with programs of `programs` before all others. Throws with what it says.
  void RunScript(const std::string& folder, const std::string& script, const std::string& programs) const;
  // The lines of text, into a table of one column.
  void Copy(const std::string& table, const std::string& lines);

  // Options of the role `reader`, who may read what there is.
  PostgresOptions Options(std::vector<PostgresTable> tables, const std::string& schema_json = "") const;

  // Starts it anew with a port on 127.0.0.1 besides its socket; with `tls`, it has a certificate of `localhost` in
  // certificate(), and takes connections with and without TLS there.
  void Listen(bool tls);
  int port() const { return port_; }
  std::string certificate() const { return folder_ + "/certificate.pem"; }

  // Stops the server at once, as when it is killed; it can be started again.
  void Stop();
  void Start();
  // All of its processes stand still, or go on.
  void Freeze();
  void Thaw();

 private:
  pg_conn* Admin();
  void CloseAdmin();
  void Signal(int signal) const;
  std::vector<std::string> AsServer(std::vector<std::string> command) const;

  std::string folder_;
  int port_ = 0;  // 0: it has none
  bool tls_ = false;
  pid_t server_ = 0;
  pg_conn* admin_ = nullptr;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_POSTGRES_CLUSTER_H_
