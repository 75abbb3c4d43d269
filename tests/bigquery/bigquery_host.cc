// A job is computed when it is started; how many of its answers say that it is not complete is what a test sets.
#include "tests/bigquery/bigquery_host.h"

#include <httplib.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_replace.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "lib/base/strings.h"
#include "tests/bigquery/account_key.h"
#include "tests/bigquery/googlesql_engine.h"
#include "tests/bigquery/rest_checks.h"

namespace logquery::testing {
namespace {

using base::StrCat;
using Json = nlohmann::ordered_json;

constexpr char kProject[] = "test-project";
constexpr char kDataset[] = "logs";
constexpr char kScript[] = "/bigquery/v2/projects/test-project";

std::string ErrorBody(int code, const std::string& reason, const std::string& message) {
  return Json{{"error",
               {{"code", code},
                {"message", message},
                {"errors", Json::array({{{"message", message}, {"domain", "global"}, {"reason", reason}}})},
                {"status", "INVALID"}}}}
      .dump();
}

std::map<std::string, std::string> Paths(const std::map<std::string, std::string>& tables) {
  std::map<std::string, std::string> paths;
  for (const auto& [table, name] : tables) paths[StrCat(kProject, ".", kDataset, ".", name)] = table;
  return paths;
}

void Put(const Answer& answer, httplib::Response& response) {
  response.status = answer.status;
  for (const auto& [name, value] : answer.headers) response.set_header(name, value);
  if (!answer.cut) return response.set_content(answer.body, "application/json; charset=UTF-8");
  response.set_content_provider(answer.body.size(), "application/json",
                                [body = answer.body](size_t, size_t, httplib::DataSink& sink) {
                                  sink.write(body.data(), body.size() / 2);
                                  return false;
                                });
}

}  // namespace

class BigQueryHost::Impl {
 public:
  Impl(QueryBackend* backend, std::map<std::string, std::string> tables, std::string schema_json)
      : tables_(std::move(tables)), schema_json_(std::move(schema_json)), engine_(backend, Paths(tables_)) {
    Start();
  }
  ~Impl() {
    EndJobs(/*join=*/false);
    Stop();
    EndJobs(/*join=*/true);
  }

  void Start() {
    server_ = std::make_unique<httplib::Server>();
    server_->new_task_queue = [] { return new httplib::ThreadPool(8); };
    server_->set_keep_alive_timeout(1);
    Route();
    port_ = port_ == 0 ? server_->bind_to_any_port("127.0.0.1") : server_->bind_to_port("127.0.0.1", port_) ? port_ : 0;
    if (port_ <= 0) throw std::runtime_error("there is no port for a BigQuery host");
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    server_->wait_until_ready();
  }
  void Stop() {
    if (server_ == nullptr) return;
    server_->stop();
    thread_.join();
    server_.reset();
  }

  int port() const { return port_; }
  const std::map<std::string, std::string>& tables() const { return tables_; }
  const std::string& schema_json() const { return schema_json_; }
  std::string url() const { return StrCat("http://127.0.0.1:", port_); }

  template <typename Change>
  auto Locked(Change change) {
    absl::MutexLock lock(&mutex_);
    return change(state_);
  }

  struct Job {
    CancellationSource cancellation;
    absl::StatusOr<RestRows> answer;  // once it is done
    absl::Notification done;
    int polls = 0;  // answers so far
    std::thread thread;
  };
  struct State {
    size_t page_rows = 1'000'000;
    int polls = 0;
    int token_seconds = 3'600;
    int tokens = 0;
    int first_token = 1;  // those before do not hold any more
    Intercept intercept;
    std::vector<std::string> problems;
    std::vector<std::string> requests;
    std::vector<Json> queries;
    std::vector<std::string> cancelled;
    std::map<std::string, std::shared_ptr<Job>> jobs;
    std::map<std::string, std::string> job_of_request;
  };

 private:
  void EndJobs(bool join) {
    const std::map<std::string, std::shared_ptr<Job>> jobs = Locked([](State& state) { return state.jobs; });
    for (const auto& [name, job] : jobs) {
      job->cancellation.Cancel();
      if (join) job->thread.join();
    }
  }

