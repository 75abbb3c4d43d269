// One statement at BigQuery: started as a job, waited for, read page by page, and stopped there when its call is.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_STATEMENT_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_STATEMENT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "lib/backend/bigquery/page_reader.h"
#include "lib/backend/bigquery/service.h"
#include "logquery/batch.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/cancellation.h"
#include "logquery/prepared_query.h"

namespace logquery::bigquery {

class Statement {
 public:
  // Borrows all but the services and the tags. `stopper` has connections of its own, so that a job is stopped also when all are in use.
  // The job has the tags' labels beside those of the options, which count where a key is in both.
  Statement(const BigQueryOptions& options, Service* service, std::shared_ptr<Service> stopper, CallTags tags = {})
      : options_(options), service_(service), stopper_(std::move(stopper)), tags_(std::move(tags)) {}

  // Runs the text, whose bindings are @p1, @p2 …, and hands its rows to `sink`. Once.
  absl::Status Run(const std::string& text, const Bindings& bindings, const Schema& schema,
                   const CancellationToken& cancellation, BatchSink& sink);

  // Has BigQuery check the text, which costs nothing.
  ApiReply DryRun(const std::string& text);

 private:
  absl::StatusOr<std::string> Body(const std::string& text, const Bindings& bindings, bool dry_run) const;
  absl::Status Read(PageReader& pages, const CancellationToken& cancellation);
  absl::Status Fetch(const ApiCall& call, PageReader& pages, const CancellationToken& cancellation);
  ApiCall ResultsCall(const PageReader& pages) const;
  // Waits only for a moment: the service may not answer.
  void Stop(const PageReader& pages);

  const BigQueryOptions& options_;
  Service* const service_;
  const std::shared_ptr<Service> stopper_;
  const CallTags tags_;
  ApiCall start_;  // jobs.query, which may be sent again: it has a requestId
  bool may_run_ = false;
};

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_STATEMENT_H_
