// Checks that an engine whose answers a proxy cuts or garbles gives an error, never fewer rows.
#ifndef LOGQUERY_TESTS_ENGINES_NETWORK_CHECKS_H_
#define LOGQUERY_TESTS_ENGINES_NETWORK_CHECKS_H_

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "absl/synchronization/notification.h"
#include "lib/backend/fragment_source.h"
#include "tests/support/tcp_proxy.h"

namespace logquery::testing {

// Counts rows of one INT64 column, and sums their values.
class RowSum : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override {
    for (int64_t row = 0; row < batch.rows(); ++row) sum_ += batch.column(0).Int64At(row);
    rows_ += batch.rows();
    if (!begun_.HasBeenNotified()) begun_.Notify();
    return absl::OkStatus();
  }
  int64_t rows() const { return rows_; }
  int64_t sum() const { return sum_; }
  void AwaitBegin() { begun_.WaitForNotification(); }

 private:
  int64_t rows_ = 0;
  int64_t sum_ = 0;
  absl::Notification begun_;
};

// Runs the fragment of `count` rows, of whose answer the proxy passes on so many bytes.
inline void CheckCutAnswer(TcpProxy& proxy, FragmentSource& source, const QueryFragment& fragment, int count,
                           int64_t bytes) {
  proxy.CutAfter(bytes);
  RowSum rows;
  const absl::Status status = source.Run(fragment, {}, {}, rows);
  INFO(status.ToString());
  CHECK(absl::IsUnavailable(status));
  CHECK(rows.rows() < count);
  proxy.PassAll();
}

// Runs the fragment of `count` rows, of whose answer the proxy changes a byte. Returns whether the call fails: if it does not, a
// value may be another one, which nothing but TLS tells.
inline bool FailsGarbled(TcpProxy& proxy, FragmentSource& source, const QueryFragment& fragment, int count,
                         int64_t bytes) {
  proxy.GarbleAfter(bytes);
  // Garbage that makes a length of megabytes of a few bytes has the server wait for the client, and the client for the server.
  CancellationSource cancellation;
  RowSum rows;
  absl::Status status;
  absl::Notification done;
  std::thread call([&] {
    status = source.Run(fragment, {}, cancellation.token(), rows);
    done.Notify();
  });
  if (!done.WaitForNotificationWithTimeout(absl::Milliseconds(300))) cancellation.Cancel();
  call.join();
  proxy.PassAll();
  INFO(status.ToString());
  if (status.ok()) CHECK(rows.rows() == count);
  return !status.ok();
}

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_NETWORK_CHECKS_H_
