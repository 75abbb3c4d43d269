// The server does not run as root: there it is the account that Debian makes for it, or nobody.
#include "tests/postgres/cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "absl/strings/ascii.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/read_to_end.h"
#include "lib/base/strings.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr char kPassword[] = "of the superuser";
constexpr char kReaderPassword[] = "of 'the' reader\\";
constexpr int kUsualPort = 5432;  // which names its socket, too
constexpr absl::Duration kStartTime = absl::Minutes(2);

std::string Program(const char* name) { return StrCat(LOGQUERY_POSTGRES_PROGRAMS, "/", name); }

[[noreturn]] void Fail(const std::string& what, const std::string& folder = "") {
  std::ostringstream log;
  if (!folder.empty()) log << std::ifstream(folder + "/log").rdbuf();
  throw std::runtime_error(StrCat(what, "\n", log.str()));
}

const passwd* Account() {
  const passwd* const own = getpwnam("postgres");
  return own != nullptr ? own : getpwnam("nobody");
}

pid_t Spawn(const std::vector<std::string>& command, const std::string& log) {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) Fail(StrCat("can't start ", command[0]));
  return pid;
}

int Await(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

Result Checked(pg_conn* connection, PGresult* result, const std::string& sql) {
  Result owned(result, PQclear);
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN) return owned;
  Fail(StrCat(PQerrorMessage(connection), " of ", sql));
}

// Returns a port that nothing listens on, and nothing will for a moment.
int FreePort() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  const bool bound = bind(probe, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                     getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  close(probe);
  if (!bound) Fail("no port");
  return ntohs(address.sin_port);
}

// The ids of a process and of all below it.
std::vector<pid_t> Family(pid_t root) {
  std::vector<pid_t> family = {root};
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(entry.path().filename().string()[0]))) continue;
    std::ifstream file(entry.path() / "stat");
    // The process may have ended.
    const std::string text = base::ReadToEnd(file).value_or("");
    const size_t after_name = text.rfind(')');
    if (after_name == std::string::npos) continue;
    int parent = 0;
    char state = 0;
    if (std::sscanf(text.c_str() + after_name + 1, " %c %d", &state, &parent) == 2 && parent == root) {
      family.push_back(static_cast<pid_t>(std::atoi(text.c_str())));
    }
  }
  return family;
}

}  // namespace

bool Cluster::IsPossible() { return access(Program("initdb").c_str(), X_OK) == 0; }

