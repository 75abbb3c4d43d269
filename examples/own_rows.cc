// A service's own rows, in memory, queried in the whole dialect: an endpoint of one's own, and callers' SQL in its sandbox.
#include <cstdio>
#include <deque>
#include <mutex>
#include <string>

#include "logquery/duckdb/source_backend.h"
#include "logquery/query_service.h"
#include "logquery/table_source.h"

namespace {

using logquery::Type;
using logquery::Value;

struct Job {
  absl::Time done_at;
  std::string project;
  std::string queue;
  int64_t milliseconds = 0;
  std::vector<std::string> tags;
};

// The last jobs that a service has done. It adds some while queries run.
class Jobs : public logquery::TableSource {
 public:
  void Add(Job job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (jobs_.size() > 100'000) jobs_.pop_front();
  }

  absl::StatusOr<logquery::Catalog> ReadCatalog() override {
    logquery::Table table;
    table.name = "jobs";
    table.columns = {{"done_at", Type::Timestamp()},
                     {"project", Type::String()},
                     {"queue", Type::String()},
                     {"milliseconds", Type::Int64()},
                     {"tags", Type::Array(Type::String())}};
    table.time_column = "done_at";
    table.project_path = {"project"};
    return logquery::Catalog({table}, 1);
  }

  absl::Status Scan(const logquery::ScanRequest& request, const logquery::CancellationToken&,
                    logquery::BatchSink& sink) override {
    logquery::Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<std::vector<Value>> rows;
    {
      const std::lock_guard lock(mutex_);
      for (const Job& job : jobs_) {
        std::vector<Value>& row = rows.emplace_back();
        for (const size_t column : request.columns) row.push_back(ValueOf(job, column));
      }
    }
    return sink.Append(logquery::ValueBatch(schema, rows).batch());
  }

 private:
  static Value ValueOf(const Job& job, size_t column) {
    std::vector<Value> tags;
    switch (column) {
      case 0:
        return Value::Timestamp(job.done_at);
      case 1:
        return Value::String(job.project);
      case 2:
        return Value::String(job.queue);
      case 3:
        return Value::Int64(job.milliseconds);
      default:
        for (const std::string& tag : job.tags) tags.push_back(Value::String(tag));
        return Value::Array(Type::String(), std::move(tags));
    }
  }

  std::mutex mutex_;
  std::deque<Job> jobs_;
};

int Fail(const absl::Status& status) { return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1; }

}  // namespace

int main() {
  auto jobs = std::make_shared<Jobs>();
  for (int i = 0; i < 1'000; ++i) {
    jobs->Add({absl::FromUnixSeconds(1'772'600'000 + i),
               i % 4 == 0 ? "other" : "mine",
               i % 3 == 0 ? "mail" : "images",
               i % 100,
               {i % 2 == 0 ? "even" : "odd"}});
  }
  auto backend = logquery::OpenOverSource(jobs, {});
  if (!backend.ok()) return Fail(backend.status());

  logquery::Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c11";
  endpoint.name = "jobs.slowest";
  endpoint.query =
      "WITH jobs AS (SELECT * FROM jobs WHERE project = @project) "
      "SELECT queue, MAX(milliseconds) AS slowest FROM jobs GROUP BY queue ORDER BY queue";
  endpoint.query_sandboxing = true;
  logquery::Parameter project;
  project.name = "project";
  project.required = true;
  endpoint.parameters = {project};

  logquery::QueryServiceOptions options;
  options.backend = backend->get();
  options.endpoints = {endpoint};
  auto service = logquery::QueryService::Create(options);
  if (!service.ok()) return Fail(service.status());

  logquery::QueryRequest request;
  request.endpoint = "jobs.slowest";
  request.parameters = {{"project", "mine"}};
  auto answer = (*service)->Run(request);
  if (!answer.ok()) return Fail(answer.status());
  std::puts(answer->body.c_str());
  if (answer->body != R"({"result":[{"queue":"images","slowest":99},{"queue":"mail","slowest":99}]})") return 1;

  // A caller's own SQL over the endpoint's jobs: a window, an UNNEST and a join. It sees no other project's.
  request.parameters = {{"project", "mine"},
                        {"sql",
                         "SELECT j.queue, tag, COUNT(*) AS jobs, COUNTIF(n = 1) AS first "
                         "FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY queue ORDER BY done_at) AS n FROM jobs) AS j "
                         "CROSS JOIN UNNEST(j.tags) AS tag JOIN (SELECT DISTINCT queue FROM jobs) AS q USING (queue) "
                         "GROUP BY 1, 2 ORDER BY 1, 2"}};
  answer = (*service)->Run(request);
  if (!answer.ok()) return Fail(answer.status());
  std::puts(answer->body.c_str());
  return answer->rows == 4 ? 0 : 1;
}
