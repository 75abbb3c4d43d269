// A ClickHouse server for tests: the engine of chDB behind as much of ClickHouse's HTTP interface as logquery uses.
//
//     logquery_clickhouse_host --library libchdb.so --data DIR --user NAME --password TEXT [--port N] [--config FILE]
//                              [--certificate FILE --key FILE]
//
// Says "port N" on a line of its own when it answers, and ends with its standard input.
//
// The user's name and password are the host's; what the user may do is what the engine's own user `default` may, by the config's
// users. KILL QUERY finds a query by its id, which the engine has as the setting log_comment.
#include <httplib.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "tests/clickhouse/host/chdb.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr char kTag[] = "abcdefghijklmnop";
constexpr std::chrono::minutes kStreamTimeout(5);

struct Arguments {
  std::map<std::string, std::string> values;

  Arguments(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) values[argv[i]] = argv[i + 1];
  }
  std::string Of(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? "" : found->second;
  }
};

std::string Quoted(const std::string& text) {
  return StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

int StatusOf(int code) {
  switch (code) {
    case 516:  // AUTHENTICATION_FAILED
    case 497:  // ACCESS_DENIED
      return 403;
    case 60:  // UNKNOWN_TABLE
      return 404;
    case 62:  // SYNTAX_ERROR
    case 115:
      return 400;
    case 159:  // TIMEOUT_EXCEEDED
      return 408;
    default:
      return 500;
  }
}

void Refuse(const EngineError& error, httplib::Response& response) {
  response.status = StatusOf(error.code);
  response.set_header("X-ClickHouse-Exception-Code", std::to_string(error.code));
  response.set_content(error.words + "\n", "text/plain; charset=UTF-8");
}

bool GivesRows(const std::string& sql) {
  const size_t begin = sql.find_first_not_of(" \n(");
  return begin != std::string::npos && (absl::StartsWithIgnoreCase(sql.substr(begin), "select") ||
                                        absl::StartsWithIgnoreCase(sql.substr(begin), "with"));
}

// A request's query, and what it says beside it.
struct Call {
  std::string sql;
  std::string format = "TabSeparated";
  std::string database;
  std::string query_id;
  Chdb::Session::Parameters parameters;
  std::map<std::string, std::string> settings;

  explicit Call(const httplib::Request& request) {
    // The body is never a form, whatever its type says.
    httplib::Params parameters_of_url;
    if (const size_t mark = request.target.find('?'); mark != std::string::npos) {
      httplib::detail::parse_query_text(request.target.substr(mark + 1), parameters_of_url);
    }
    for (const auto& [key, value] : parameters_of_url) {
      if (key == "query") {
        sql = value;
      } else if (key == "default_format") {
        format = value;
      } else if (key == "database") {
        database = value;
      } else if (key == "query_id") {
        query_id = value;
      } else if (key.starts_with("param_")) {
        parameters[key.substr(std::strlen("param_"))] = value;
      } else if (key != "user" && key != "password") {
        settings[key] = value;
      }
    }
    if (!sql.empty() && !request.body.empty()) sql += "\n";
    sql += request.body;
    // The engine has no ids of ours.
    sql = absl::StrReplaceAll(sql, {{"WHERE query_id = ", "WHERE Settings['log_comment'] = "}});
  }

  // Throws EngineError.
  void SetUp(Chdb::Session& session) const {
    if (!database.empty()) session.Run(StrCat("USE `", absl::StrReplaceAll(database, {{"`", "``"}}), "`"), format);
    const auto set = [&](const std::string& name, const std::string& value) {
      session.Run(StrCat("SET `", absl::StrReplaceAll(name, {{"`", "``"}}), "` = ", Quoted(value)), format);
    };
    if (!query_id.empty()) set("log_comment", query_id);
    for (const auto& [name, value] : settings) {
      if (name != "readonly") set(name, value);
    }
    // After it no other may be set where it is 1.
    if (const auto found = settings.find("readonly"); found != settings.end()) set(found->first, found->second);
  }
};

class Host {
 public:
  explicit Host(const Arguments& arguments)
      : user_(arguments.Of("--user")),
        password_(arguments.Of("--password")),
        engine_(arguments.Of("--library"), EngineArguments(arguments)) {}

  void Route(httplib::Server& server) {
    server.new_task_queue = [] { return new httplib::ThreadPool(32); };
    // The timeouts are those of the real server: a client that stalls for seconds, as under load, keeps its connection.
    server.set_read_timeout(kStreamTimeout);
    server.set_write_timeout(kStreamTimeout);
    server.set_keep_alive_timeout(30);
    server.Get("/ping", [](const httplib::Request&, httplib::Response& response) {
      response.set_content("Ok.\n", "text/html; charset=UTF-8");
    });
    server.Post("/",
                [this](const httplib::Request& request, httplib::Response& response) { Answer(request, response); });
  }

 private:
  static std::vector<std::string> EngineArguments(const Arguments& arguments) {
    std::vector<std::string> words = {StrCat("--path=", arguments.Of("--data"))};
    if (!arguments.Of("--config").empty()) words.push_back(StrCat("--config-file=", arguments.Of("--config")));
    return words;
  }

  void Answer(const httplib::Request& request, httplib::Response& response) {
    try {
      if (request.get_header_value("X-ClickHouse-User") != user_ ||
          request.get_header_value("X-ClickHouse-Key") != password_) {
        throw EngineError{516,
                          "Code: 516. DB::Exception: Authentication failed: password is incorrect, or there is no user "
                          "with such name. (AUTHENTICATION_FAILED)"};
      }
      const Call call(request);
      const auto session = std::make_shared<Chdb::Session>(engine_);
      call.SetUp(*session);
      response.set_header("X-ClickHouse-Query-Id", call.query_id);
      response.set_header("X-ClickHouse-Exception-Tag", kTag);
      response.set_header("X-ClickHouse-Format", call.format);
      if (!GivesRows(call.sql)) {
        response.set_content(session->Run(call.sql, call.format, call.parameters), "application/octet-stream");
        return;
      }
      session->Start(call.sql, call.format, call.parameters);
      // The status waits for the first rows.
      Stream(session, session->Next(), response);
    } catch (const EngineError& error) {
      Refuse(error, response);
    }
  }

  static void Stream(const std::shared_ptr<Chdb::Session>& session, std::string first, httplib::Response& response) {
    const auto next = std::make_shared<std::string>(std::move(first));
    response.set_chunked_content_provider("application/octet-stream", [session, next](size_t, httplib::DataSink& sink) {
      try {
        if (next->empty()) return sink.done(), true;
        if (!sink.write(next->data(), next->size())) return false;
        *next = session->Next();
        return true;
      } catch (const EngineError& error) {
        // The body goes on with the error, and the chunk that would end it does not come.
        const std::string words = StrCat("\r\n__exception__\r\n", kTag, "\r\n", error.words, "\n",
                                         error.words.size() + 1, " ", kTag, "\r\n__exception__\r\n");
        sink.write(words.data(), words.size());
        return false;
      }
    });
  }

  const std::string user_;
  const std::string password_;
  const Chdb engine_;
  // The engine ends with its last session, and would begin anew with the next.
  const Chdb::Session first_{engine_};
};

int Serve(httplib::Server& server, Host& host, const Arguments& arguments) {
  host.Route(server);
  const std::string wanted = arguments.Of("--port");
  int port = wanted.empty() ? 0 : std::atoi(wanted.c_str());
  if (port != 0 && !server.bind_to_port("127.0.0.1", port)) port = -1;
  if (port == 0) port = server.bind_to_any_port("127.0.0.1");
  if (port < 0) return std::fprintf(stderr, "the port %s can't be had\n", wanted.c_str()), 1;
  std::thread listener([&] { server.listen_after_bind(); });
  server.wait_until_ready();
  std::printf("port %d\n", port);
  std::fflush(stdout);
  char byte = 0;
  while (read(0, &byte, 1) > 0) {
  }
  // The engine's threads are not waited for.
  std::_Exit(0);
}

int Main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  try {
    Host host(arguments);
    if (arguments.Of("--certificate").empty()) {
      httplib::Server server;
      return Serve(server, host, arguments);
    }
    httplib::SSLServer server(arguments.Of("--certificate").c_str(), arguments.Of("--key").c_str());
    if (!server.is_valid()) throw std::runtime_error("the certificate or its key can't be used");
    return Serve(server, host, arguments);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const EngineError& error) {
    std::fprintf(stderr, "%s\n", error.words.c_str());
  }
  // The engine's threads are not waited for.
  std::_Exit(1);
}

}  // namespace
}  // namespace logquery::testing

int main(int argc, char** argv) { return logquery::testing::Main(argc, argv); }
