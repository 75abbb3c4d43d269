// Computes the texts of a result that a plan leaves to the code which receives the engine's rows (see the pass finish_rows).
//
//     FinishingSink finishing(planned.finish.get(), &sink);
//     backend.Execute(*planned.query, planned.bindings, limits, cancellation, finishing);
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_ROW_FINISH_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_ROW_FINISH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/functions/function.h"
#include "lib/rewrite/plan.h"
#include "logquery/batch.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::endpoint {

// The texts of one query. Immutable and therefore thread-safe.
class RowFinish {
 public:
  struct Text {
    size_t column = 0;
    const functions::FunctionEntry* function = nullptr;
    std::vector<Value> constants;  // the arguments after the column
  };

  // nullptr: the plan leaves none.
  static std::shared_ptr<const RowFinish> Of(const rewrite::QueryPlan& plan);

  // The result's columns.
  const Schema& schema() const { return schema_; }
  const std::vector<Text>& texts() const { return texts_; }
  // Differs for plans whose texts differ.
  const std::string& description() const { return description_; }

 private:
  RowFinish() = default;

  Schema schema_;
  std::vector<Text> texts_;
  std::string description_;
};

// Forwards rows with their texts.
class FinishingSink : public BatchSink {
 public:
  // Both pointers are borrowed. nullptr: rows are forwarded as they are.
  FinishingSink(const RowFinish* finish, BatchSink* next) : finish_(finish), next_(next) {}

  // ResourceExhausted: the texts of one batch exceed the limit of a function's values. Other statuses are those of the next sink.
  absl::Status Append(const Batch& batch) override;

 private:
  // The constants of a text in as many rows as a batch has had.
  struct Constants {
    std::optional<ValueBatch> rows;
    int64_t count = 0;
  };

  static void Extend(const RowFinish::Text& text, int64_t rows, Constants& constants);

  const RowFinish* const finish_;
  BatchSink* const next_;
  std::vector<Constants> constants_;  // of each text
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_ROW_FINISH_H_