  // All methods of the interface are told apart by their path.
  void Route() {
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
      Answer(request, response);
    };
    server_->Get(".*", handle);
    server_->Post(".*", handle);
  }

  void Answer(const httplib::Request& request, httplib::Response& response) {
    const std::string line = StrCat(request.method, " ", request.path);
    Intercept intercept = Locked([&](State& state) {
      state.requests.push_back(line);
      return state.intercept;
    });
    if (intercept != nullptr) {
      if (const std::optional<testing::Answer> answer = intercept(line, request.body); answer.has_value())
        return Put(*answer, response);
    }
    if (request.path == "/token") return GiveToken(request, response);
    if (request.path == "/computeMetadata/v1/instance/service-accounts/default/token")
      return GiveMetadataToken(request, response);
    if (!Holds(request.get_header_value("Authorization"))) {
      return Put({401, ErrorBody(401, "authError", "Request had invalid authentication credentials."), {}, false},
                 response);
    }
    Dispatch(request, response);
  }

  void Dispatch(const httplib::Request& request, httplib::Response& response) {
    const std::multimap<std::string, std::string> parameters(request.params.begin(), request.params.end());
    std::smatch parts;
    const std::string& path = request.path;
    if (request.method == "POST" && path == StrCat(kScript, "/queries")) return Query(request, response);
    if (request.method == "GET" &&
        std::regex_match(path, parts, std::regex(StrCat(kScript, "/queries/([a-z0-9-]+)")))) {
      return Checked(WrongInUrl("getQueryResults", parameters), response) ? Results(parts[1], parameters, response)
                                                                          : void();
    }
    if (request.method == "POST" &&
        std::regex_match(path, parts, std::regex(StrCat(kScript, "/jobs/([a-z0-9-]+)/cancel")))) {
      if (!Checked(WrongInUrl("cancel", parameters), response)) return;
      Locked([&](State& state) {
        state.cancelled.push_back(parts[1]);
        if (const auto job = state.jobs.find(parts[1]); job != state.jobs.end()) job->second->cancellation.Cancel();
      });
      return Put({200, R"({"kind":"bigquery#jobCancelResponse"})", {}, false}, response);
    }
    if (request.method == "GET" &&
        std::regex_match(path, parts, std::regex(StrCat(kScript, "/datasets/([^/]+)/tables/([^/]+)")))) {
      return Checked(WrongInUrl("tables.get", parameters), response) ? Describe(parts[1], parts[2], response) : void();
    }
    Checked(StrCat("there is no ", request.method, " ", path), response);
  }

  bool Checked(const std::string& problem, httplib::Response& response) {
    if (problem.empty()) return true;
    Locked([&](State& state) { state.problems.push_back(problem); });
    Put({400, ErrorBody(400, "invalid", problem), {}, false}, response);
    return false;
  }

  void GiveToken(const httplib::Request& request, httplib::Response& response) {
    const std::multimap<std::string, std::string> form(request.params.begin(), request.params.end());
    const std::string problem =
        WrongInTokenRequest(form, AccountKey(), kAccountEmail, url() + "/token", absl::ToUnixSeconds(absl::Now()));
    if (!problem.empty()) {
      return Put({400, Json{{"error", "invalid_grant"}, {"error_description", problem}}.dump(), {}, false}, response);
    }
    PutToken(response);
  }

  void GiveMetadataToken(const httplib::Request& request, httplib::Response& response) {
    if (request.get_header_value("Metadata-Flavor") != "Google") return Put({403, "{}", {}, false}, response);
    PutToken(response);
  }

  void PutToken(httplib::Response& response) {
    const Json token = Locked([](State& state) {
      return Json{{"access_token", StrCat("ya29.token-", ++state.tokens)},
                  {"expires_in", state.token_seconds},
                  {"token_type", "Bearer"}};
    });
    Put({200, token.dump(), {}, false}, response);
  }

  bool Holds(const std::string& header) {
    constexpr std::string_view kBearer = "Bearer ya29.token-";
    if (!header.starts_with(kBearer)) return false;
    const int number = std::atoi(header.c_str() + kBearer.size());
    return Locked([&](State& state) { return number >= state.first_token && number <= state.tokens; });
  }

  void Query(const httplib::Request& request, httplib::Response& response) {
    const Json body = Json::parse(request.body, nullptr, false);
    if (!Checked(request.get_header_value("Content-Type") == "application/json" ? "" : "the body's type is no JSON",
                 response))
      return;
    if (!Checked(body.is_discarded() ? "the body is no JSON" : WrongInQuery(body), response)) return;
    const std::string id = body.value("requestId", "");
    if (body.value("dryRun", false)) {
      Locked([&](State& state) { return state.queries.push_back(body), true; });
      return DryRun(body, response);
    }
    const auto job = std::make_shared<Job>();
    bool is_new = false;
    // In one step: of two requests with one id at the same time, one starts the job.
    const std::string name = Locked([&](State& state) {
      state.queries.push_back(body);
      const auto [found, added] = state.job_of_request.try_emplace(id, StrCat("job-", state.jobs.size() + 1));
      is_new = added;
      if (added) state.jobs[found->second] = job;
      return found->second;
    });
    if (!is_new) return Results(name, OfQuery(body), response);
    job->thread = std::thread([this, job, body] {
      job->answer = engine_.Run(body["query"].get<std::string>(), body.value("queryParameters", Json::array()), false,
                                job->cancellation.token());
      job->done.Notify();
    });
    Results(name, OfQuery(body), response);
  }

  static std::multimap<std::string, std::string> OfQuery(const Json& body) {
    return {{"maxResults", StrCat(body.value("maxResults", 1'000'000))},
            {"timeoutMs", StrCat(body.value("timeoutMs", 10'000))}};
  }

  void DryRun(const Json& body, httplib::Response& response) {
    const absl::StatusOr<RestRows> rows = engine_.Run(
        body["query"].get<std::string>(), body.value("queryParameters", Json::array()), true, CancellationToken());
    if (!rows.ok()) return Put(Refusal(rows.status()), response);
    const Json answer = {{"kind", "bigquery#queryResponse"},
                         {"schema", rows->schema},
                         {"totalBytesProcessed", "0"},
                         {"jobComplete", true}};
    Put({200, answer.dump(), {}, false}, response);
  }

  static testing::Answer Refusal(const absl::Status& status) {
    const std::string words(base::Message(status));
    if (absl::IsCancelled(status)) return {400, ErrorBody(400, "stopped", words), {}, false};
    if (absl::IsResourceExhausted(status)) return {403, ErrorBody(403, "responseTooLarge", words), {}, false};
    return {400, ErrorBody(400, "invalidQuery", words), {}, false};
  }

  void Results(const std::string& name, const std::multimap<std::string, std::string>& parameters,
               httplib::Response& response) {
    const auto of = [&](const std::string& key, const std::string& otherwise) {
      const auto found = parameters.find(key);
      return found == parameters.end() ? otherwise : found->second;
    };
    const std::shared_ptr<Job> job = Locked([&](State& state) {
      const auto found = state.jobs.find(name);
      return found == state.jobs.end() ? nullptr : found->second;
    });
    if (job == nullptr)
      return Put({404, ErrorBody(404, "notFound", StrCat("Not found: Job ", name)), {}, false}, response);
    const bool done = job->done.WaitForNotificationWithTimeout(absl::Milliseconds(std::stoi(of("timeoutMs", "10000"))));
    Json made = {{"kind", "bigquery#queryResponse"},
                 {"jobReference", {{"projectId", kProject}, {"jobId", name}, {"location", "EU"}}}};
    const size_t page_rows = Locked([&](State& state) {
      made["jobComplete"] = done && job->polls++ >= state.polls;
      return state.page_rows;
    });
    if (made["jobComplete"] == true) {
      if (!job->answer.ok()) return Put(Refusal(job->answer.status()), response);
      AddPage(*job->answer, of("pageToken", ""), std::min(page_rows, std::stoul(of("maxResults", "1000000"))), made);
    }
    Put({200, made.dump(-1, ' ', false, Json::error_handler_t::replace), {}, false}, response);
  }

  static void AddPage(const RestRows& all, const std::string& token, size_t most, Json& made) {
    const size_t begin = token.starts_with("page=") ? std::stoul(token.substr(5)) : 0;
    const size_t end = std::min(all.rows.size(), begin + most);
    made["schema"] = all.schema;
    made["totalRows"] = StrCat(all.rows.size());
    Json rows = Json::array();
    for (size_t i = begin; i < end; ++i) rows.push_back(all.rows[i]);
    if (begin < end) made["rows"] = std::move(rows);
    if (end < all.rows.size()) made["pageToken"] = StrCat("page=", end);
  }

  void Describe(const std::string& dataset, const std::string& table, httplib::Response& response) {
    const absl::StatusOr<Json> schema = engine_.SchemaOf(StrCat(kProject, ".", dataset, ".", table));
    if (!schema.ok()) {
      return Put(
          {404, ErrorBody(404, "notFound", StrCat("Not found: Table ", kProject, ":", dataset, ".", table)), {}, false},
          response);
    }
    const Json answer = {{"kind", "bigquery#table"},
                         {"schema", *schema},
                         {"type", "TABLE"},
                         {"timePartitioning", {{"type", "DAY"}, {"field", "timestamp"}}}};
    Put({200, answer.dump(), {}, false}, response);
  }

  const std::map<std::string, std::string> tables_;
  const std::string schema_json_;
  const GoogleSqlEngine engine_;
  int port_ = 0;
  std::unique_ptr<httplib::Server> server_;
  std::thread thread_;
  absl::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_);
};

BigQueryHost::BigQueryHost(QueryBackend* backend, std::map<std::string, std::string> tables, std::string schema_json)
    : impl_(std::make_unique<Impl>(backend, std::move(tables), std::move(schema_json))) {}
BigQueryHost::~BigQueryHost() = default;

std::string BigQueryHost::url() const { return impl_->url(); }
std::string BigQueryHost::KeyJson() const { return AccountJson(PemOf(AccountKey()), url() + "/token"); }

BigQueryOptions BigQueryHost::Options() const {
  BigQueryOptions options;
  options.project = kProject;
  options.dataset = kDataset;
  options.service_account_key = KeyJson();
  options.api_url = options.metadata_url = url();
  options.schema_json = impl_->schema_json();
  for (const auto& [name, table] : impl_->tables()) {
    BigQueryTable& made = options.tables.emplace_back();
    made.name = name;
    made.table = table;
  }
  options.retry_wait = absl::Milliseconds(1);
  return options;
}

void BigQueryHost::SetPageRows(size_t rows) {
  impl_->Locked([&](auto& state) { state.page_rows = rows; });
}
void BigQueryHost::SetPolls(int polls) {
  impl_->Locked([&](auto& state) { state.polls = polls; });
}
void BigQueryHost::SetTokenSeconds(int seconds) {
  impl_->Locked([&](auto& state) { state.token_seconds = seconds; });
}
void BigQueryHost::WithdrawTokens() {
  impl_->Locked([&](auto& state) { state.first_token = state.tokens + 1; });
}
void BigQueryHost::SetIntercept(Intercept intercept) {
  impl_->Locked([&](auto& state) { state.intercept = std::move(intercept); });
}
void BigQueryHost::Stop() { impl_->Stop(); }
void BigQueryHost::Start() { impl_->Start(); }

std::vector<std::string> BigQueryHost::problems() const {
  return impl_->Locked([](auto& state) { return state.problems; });
}
std::vector<std::string> BigQueryHost::requests() const {
  return impl_->Locked([](auto& state) { return state.requests; });
}
std::vector<Json> BigQueryHost::queries() const {
  return impl_->Locked([](auto& state) { return state.queries; });
}
std::vector<std::string> BigQueryHost::cancelled() const {
  return impl_->Locked([](auto& state) { return state.cancelled; });
}
int BigQueryHost::jobs() const {
  return impl_->Locked([](auto& state) { return static_cast<int>(state.jobs.size()); });
}
int BigQueryHost::tokens() const {
  return impl_->Locked([](auto& state) { return state.tokens; });
}

}  // namespace logquery::testing
