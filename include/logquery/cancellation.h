// Stopping a query from another thread.
//
//     CancellationSource source;
//     std::thread([&] { service.Run(request.WithCancellation(source.token()), sink); });
//     source.Cancel();
//
// A token that is default-constructed is never cancelled. Thread-safe; copies share one state.
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

  // While the registration lives, `callback` is called once on cancellation: from the cancelling thread, or at once when
  // it has already happened. The destructor waits for a callback that is under way, so what it uses may go after it.
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
  // Idempotent. Returns when all callbacks have.
  void Cancel();

 private:
  std::shared_ptr<CancellationToken::State> state_;
};

}  // namespace logquery

#endif  // LOGQUERY_CANCELLATION_H_
