// Fragments of one column, and a sink that counts their rows, for tests of what may go wrong on the way to an engine.
#ifndef LOGQUERY_TESTS_SUPPORT_ONE_COLUMN_H_
#define LOGQUERY_TESTS_SUPPORT_ONE_COLUMN_H_

#include <functional>
#include <string>
#include <utility>

#include "lib/backend/fragment_source.h"

namespace logquery::testing {

// Returns a fragment whose one column is called c1.
inline QueryFragment OneColumn(std::string text, Type type = Type::Int64()) {
  QueryFragment fragment;
  fragment.text = std::move(text);
  fragment.schema = {{"c1", std::move(type)}};
  return fragment;
}

// Calls a function with each batch, whose status it returns.
class CallingSink : public BatchSink {
 public:
  explicit CallingSink(std::function<absl::Status()> append = nullptr) : append_(std::move(append)) {}
  absl::Status Append(const Batch& batch) override {
    rows_ += batch.rows();
    return append_ == nullptr ? absl::OkStatus() : append_();
  }
  int64_t rows() const { return rows_; }

 private:
  const std::function<absl::Status()> append_;
  int64_t rows_ = 0;
};

inline absl::Status RunFragment(FragmentSource& source, const QueryFragment& fragment, BatchSink& sink,
                                const CancellationToken& token = CancellationToken(), const Bindings& bindings = {}) {
  return source.Run(fragment, bindings, token, sink);
}

// Returns whether the source answers `text`, which selects one row.
inline bool ReturnsOneRow(FragmentSource& source, std::string text) {
  CallingSink sink;
  return RunFragment(source, OneColumn(std::move(text)), sink).ok() && sink.rows() == 1;
}

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_ONE_COLUMN_H_
