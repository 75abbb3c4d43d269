// Stops a query from another thread.
//
//     CancellationSource source;
//     request.cancellation = source.token();
//     std::thread run([&] { service.Run(request, sink); });
//     source.Cancel(), run.join();
//
// A default-constructed token is never cancelled. Thread-safe; copies share one state.
#ifndef LOGQUERY_CANCELLATION_H_
#define LOGQUERY_CANCELLATION_H_

#include <functional>
#include <memory>
#include <utility>

namespace logquery {

class CancellationToken {
 public:
  CancellationToken() = default;
  bool IsCancelled() const;

  // While the registration lives, `callback` is called once on cancellation, on the cancelling thread. If the token is
  // already cancelled, OnCancel calls it at once. The destructor waits for a running callback, so objects that the
  // callback uses may be destroyed after the registration.
  class Registration {
   public:
    Registration();
    ~Registration();
    Registration(Registration&&) noexcept;
    Registration& operator=(Registration&&) noexcept;

   private:
    friend class CancellationToken;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };
  [[nodiscard]] Registration OnCancel(std::function<void()> callback) const;

  struct State;

 private:
  friend class CancellationSource;
  explicit CancellationToken(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

class CancellationSource {
 public:
  CancellationSource();
  CancellationToken token() const { return CancellationToken(state_); }
  // Idempotent. Returns after all callbacks have returned.
  void Cancel();

 private:
  std::shared_ptr<CancellationToken::State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_CANCELLATION_H_
