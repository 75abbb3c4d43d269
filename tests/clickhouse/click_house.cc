// The host is told to end by the end of its input, so it does not outlive a test that crashes.
#include "tests/clickhouse/click_house.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "lib/base/strings.h"
#include "tests/support/folders.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr char kUser[] = "logquery_reader";
constexpr char kPassword[] = "of 'the' reader\\ &=";

[[noreturn]] void Fail(const std::string& what, const std::string& folder) {
  std::ifstream log(folder + "/log");
  throw std::runtime_error(StrCat(what, "\n", std::string((std::istreambuf_iterator<char>(log)), {})));
}

pid_t Spawn(std::vector<std::string> words, int input, int output, const std::string& log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, 0);
  posix_spawn_file_actions_adddup2(&files, output, 1);
  posix_spawn_file_actions_addopen(&files, 2, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0 ? pid : 0;
}

// "port N".
int ReadPort(int from) {
  std::string line;
  char byte = 0;
  while (read(from, &byte, 1) == 1 && byte != '\n') line += byte;
  return line.starts_with("port ") ? std::atoi(line.c_str() + 5) : 0;
}

void MakeCertificate(const std::string& folder) {
  const std::string command = StrCat(
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 "
      "-keyout ",
      folder, "/key.pem -out ", folder, "/certificate.pem 2>", folder, "/log");
  if (std::system(command.c_str()) != 0) Fail("openssl makes no certificate", folder);
}

}  // namespace

std::string ClickHouse::WhyNot() {
  if (access(BuildPath("bin/logquery_clickhouse_host").c_str(), X_OK) != 0)
    return "the test host of ClickHouse is not built";
  if (access(ChdbLibrary().c_str(), R_OK) != 0) return "there is no chDB here: scripts/bootstrap clickhouse fetches it";
  return "";
}

ClickHouse::ClickHouse(bool tls)
    : tls_(tls), client_([&] {
        std::string path = (std::filesystem::temp_directory_path() / "logquery_ch_XXXXXX").string();
        if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("can't make a folder for ClickHouse");
        folder_ = path;
        http::ClientOptions options;
        if (tls) {
          MakeCertificate(folder_);
          options.ca_file = folder_ + "/certificate.pem";
        }
        return options;
      }()) {
  Start();
  Sql("CREATE DATABASE logs");
}

ClickHouse::~ClickHouse() {
  Stop();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ClickHouse::url() const { return StrCat(tls_ ? "https" : "http", "://127.0.0.1:", port_); }

void ClickHouse::Start() {
  int input[2] = {-1, -1};
  int output[2] = {-1, -1};
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) Fail("no pipes", folder_);
  std::vector<std::string> words = {BuildPath("bin/logquery_clickhouse_host"),
                                    "--library",
                                    ChdbLibrary(),
                                    "--data",
                                    folder_ + "/data",
                                    "--user",
                                    kUser,
                                    "--password",
                                    kPassword,
                                    "--port",
                                    StrCat(port_)};
  if (!config_.empty()) words.insert(words.end(), {"--config", config_});
  if (tls_) words.insert(words.end(), {"--certificate", folder_ + "/certificate.pem", "--key", folder_ + "/key.pem"});
  process_ = Spawn(std::move(words), input[0], output[1], folder_ + "/log");
  close(input[0]);
  close(output[1]);
  input_ = input[1];
  port_ = process_ == 0 ? 0 : ReadPort(output[0]);
  close(output[0]);
  if (port_ == 0) Fail("the test host of ClickHouse does not start", folder_);
}

void ClickHouse::Stop() {
  if (process_ == 0) return;
  kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  close(input_);
  process_ = 0;
}

void ClickHouse::RestartWithGrants(const std::vector<std::string>& grants) {
  std::string queries;
  for (const std::string& grant : grants) base::StrAppend(&queries, "<query>", grant, "</query>");
  RestartAs("", StrCat("<grants>", queries, "</grants>"));
}

void ClickHouse::RestartWithProfile(const std::string& settings) { RestartAs(settings, ""); }

void ClickHouse::RestartAs(const std::string& profile, const std::string& grants) {
  Stop();
  config_ = folder_ + "/config.xml";
  std::ofstream(config_) << "<clickhouse><users_config>" << folder_ << "/users.xml</users_config></clickhouse>";
  std::ofstream users(folder_ + "/users.xml");
  users << "<clickhouse><profiles><default>" << profile
        << "</default></profiles><quotas><default/></quotas><users><default><password/><networks>"
           "<ip>::/0</ip></networks><profile>default</profile><quota>default</quota>"
        << grants << "</default></users></clickhouse>";
  users.close();
  Start();
}

void ClickHouse::Freeze() { kill(process_, SIGSTOP); }
void ClickHouse::Thaw() { kill(process_, SIGCONT); }

std::string ClickHouse::Ask(const std::string& sql) {
  http::Request request;
  request.url = url() + "/";
  request.headers = {{"X-ClickHouse-User", kUser}, {"X-ClickHouse-Key", kPassword}};
  request.body = sql;
  std::string body;
  const http::Outcome outcome =
      client_.Send(request, CancellationToken(), [&](const http::Head&, std::string_view piece) {
        body += piece;
        return absl::OkStatus();
      });
  if (!outcome.status.ok() || outcome.head.status != 200) {
    Fail(StrCat(outcome.status.ToString(), " ", body, " of ", sql.substr(0, 1'000)), folder_);
  }
  if (body.ends_with('\n')) body.pop_back();
  return body;
}

ClickHouseOptions ClickHouse::Options(std::vector<ClickHouseTable> tables, const std::string& schema_json) const {
  ClickHouseOptions options;
  options.hosts = {url()};
  options.database = "logs";
  options.user = kUser;
  options.password = kPassword;
  if (tls_) options.ca_file = folder_ + "/certificate.pem";
  options.allow_sources = true;
  options.tables = std::move(tables);
  options.schema_json = schema_json;
  return options;
}

}  // namespace logquery::testing
