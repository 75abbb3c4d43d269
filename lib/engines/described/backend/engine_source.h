// A program's engine, described as data, as a source of fragments.
#ifndef LOGQUERY_LIB_ENGINES_DESCRIBED_BACKEND_ENGINE_SOURCE_H_
#define LOGQUERY_LIB_ENGINES_DESCRIBED_BACKEND_ENGINE_SOURCE_H_

#include <memory>
#include <string>
#include <utility>

#include "lib/backend/fragment_source.h"
#include "logquery/experimental/fragment_engine.h"

namespace logquery::experimental {

class EngineSource : public FragmentSource {
 public:
  EngineSource(std::string name, std::unique_ptr<emit::SqlDialect> dialect, std::shared_ptr<FragmentEngine> engine)
      : name_(std::move(name)), dialect_(std::move(dialect)), engine_(std::move(engine)) {}

  std::string engine() const override { return name_; }
  const emit::SqlDialect& dialect() const override { return *dialect_; }
  // FailedPrecondition: a name can't be quoted, or a column's type does not come from the engine.
  absl::StatusOr<Catalog> ReadCatalog() override;
  uint64_t CatalogVersion() const override { return engine_->CatalogVersion(); }
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override {
    return RunForCall(fragment, bindings, FragmentCall(), cancellation, sink);
  }
  absl::Status RunForCall(const QueryFragment& fragment, const Bindings& bindings, const FragmentCall& call,
                          const CancellationToken& cancellation, BatchSink& sink) override;
  absl::Status Probe(const CancellationToken& cancellation) override;

 private:
  const std::string name_;
  const std::unique_ptr<emit::SqlDialect> dialect_;
  const std::shared_ptr<FragmentEngine> engine_;
};

}  // namespace logquery::experimental

#endif  // LOGQUERY_LIB_ENGINES_DESCRIBED_BACKEND_ENGINE_SOURCE_H_
