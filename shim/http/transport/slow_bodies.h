// Limits how many requests' bodies may arrive slowly at one time, because each of them keeps a thread waiting.
//
//     SlowBodies slow_bodies(64);
//     SlowBodies::Place place(&slow_bodies);
//     if (is_slow && !place.Take()) return TooManySlowOnes();
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_SLOW_BODIES_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_SLOW_BODIES_H_

#include <atomic>

namespace logquery::shim {

// Thread-safe.
class SlowBodies {
 public:
  explicit SlowBodies(int max) : max_(max) {}

  // A place among them, from Take on and for as long as it lives. For one thread.
  class Place {
   public:
    explicit Place(SlowBodies* all) : all_(all) {}
    ~Place() {
      if (taken_) --all_->count_;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // Returns false if all places are taken. Idempotent.
    bool Take() {
      if (taken_) return true;
      if (++all_->count_ > all_->max_) {
        --all_->count_;
        return false;
      }
      taken_ = true;
      return true;
    }

   private:
    SlowBodies* const all_;
    bool taken_ = false;
  };

 private:
  const int max_;
  std::atomic<int> count_{0};
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_SLOW_BODIES_H_
