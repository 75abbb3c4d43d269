// Runs one statement in BigQuery: starts a job, waits for it, reads its pages, and stops the job when its call is
// cancelled.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_STATEMENT_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_STATEMENT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "lib/engines/bigquery/backend/page_reader.h"
#include "lib/engines/bigquery/backend/service.h"
#include "logquery/batch.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/cancellation.h"
#include "logquery/prepared_query.h"

namespace logquery::bigquery {

class Statement {
 public:
  // Borrows `options` and `service`. `stopper` has separate connections, so that a job can be stopped even if all
  // others are in use. The job has the labels of `tags` and of the options; if both have a key, the options' value counts.
  Statement(const BigQueryOptions& options, Service* service, std::shared_ptr<Service> stopper, CallTags tags = {})
      : options_(options), service_(service), stopper_(std::move(stopper)), tags_(std::move(tags)) {}

  // Runs the text, whose bindings are @p1, @p2 …, and passes its rows to `sink`. May be called once.
  absl::Status Run(const std::string& text, const Bindings& bindings, const Schema& schema,
                   const CancellationToken& cancellation, BatchSink& sink);

  // Lets BigQuery validate the text, which is free of charge.
  ApiReply DryRun(const std::string& text);

 private:
  absl::StatusOr<std::string> Body(const std::string& text, const Bindings& bindings, bool dry_run) const;
  absl::Status Read(PageReader& pages, const CancellationToken& cancellation);
  absl::Status Fetch(const ApiCall& call, PageReader& pages, const CancellationToken& cancellation);
  ApiCall ResultsCall(const PageReader& pages) const;
  // Waits only briefly, because the service may not respond.
  void Stop(const PageReader& pages);

  const BigQueryOptions& options_;
  Service* const service_;
  const std::shared_ptr<Service> stopper_;
  const CallTags tags_;
  ApiCall start_;  // jobs.query; its requestId allows sending it again
  bool may_run_ = false;
};

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_STATEMENT_H_