std::vector<std::string> Cluster::AsServer(std::vector<std::string> command) const {
  std::vector<std::string> words = {"setpriv", "--pdeathsig", "QUIT"};
  if (geteuid() == 0) {
    for (const std::string& word : {std::string("--reuid"), StrCat(Account()->pw_uid), std::string("--regid"),
                                    StrCat(Account()->pw_gid), std::string("--clear-groups")}) {
      words.push_back(word);
    }
  }
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

Cluster::Cluster() {
  std::string path = (std::filesystem::temp_directory_path() / "logquery_pg_XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) Fail("can't make a folder for a cluster");
  folder_ = path;
  std::ofstream(folder_ + "/password") << kPassword;
  if (geteuid() == 0 && chown(folder_.c_str(), Account()->pw_uid, Account()->pw_gid) != 0)
    Fail("can't give a folder away");
  chmod(folder_.c_str(), 0755);
  const std::vector<std::string> make = {Program("initdb"),
                                         "-D",
                                         folder_ + "/data",
                                         "-U",
                                         "postgres",
                                         "-A",
                                         "scram-sha-256",
                                         "--pwfile",
                                         folder_ + "/password",
                                         "-E",
                                         "UTF8",
                                         "--locale",
                                         "C.UTF-8",
                                         "--locale-provider",
                                         "icu",
                                         "--icu-locale",
                                         "en-US",
                                         "--no-sync"};
  if (Await(Spawn(AsServer(make), folder_ + "/log")) != 0) Fail("initdb has failed", folder_);
  Start();
  Sql(StrCat("CREATE ROLE reader LOGIN PASSWORD ", "E'of ''the'' reader\\\\'"));
  Sql("ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader");
}

Cluster::~Cluster() {
  Thaw();
  Stop();
  std::error_code ignored;  // a folder that stays behind is no failure of a test
  std::filesystem::remove_all(folder_, ignored);
}

void Cluster::Start() {
  std::vector<std::string> serve = {Program("postgres"),
                                    "-D",
                                    folder_ + "/data",
                                    "-k",
                                    folder_,
                                    "-c",
                                    "fsync=off",
                                    "-c",
                                    "timezone=America/New_York",
                                    "-c",
                                    "max_connections=40",
                                    "-c",
                                    "shared_buffers=32MB",
                                    "-c",
                                    port_ == 0 ? "listen_addresses=" : "listen_addresses=127.0.0.1",
                                    "-p",
                                    StrCat(port_ == 0 ? kUsualPort : port_)};
  if (tls_) {
    for (const std::string& setting : {std::string("ssl=on"), StrCat("ssl_cert_file=", certificate()),
                                       StrCat("ssl_key_file=", folder_, "/key.pem")}) {
      serve.insert(serve.end(), {"-c", setting});
    }
  }
  server_ = Spawn(AsServer(serve), folder_ + "/log");
  const absl::Time end = absl::Now() + kStartTime;
  const std::string port = StrCat(port_ == 0 ? kUsualPort : port_);
  const char* const keys[] = {"host", "port", nullptr};
  const char* const values[] = {folder_.c_str(), port.c_str(), nullptr};
  // A server tells nobody when it takes connections.
  while (PQpingParams(keys, values, 0) != PQPING_OK) {
    if (absl::Now() > end || waitpid(server_, nullptr, WNOHANG) != 0) Fail("the server does not start", folder_);
    absl::SleepFor(absl::Milliseconds(20));
  }
}

void Cluster::Listen(bool tls) {
  Stop();
  port_ = FreePort();
  tls_ = tls;
  if (tls) {
    const std::string command = StrCat(
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost "
        "-keyout ",
        folder_, "/key.pem -out ", certificate(), " 2>>", folder_, "/log");
    if (std::system(command.c_str()) != 0) Fail("openssl makes no certificate", folder_);
    const std::string key = folder_ + "/key.pem";
    if (geteuid() == 0 && chown(key.c_str(), Account()->pw_uid, Account()->pw_gid) != 0) Fail("can't give a key away");
    chmod(key.c_str(), 0600);
  }
  Start();
}

void Cluster::Stop() {
  CloseAdmin();
  if (server_ == 0) return;
  kill(server_, SIGQUIT);
  Await(server_);
  server_ = 0;
}

void Cluster::Signal(int signal) const {
  if (server_ == 0) return;
  for (const pid_t process : Family(server_)) kill(process, signal);
}

void Cluster::Freeze() { Signal(SIGSTOP); }
void Cluster::Thaw() { Signal(SIGCONT); }

pg_conn* Cluster::Admin() {
  if (admin_ != nullptr) return admin_;
  const std::string port = StrCat(port_ == 0 ? kUsualPort : port_);
  const char* const keys[] = {"host", "port", "user", "password", "dbname", nullptr};
  const char* const values[] = {folder_.c_str(), port.c_str(), "postgres", kPassword, "postgres", nullptr};
  admin_ = PQconnectdbParams(keys, values, 0);
  if (PQstatus(admin_) != CONNECTION_OK) Fail(PQerrorMessage(admin_), folder_);
  return admin_;
}

void Cluster::CloseAdmin() {
  if (admin_ != nullptr) PQfinish(admin_);
  admin_ = nullptr;
}

void Cluster::Sql(const std::string& sql) { Checked(Admin(), PQexec(Admin(), sql.c_str()), sql); }

std::string Cluster::Ask(const std::string& sql) {
  const Result result = Checked(Admin(), PQexec(Admin(), sql.c_str()), sql);
  return PQntuples(result.get()) == 0 ? "" : PQgetvalue(result.get(), 0, 0);
}

void Cluster::RunScript(const std::string& folder, const std::string& script, const std::string& programs) const {
  const std::string said = StrCat(folder_, "/psql.txt");
  const std::string command =
      StrCat("cd '", folder, "' && PATH='", programs, "':\"$PATH\" PGPASSWORD='", kPassword, "' '",
             LOGQUERY_POSTGRES_PROGRAMS, "/psql' -X -q -h '", folder_,
             "' -U postgres -v ON_ERROR_STOP=1 --single-transaction -f '", script, "' postgres >'", said, "' 2>&1");
  if (std::system(command.c_str()) == 0) return;
  std::ifstream text(said);
  throw std::runtime_error(std::string(std::istreambuf_iterator<char>(text), {}));
}

void Cluster::Copy(const std::string& table, const std::string& lines) {
  // Nothing in a line is special.
  const std::string sql = StrCat("COPY ", table, " FROM STDIN WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')");
  Checked(Admin(), PQexec(Admin(), sql.c_str()), sql);
  // libpq counts bytes in an int.
  constexpr size_t kPiece = 16 << 20;
  for (size_t at = 0; at < lines.size(); at += kPiece) {
    const auto bytes = static_cast<int>(std::min(kPiece, lines.size() - at));
    if (PQputCopyData(Admin(), lines.data() + at, bytes) != 1) Fail(PQerrorMessage(Admin()));
  }
  if (PQputCopyEnd(Admin(), nullptr) != 1) Fail(PQerrorMessage(Admin()));
  while (PGresult* const result = PQgetResult(Admin())) Checked(Admin(), result, sql);
}

PostgresOptions Cluster::Options(std::vector<PostgresTable> tables, const std::string& schema_json) const {
  PostgresOptions options;
  options.host = folder_;
  options.database = "postgres";
  options.user = "reader";
  options.password = kReaderPassword;
  options.tables = std::move(tables);
  options.schema_json = schema_json;
  options.memory_limit_bytes = 512 << 20;
  options.threads = 2;
  return options;
}

}  // namespace logquery::testing
